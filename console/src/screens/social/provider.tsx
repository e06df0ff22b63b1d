import type { SocialProvider as ProviderRecord } from '@bailiwick/contract'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useOperation } from '../../api/use-operation.ts'
import { type FieldSpec, OperationForm } from '../../form/operation-form.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { Facts, Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { ClientSecret, RemoveProvider, callbackOf, trustFields } from '../providers/provider-parts.tsx'
import { providerNames } from './providers.tsx'

type Body = Readonly<Record<string, unknown>>
const hasOwnClient = (body: Body) => body['useCustomCredentials'] === true
/** Apple needs a developer account, and GitLab may be self-hosted. */
const hasOwnSettings = (body: Body) => body['providerKey'] === 'apple' || body['providerKey'] === 'gitlab'

const settings: readonly FieldSpec[] = [
  'enabled',
  {
    name: 'useCustomCredentials',
    label: 'Use a client of your own',
    hint: 'If it is off, the client of the deployment is used, if it has one.',
  },
  { name: 'clientId', label: 'Client ID', isShown: hasOwnClient },
  {
    name: 'clientSecret',
    label: 'Client secret',
    hint: 'It is stored encrypted. Leave it empty to keep the present one.',
    isShown: hasOwnClient,
  },
  {
    name: 'redirectUri',
    label: 'Callback address',
    hint: 'Only if another address is registered at the provider.',
    isShown: hasOwnClient,
  },
  ...trustFields,
  {
    name: 'additionalScopes',
    label: 'Further scopes',
    hint: 'Asked for in addition to what signing in needs: one on each line.',
    schema: { type: 'array', items: { type: 'string' } },
  },
  {
    name: 'config',
    label: 'Settings of the provider',
    hint: 'JSON. Apple: teamId, keyId and privateKey. GitLab of your own: baseUrl.',
    isShown: hasOwnSettings,
  },
]

/** The contract accepts a list or one text. */
const scopesOf = (scopes: unknown): unknown => (typeof scopes === 'string' ? scopes.split(' ') : scopes)

export function CreateSocialProvider() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const navigate = useNavigate()
  return (
    <Page title="Add a social provider">
      <Section
        title="Provider"
        about={`For a client of your own, register ${callbackOf('…')} at the provider as its callback address.`}
      >
        <OperationForm
          operation="createSocialProvider"
          start={{ tenantId, enabled: true }}
          fields={[
            {
              name: 'providerKey',
              label: 'Provider',
              options: Object.entries(providerNames).map(([value, label]) => ({ value, label })),
            },
            ...settings,
          ]}
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

function Details({ provider }: { readonly provider: ProviderRecord }) {
  const { id, providerKey, useCustomCredentials } = provider
  const name = providerNames[providerKey]
  const callback = provider.redirectUri ?? callbackOf(providerKey)
  const secret = <ClientSecret key="secret" operation="getSocialProviderSecret" id={id} />
  return (
    <Page title={name} about="Social provider">
      <Section title="At the provider">
        <Facts
          rows={[
            ['Callback address', <Copyable key="callback" text={callback} />],
            ...(useCustomCredentials === true ? ([['Client secret', secret]] as const) : []),
          ]}
        />
      </Section>
      <Section title="Settings">
        <OperationForm
          operation="updateSocialProvider"
          params={{ id }}
          record={{
            ...provider,
            useCustomCredentials: useCustomCredentials ?? false,
            authenticatable: provider.authenticatable ?? true,
            autoConnectAccounts: provider.autoConnectAccounts ?? true,
            additionalScopes: scopesOf(provider.additionalScopes),
          }}
          fields={settings}
          submit="Save"
          done="The provider is saved."
        />
      </Section>
      <RemoveProvider operation="deleteSocialProvider" id={id} name={name} list="social-providers" />
    </Page>
  )
}
