import type { CustomProvider as ProviderRecord } from '@bailiwick/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import type { AnswerOf } from '../../api/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { type FieldSpec, OperationForm } from '../../form/operation-form.tsx'
import { ChangeAction } from '../../parts/change-action.tsx'
import { ConfirmAction } from '../../parts/confirm-action.tsx'
import { CopySecret, Copyable } from '../../parts/copy.tsx'
import { Facts, Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { usePathParam } from '../../shell/route-params.ts'

const settings: readonly FieldSpec[] = [
  'name',
  'enabled',
  { name: 'issuer', placeholder: 'https://id.example.com' },
  { name: 'clientId', label: 'Client ID' },
  { name: 'clientSecret', label: 'Client secret' },
  { name: 'redirectUri', label: 'Callback address' },
  { name: 'scopes', label: 'Scopes beside openid' },
  { name: 'claims/email', label: 'Claim with the e-mail address' },
  { name: 'claims/emailVerified', label: 'Claim that says whether it is verified' },
  { name: 'claims/name', label: 'Claim with the name' },
  { name: 'trustEmails', label: 'Trust its e-mail addresses' },
  { name: 'authenticatable', label: 'Signs people in' },
  { name: 'autoConnectAccounts', label: 'Connect accounts by verified e-mail address' },
]

export function CreateCustomProvider() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const navigate = useNavigate()
  return (
    <Page title="Add a custom provider">
      <Section
        title="Provider"
        about={`Register ${location.origin}/frontend/api/v0/oauth/callback/custom-… at the provider, with its key at the end.`}
      >
        <OperationForm
          operation="createCustomProvider"
          start={{ tenantId, enabled: true }}
          fields={[{ name: 'key', placeholder: 'custom-acme' }, ...settings]}
          submit="Add provider"
          done="The provider is added."
          onDone={({ id }) => void navigate({ to: path(`custom-providers/${id}`) })}
          onCancel={() => void navigate({ to: path('custom-providers') })}
        />
      </Section>
    </Page>
  )
}

export function CustomProvider() {
  const id = usePathParam()
  return (
    <Query of={useOperation('getCustomProvider', { params: { id } })} what="custom provider">
      {(provider) => <Details key={provider.id} provider={provider} />}
    </Query>
  )
}

function AtProvider({ provider }: { readonly provider: ProviderRecord }) {
  const mayReadSecret = useMayCall('getCustomProviderSecret')
  const [checked, setChecked] = useState<AnswerOf<'checkCustomProvider'>>()
  const { id, key, redirectUri, hasClientSecret } = provider
  const params = { id }
  const readSecret = async () => (await call('getCustomProviderSecret', { params })).clientSecret ?? ''
  const secret = mayReadSecret.isAllowed ? (
    <CopySecret key="secret" name="The client secret" read={readSecret} />
  ) : (
    <span key="secret" className="quiet">
      {mayReadSecret.reason}
    </span>
  )
  const callback = redirectUri ?? `${location.origin}/frontend/api/v0/oauth/callback/${key}`
  return (
    <Section title="At the provider">
      <Facts
        rows={[
          ['Callback address', <Copyable key="callback" text={callback} />],
          ['Client secret', hasClientSecret ? secret : 'none: a public client'],
          ...(checked === undefined
            ? []
            : ([['What it says', checked.reason ?? 'People can be sent there.']] as const)),
        ]}
      />
      <div className="actions">
        <ChangeAction operation="checkCustomProvider" input={{ params }} onDone={setChecked}>
          Check the provider
        </ChangeAction>
      </div>
    </Section>
  )
}

function Details({ provider }: { readonly provider: ProviderRecord }) {
  const path = useTenantPath()
  const navigate = useNavigate()
  const { id, name } = provider
  return (
    <Page title={name} about="Custom provider">
      <AtProvider provider={provider} />
      <Section title="Settings">
        <OperationForm
          operation="updateCustomProvider"
          params={{ id }}
          record={provider}
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
            operation="deleteCustomProvider"
            input={{ params: { id } }}
            label="Remove provider"
            name={name}
            onDone={() => void navigate({ to: path('custom-providers') })}
          >
            Its settings and its secret are deleted. This cannot be taken back.
          </ConfirmAction>
        </div>
      </Section>
    </Page>
  )
}
