import { useState } from 'react'
import { useOperation } from '../../api/use-operation.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { Facts, Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Time } from '../../parts/time.tsx'
import { useTenant } from '../../session/tenant.tsx'
import { SecretOnce } from '../webhooks/secret-once.tsx'

export function OAuthSettings() {
  const { id } = useTenant()
  const [token, setToken] = useState<string>()
  return (
    <Page title="OpenID Connect" about="How this tenant signs users in for applications.">
      <Query of={useOperation('getOAuthSettings', { params: { id } })} what="settings">
        {(settings) => (
          <>
            <Section title="For applications">
              <Facts
                rows={[
                  ['Issuer', <Copyable key="issuer" text={settings.issuer} />],
                  [
                    'Discovery',
                    <Copyable key="discovery" text={`${settings.issuer}/.well-known/openid-configuration`} />,
                  ],
                  ...(settings.previousIssuerUntil === null
                    ? []
                    : ([
                        ['The issuer before works until', <Time key="until" at={settings.previousIssuerUntil} />],
                      ] as const)),
                ]}
              />
            </Section>
            <Section title="Settings">
              <OperationForm
                operation="putOAuthSettings"
                params={{ id }}
                record={settings}
                fields={[
                  { name: 'issuerDomain', label: 'Domain of the issuer' },
                  { name: 'accessTokenTtl', label: 'Access tokens last (seconds)' },
                  { name: 'refreshTokenTtl', label: 'Refresh tokens last (seconds)' },
                  { name: 'idTokenTtl', label: 'ID tokens last (seconds)' },
                  { name: 'metadataDocumentsEnabled', label: 'Clients may describe themselves by a document' },
                  { name: 'registrationEnabled', label: 'Clients may register themselves' },
                ]}
                submit="Save"
                done="The settings are saved."
              />
            </Section>
          </>
        )}
      </Query>
      <Section title="Token for registering" about="Clients that register themselves show it. The one before it ends.">
        <OperationForm
          operation="createRegistrationToken"
          params={{ id }}
          fields={[{ name: 'ttlSeconds', label: 'Works for (seconds)' }]}
          submit="Make a token"
          onDone={(answer) => setToken(answer.token)}
        />
      </Section>
      {token === undefined ? null : (
        <SecretOnce
          title="Copy the token"
          about="It is told here alone: nobody can read it again."
          name="The token"
          secret={token}
          onClose={() => setToken(undefined)}
        />
      )}
    </Page>
  )
}
