import type { CustomProvider as ProviderRecord } from '@bailiwick/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ChangeAction } from '../../actions/change-action.tsx'
import { call } from '../../api/client.ts'
import type { AnswerOf } from '../../api/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import type { FieldSpec } from '../../form/field-spec.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Facts, Page, Section, usePathParam } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { toast } from '../../parts/toasts.tsx'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { Badge } from '../../values/badge.tsx'
import { Copyable } from '../../values/copy.tsx'
import { PictureField } from '../media/picture-field.tsx'
import {
  ClientSecret,
  EnabledBadge,
  RemoveProvider,
  tokenFields,
  trustFields,
  useCallbackAddress,
} from '../providers/provider-parts.tsx'

const settings: readonly FieldSpec[] = [
  { name: 'name', hint: 'Its button says “Continue with …” and this name.' },
  {
    name: 'issuer',
    hint: 'Its metadata are at this URL, followed by /.well-known/openid-configuration.',
    placeholder: 'https://id.example.com',
  },
  { name: 'clientId', label: 'Client ID' },
  {
    name: 'clientSecret',
    label: 'Client secret',
    hint: 'It is stored encrypted. A client without a secret is public and only uses PKCE.',
    schema: { type: ['string', 'null'], format: 'password', maxLength: 8192 },
  },
  {
    name: 'redirectUri',
    label: 'Callback address',
    hint: 'Only if another address is registered at the provider.',
  },
  {
    name: 'logoId',
    section: 'Appearance',
    render: (control) => (
      <PictureField control={control} name="logoId" label="Logo" hint="A small square picture for its button." />
    ),
  },
  {
    name: 'scopes',
    section: 'Claims about users',
    label: 'Scopes',
    hint: 'Requested in addition to openid: one on each line. If empty, email and profile.',
  },
  { name: 'claims/email', label: 'Claim with the e-mail address', hint: 'If empty, email.' },
  {
    name: 'claims/emailVerified',
    label: 'Claim that says whether the address is verified',
    hint: 'If empty, email_verified. Only true counts.',
  },
  { name: 'claims/name', label: 'Claim with the name', hint: 'If empty, name.' },
  {
    name: 'trustEmails',
    section: 'Trust',
    label: 'Trust its e-mail addresses',
    hint: 'An address then counts as verified because the provider says so. Whoever runs the provider can sign in to every account with such an address.',
  },
  ...trustFields,
  ...tokenFields,
]

/** Shows a new provider to users only once its metadata say that they can sign in with it. */
async function enableIfUsable(id: string) {
  const { problem, reason } = await call('checkCustomProvider', { params: { id } })
  if (problem === null) await call('updateCustomProvider', { params: { id }, body: { enabled: true } })
  toast(
    problem === null
      ? 'The provider works, and users see its button.'
      : `The provider is added, but hidden from users: ${reason ?? problem}`,
  )
}

export function CreateCustomProvider() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const navigate = useNavigate()
  const callback = useCallbackAddress('custom-…')
  return (
    <Page title="Add a custom provider">
      <Section title="Provider" about={`Register ${callback}, with its key at the end, at the provider.`}>
        <OperationForm
          operation="createCustomProvider"
          start={{ tenantId, enabled: false }}
          fields={[
            {
              name: 'key',
              hint: 'Part of the callback address. It begins with “custom-” and cannot be changed later.',
              placeholder: 'custom-acme',
            },
            ...settings,
          ]}
          submit="Add provider"
          onDone={({ id }) => void enableIfUsable(id).then(() => navigate({ to: path(`custom-providers/${id}`) }))}
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

function CheckResult({ of: { problem, reason } }: { readonly of: AnswerOf<'checkCustomProvider'> }) {
  return (
    <span role="status">
      <Badge tone={problem === null ? 'good' : 'bad'}>{problem === null ? 'works' : 'does not work'}</Badge>{' '}
      {reason ?? 'Users can sign in with it.'}
    </span>
  )
}

function AtProvider({ provider }: { readonly provider: ProviderRecord }) {
  const [checked, setChecked] = useState<AnswerOf<'checkCustomProvider'>>()
  const { id, key, enabled, redirectUri, hasClientSecret } = provider
  const params = { id }
  const secret = <ClientSecret key="secret" operation="getCustomProviderSecret" id={id} />
  const usual = useCallbackAddress(key)
  const callback = redirectUri ?? usual
  return (
    <Section title="At the provider">
      <Facts
        rows={[
          ['State', <EnabledBadge key="state" isEnabled={enabled} />],
          ['Callback address', <Copyable key="callback" text={callback} />],
          ['Client secret', hasClientSecret ? secret : 'None: the client is public'],
          ...(checked === undefined
            ? []
            : ([['Result of the check', <CheckResult key="check" of={checked} />]] as const)),
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
  const { id, name } = provider
  return (
    <Page title={name} about="Custom provider">
      <AtProvider provider={provider} />
      <Section title="Settings">
        <OperationForm
          operation="updateCustomProvider"
          params={{ id }}
          record={provider}
          fields={[{ name: 'enabled', label: 'Show it on the sign-in page' }, ...settings]}
          submit="Save"
          done="The provider is saved."
        />
      </Section>
      <RemoveProvider operation="deleteCustomProvider" id={id} name={name} list="custom-providers" />
    </Page>
  )
}
