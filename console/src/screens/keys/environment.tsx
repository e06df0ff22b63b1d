import { useState } from 'react'
import { ChangeAction } from '../../actions/change-action.tsx'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { call } from '../../api/client.ts'
import { useOperation } from '../../api/use-operation.ts'
import { Table } from '../../lists/table.tsx'
import { Facts, Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { toast } from '../../parts/toasts.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant } from '../../session/tenant.tsx'
import { CopyButton, CopySecret, Copyable } from '../../values/copy.tsx'
import { Time } from '../../values/time.tsx'
import { SecretOnce } from '../webhooks/secret-once.tsx'

type Env = Readonly<Record<string, string>>
const asFile = (env: Env) =>
  Object.entries(env)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}\n`)
    .join('')

function Variables({ tenantId }: { readonly tenantId: string }) {
  const { isAllowed: maySeeSecret } = useMayCall('rotateTenantSecretKey')
  const env = useOperation('getTenantEnv', { params: { id: tenantId }, query: { scope: 'public' } })
  const copyWhole = async () => {
    await navigator.clipboard.writeText(asFile((await call('getTenantEnv', { params: { id: tenantId } })) as Env))
    toast('The .env file is copied, with the secret key.')
  }
  return (
    <Section
      title="Environment variables"
      actions={
        maySeeSecret ? (
          <button type="button" className="button" onClick={() => void copyWhole()}>
            Copy all as .env
          </button>
        ) : null
      }
    >
      <Query of={env}>
        {(found) => (
          <>
            <Facts
              rows={Object.entries(found as Env).map(([name, value]) => [
                name,
                <Copyable key={name} name={name} text={value} />,
              ])}
            />
            {maySeeSecret ? null : (
              <div className="actions">
                <CopyButton text={asFile(found as Env)} label="Copy all as .env" />
              </div>
            )}
          </>
        )}
      </Query>
    </Section>
  )
}

interface ReplaceKeyProps {
  readonly tenantId: string
  readonly onReplaced: (secretKey: string | undefined) => void
}

/** Two ways to replace the secret key: the old one works for another day, or ends at once. */
function ReplaceKey({ tenantId, onReplaced }: ReplaceKeyProps) {
  const params = { id: tenantId }
  return (
    <div className="actions">
      <ConfirmAction
        operation="rotateTenantSecretKey"
        input={{ params, query: { reveal: 'true' } }}
        label="Replace the secret key"
        onDone={({ secretKey }) => {
          onReplaced(secretKey)
          toast('There is a new secret key. The old one works for 24 hours.')
        }}
      >
        The old key works for another 24 hours, so that you can put the new one on your servers.
      </ConfirmAction>
      <ConfirmAction
        operation="rotateTenantSecretKey"
        input={{ params, query: { graceSeconds: '0', reveal: 'true' } }}
        label="Replace it at once"
        onDone={({ secretKey }) => {
          onReplaced(secretKey)
          toast('There is a new secret key. The old one is refused.')
        }}
      >
        The old key is refused at once: what uses it stops working until it has the new one. This is for a key that
        others may have.
      </ConfirmAction>
    </div>
  )
}

function SecretKey({ tenantId }: { readonly tenantId: string }) {
  const mayRotate = useMayCall('rotateTenantSecretKey')
  const [newKey, setNewKey] = useState<string>()
  const readSecret = async () => {
    const env = (await call('getTenantEnv', { params: { id: tenantId }, query: { scope: 'secret' } })) as Env
    return env['BAILIWICK_SECRET_KEY'] ?? ''
  }
  return (
    <Section
      title="Secret key"
      about="It can do everything in this tenant. Keep it on servers, never in a browser or an app."
    >
      {mayRotate.isAllowed ? (
        <>
          <CopySecret name="The secret key" read={readSecret} />
          <ReplaceKey tenantId={tenantId} onReplaced={setNewKey} />
        </>
      ) : (
        <p className="quiet">{mayRotate.reason}</p>
      )}
      {newKey === undefined ? null : (
        <SecretOnce
          title="Copy the new secret key"
          about="Copy it now, and give it to your servers."
          name="The secret key"
          secret={newKey}
          onClose={() => setNewKey(undefined)}
        />
      )}
    </Section>
  )
}

export function Environment() {
  const { id } = useTenant()
  return (
    <Page title="Keys and environment" about="What your application needs to talk to this tenant.">
      <Variables tenantId={id} />
      <SecretKey tenantId={id} />
      <SigningKeys tenantId={id} />
    </Page>
  )
}

function SigningKeys({ tenantId }: { readonly tenantId: string }) {
  return (
    <Section
      title="Signing keys"
      about="They sign the tokens of users. Servers fetch them from the address of the key set."
      actions={
        <ChangeAction
          operation="rotateJwkCertificates"
          input={{ body: { tenantId } }}
          done="New tokens are signed by a new key."
        >
          Create a new key
        </ChangeAction>
      }
    >
      <Query of={useOperation('listJwkCertificates', { query: { tenantId } })}>
        {(keys) => (
          <Table
            label="Signing keys"
            rows={keys}
            keyOf={({ id }) => id}
            columns={[
              { title: 'Key', cell: ({ id }) => <code>{id}</code> },
              { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
              { title: 'Public key', cell: (key) => <CopyButton text={key.public} label="Copy PEM" /> },
              {
                title: 'Leaked',
                cell: (key) => (
                  <ConfirmAction
                    operation="withdrawJwkCertificate"
                    input={{ params: { id: key.id }, body: { tenantId } }}
                    label="Withdraw"
                    onDone={() => toast('The key is withdrawn. What it has signed is refused.')}
                  >
                    For a key that others may have. It is no longer published, and every token that it has signed is
                    refused at once: session JWTs, ID tokens as hints and JWT access tokens, whoever holds them. Users
                    stay signed in, and apps get new tokens. If it is the newest key, a new one signs from now on.
                    Servers that verify tokens themselves believe the old key until they fetch the keys again, which can
                    take ten minutes.
                  </ConfirmAction>
                ),
              },
            ]}
          />
        )}
      </Query>
    </Section>
  )
}
