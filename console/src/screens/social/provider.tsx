import { type SocialProvider as ProviderRecord, providerKeys, socialProviders } from '@bailiwick/contract'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useOperation } from '../../api/use-operation.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Facts, Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { Copyable } from '../../values/copy.tsx'
import { ClientSecret, ProviderStateBadge, RemoveProvider } from '../providers/provider-parts.tsx'
import { fieldsOf, withOtherSettings } from './provider-fields.ts'

/** The contract accepts a list or one text. */
const scopesOf = (scopes: unknown): unknown => (typeof scopes === 'string' ? scopes.split(' ') : scopes)

export function CreateSocialProvider() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const navigate = useNavigate()
  const [key, setKey] = useState<ProviderRecord['providerKey']>()
  const { data: states } = useOperation('listSocialProviderStates', { params: { tenantId } })
  const known = states?.find(({ providerKey }) => providerKey === key)
  const isShared = known?.hasDeploymentClient === true
  const [takeKey] = useState(
    () => (values: Readonly<Record<string, unknown>>) =>
      setKey(values['providerKey'] as ProviderRecord['providerKey'] | undefined),
  )
  return (
    <Page title="Add a social provider">
      <Section
        title="Provider"
        about="Register the callback address at the provider, then enter the client that it gives you."
      >
        <Facts
          rows={[
            [
              'Callback address',
              known === undefined ? 'Choose the provider first.' : <Copyable key="callback" text={known.callbackUri} />,
            ],
          ]}
        />
        <OperationForm
          operation="createSocialProvider"
          start={{ tenantId, enabled: true, useCustomCredentials: true }}
          fields={[
            {
              name: 'providerKey',
              label: 'Provider',
              options: providerKeys.map((value) => ({ value, label: socialProviders[value].name })),
            },
            ...fieldsOf(key, { isNew: true, isShared }),
          ]}
          onValues={takeKey}
          toBody={(body) => withOtherSettings(body, undefined)}
          submit="Add provider"
          done="The provider is added."
          onDone={({ id }) => void navigate({ to: path(`social-providers/${id}`) })}
          onCancel={() => void navigate({ to: path('social-providers') })}
        />
      </Section>
    </Page>
  )
}

export function SocialProvider() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string }
  return (
    <Query of={useOperation('getSocialProvider', { params: { id } })} what="social provider">
      {(provider) => <Details provider={provider} />}
    </Query>
  )
}

const stateTexts = {
  absent: '',
  disabled: 'Users do not see it. Switch it on below.',
  incomplete: 'Users do not see it: it has no complete client. Enter one below.',
  ready: 'Users see its button on the sign-in page.',
} as const

function Details({ provider }: { readonly provider: ProviderRecord }) {
  const { id, tenantId, providerKey, clientId } = provider
  // Providers from before this setting have a client of their own if they have one at all.
  const useCustomCredentials = provider.useCustomCredentials ?? (clientId ?? null) !== null
  const name = socialProviders[providerKey].name
  const { data: states } = useOperation('listSocialProviderStates', { params: { tenantId } })
  const found = states?.find((each) => each.providerKey === providerKey)
  const isShared = found?.hasDeploymentClient === true || !useCustomCredentials
  const secret = <ClientSecret key="secret" operation="getSocialProviderSecret" id={id} />
  return (
    <Page title={name} about="Social provider">
      <Section title="At the provider">
        <Facts
          rows={[
            ...(found === undefined
              ? []
              : ([
                  [
                    'State',
                    <span key="state" role="status">
                      <ProviderStateBadge state={found.state} /> {stateTexts[found.state]}
                    </span>,
                  ],
                ] as const)),
            ...(found === undefined
              ? []
              : ([['Callback address', <Copyable key="callback" text={found.callbackUri} />]] as const)),
            ...(useCustomCredentials ? ([['Client secret', secret]] as const) : []),
          ]}
        />
      </Section>
      <Section title="Settings">
        <OperationForm
          operation="updateSocialProvider"
          params={{ id }}
          record={{
            ...provider,
            useCustomCredentials,
            authenticatable: provider.authenticatable ?? true,
            autoConnectAccounts: provider.autoConnectAccounts ?? true,
            additionalScopes: scopesOf(provider.additionalScopes),
          }}
          fields={fieldsOf(providerKey, { isNew: false, isShared })}
          toBody={(body) => withOtherSettings(body, provider)}
          submit="Save"
          done="The provider is saved."
        />
      </Section>
      <RemoveProvider operation="deleteSocialProvider" id={id} name={name} list="social-providers" />
    </Page>
  )
}
