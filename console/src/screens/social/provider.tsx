import type { SocialProvider as ProviderRecord } from '@bailiwick/contract'
import { useNavigate, useParams } from '@tanstack/react-router'
import { call } from '../../api/client.ts'
import { useOperation } from '../../api/use-operation.ts'
import { type FieldSpec, OperationForm } from '../../form/operation-form.tsx'
import { ConfirmAction } from '../../parts/confirm-action.tsx'
import { CopySecret, Copyable } from '../../parts/copy.tsx'
import { Facts, Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { providerNames } from './providers.tsx'

const hasOwnClient = (body: Readonly<Record<string, unknown>>) => body['useCustomCredentials'] === true
const settings: readonly FieldSpec[] = [
  'enabled',
  { name: 'useCustomCredentials', label: 'Use a client of your own' },
  { name: 'clientId', label: 'Client ID', isShown: hasOwnClient },
  { name: 'clientSecret', label: 'Client secret', isShown: hasOwnClient },
  { name: 'redirectUri', label: 'Callback address', isShown: hasOwnClient },
  { name: 'authenticatable', label: 'Signs people in' },
  { name: 'autoConnectAccounts', label: 'Connect accounts by verified e-mail address' },
  { name: 'additionalScopes', label: 'Further scopes' },
  { name: 'config', label: 'Settings of the provider' },
]

const callbackOf = (providerKey: string) => `${location.origin}/frontend/api/v0/oauth/callback/${providerKey}`

export function CreateSocialProvider() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const navigate = useNavigate()
  return (
    <Page title="Add a social provider">
      <Section
        title="Provider"
        about={`Register ${callbackOf('…')} at the provider as the callback address of your client.`}
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
  const path = useTenantPath()
  const navigate = useNavigate()
  const mayReadSecret = useMayCall('getSocialProviderSecret')
  const { id, providerKey, useCustomCredentials } = provider
  const name = providerNames[providerKey]
  const readSecret = async () => (await call('getSocialProviderSecret', { params: { id } })).clientSecret ?? ''
  return (
    <Page title={name} about="Social provider">
      <Section title="At the provider">
        <Facts
          rows={[
            ['Callback address', <Copyable key="callback" text={provider.redirectUri ?? callbackOf(providerKey)} />],
            ...(useCustomCredentials === true
              ? ([
                  [
                    'Client secret',
                    mayReadSecret.isAllowed ? (
                      <CopySecret key="secret" name="The client secret" read={readSecret} />
                    ) : (
                      <span key="secret" className="quiet">
                        {mayReadSecret.reason}
                      </span>
                    ),
                  ],
                ] as const)
              : []),
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
          }}
          fields={settings}
          submit="Save"
          done="The provider is saved."
        />
      </Section>
      <Section
        title="Remove this provider"
        isDangerous
        about="Whoever signs in with it alone is locked out. To stop it for a while, disable it instead."
      >
        <div>
          <ConfirmAction
            operation="deleteSocialProvider"
            input={{ params: { id } }}
            label="Remove provider"
            name={name}
            onDone={() => void navigate({ to: path('social-providers') })}
          >
            Its settings and its secret are deleted. This cannot be taken back.
          </ConfirmAction>
        </div>
      </Section>
    </Page>
  )
}
