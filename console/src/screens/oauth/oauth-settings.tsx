import { discoveryPath } from '@bailiwick/contract'
import { useState } from 'react'
import type { AnswerOf } from '../../api/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import type { FieldSpec } from '../../form/field-spec.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Facts, Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { useTenant } from '../../session/tenant.tsx'
import { Copyable } from '../../values/copy.tsx'
import { Time } from '../../values/time.tsx'
import { SecretOnce } from '../webhooks/secret-once.tsx'

type Settings = AnswerOf<'getOAuthSettings'>

function ForApplications({ settings: { issuer, previousIssuerUntil } }: { readonly settings: Settings }) {
  const previous = [['The previous issuer works until', <Time key="until" at={previousIssuerUntil} />]] as const
  return (
    <Section title="For applications">
      <Facts
        rows={[
          ['Issuer', <Copyable key="issuer" text={issuer} />],
          ['Discovery', <Copyable key="discovery" text={issuer + discoveryPath} />],
          ...(previousIssuerUntil === null ? [] : previous),
        ]}
      />
    </Section>
  )
}

const fields: readonly FieldSpec[] = [
  {
    name: 'issuerDomain',
    label: 'Domain of the issuer',
    hint: 'A verified domain of this tenant. If empty, the issuer is an address of the deployment.',
    placeholder: 'id.example.com',
  },
  {
    name: 'accessTokenTtl',
    label: 'Access token lifetime',
    hint: 'From 1 minute to 1 day.',
    isSeconds: true,
  },
  {
    name: 'refreshTokenTtl',
    label: 'Refresh token lifetime',
    hint: 'From 5 minutes to 1 year.',
    isSeconds: true,
  },
  {
    name: 'idTokenTtl',
    label: 'ID token lifetime',
    hint: 'From 1 minute to 1 day.',
    isSeconds: true,
  },
  {
    name: 'metadataDocumentsEnabled',
    label: 'Accept applications that describe themselves',
    hint: 'An application that is not registered then uses the URL of its metadata document as its client ID.',
  },
  {
    name: 'registrationEnabled',
    label: 'Accept applications that register themselves',
    hint: 'Dynamic client registration (RFC 7591), with a token that you create below.',
  },
]

function RegistrationToken({ tenantId }: { readonly tenantId: string }) {
  const [token, setToken] = useState<string>()
  return (
    <>
      <Section
        title="Registration token"
        about="Applications that register themselves send it. A new token replaces the previous one."
      >
        <OperationForm
          operation="createRegistrationToken"
          params={{ id: tenantId }}
          fields={[{ name: 'ttlSeconds', label: 'Lifetime', hint: 'If empty, 1 day.', isSeconds: true }]}
          submit="Create token"
          onDone={(answer) => setToken(answer.token)}
        />
      </Section>
      {token === undefined ? null : (
        <SecretOnce
          title="Copy the token"
          about="It is shown only once. Copy it now."
          name="The token"
          secret={token}
          onClose={() => setToken(undefined)}
        />
      )}
    </>
  )
}

export function OAuthSettings() {
  const { id } = useTenant()
  return (
    <Page title="OpenID Connect" about="How this tenant signs users in for applications.">
      <Query of={useOperation('getOAuthSettings', { params: { id } })} what="settings">
        {(settings) => (
          <>
            <ForApplications settings={settings} />
            <Section title="Settings">
              <OperationForm
                operation="putOAuthSettings"
                params={{ id }}
                record={settings}
                fields={fields}
                submit="Save"
                done="The settings are saved."
              />
            </Section>
          </>
        )}
      </Query>
      <RegistrationToken tenantId={id} />
    </Page>
  )
}
