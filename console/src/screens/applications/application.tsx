import { type Application as ApplicationRecord, discoveryPath } from '@bailiwick/contract'
import { Suspense, useState } from 'react'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { DeleteSection } from '../../actions/delete-section.tsx'
import { useOperation } from '../../api/use-operation.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Table } from '../../lists/table.tsx'
import { lazyPart } from '../../parts/not-loaded.tsx'
import { Facts, Page, Section, usePathParam } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { useMay } from '../../session/rights.ts'
import { useTenant } from '../../session/tenant.tsx'
import { Copyable } from '../../values/copy.tsx'
import { Time } from '../../values/time.tsx'
import { applicationFields, typeNames } from './application-fields.tsx'

const Endpoints = lazyPart(async () => (await import('./endpoints.tsx')).Endpoints)
const SecretOnce = lazyPart(async () => (await import('../webhooks/secret-once.tsx')).SecretOnce)
const GrantTable = lazyPart(async () => (await import('../grants/grant-table.tsx')).GrantTable)

export function Application() {
  const id = usePathParam()
  return (
    <Query of={useOperation('getApplication', { params: { id } })} what="application">
      {(application) => <Details key={application.id} application={application} />}
    </Query>
  )
}

function Details({ application }: { readonly application: ApplicationRecord }) {
  const { id: tenantId } = useTenant()
  const { data: settings } = useOperation('getOAuthSettings', { params: { id: tenantId } })
  const issuer = settings?.issuer ?? ''
  const maySeeUsers = useMay('users:read').isAllowed
  const { id, name, type, clientId, createdAt, tokenEndpointAuthMethod } = application
  return (
    <Page title={name} about="Application">
      <Section title="Configuration">
        <Facts
          rows={[
            ['Client ID', <Copyable key="client" text={clientId} />],
            ['Issuer', <Copyable key="issuer" text={issuer} />],
            ['Discovery', <Copyable key="discovery" text={issuer + discoveryPath} />],
            ['Type', typeNames[type]],
            ['Created', <Time key="time" at={createdAt} />],
          ]}
        />
        <Suspense>
          <Endpoints application={application} issuer={issuer} />
        </Suspense>
      </Section>
      {tokenEndpointAuthMethod.startsWith('client_secret') ? <Secrets application={application} /> : null}
      <Section title="Settings">
        <OperationForm
          operation="updateApplication"
          params={{ id }}
          record={application}
          fields={applicationFields(type)}
          submit="Save"
          done="The application is saved."
        />
      </Section>
      {maySeeUsers && type !== 'machine' ? <ApplicationGrants id={id} /> : null}
      <DeleteSection
        operation="deleteApplication"
        input={{ params: { id } }}
        title="Delete this application"
        about="Users can no longer sign in to it."
        label="Delete application"
        name={name}
        list="applications"
      >
        Its secrets, its tokens and the consents of its users are deleted. This cannot be undone.
      </DeleteSection>
    </Page>
  )
}

function Secrets({ application: { id, secrets } }: { readonly application: ApplicationRecord }) {
  const [secret, setSecret] = useState<string>()
  return (
    <Section
      title="Secrets"
      about="Two can work at the same time, so that the application can change to a new one without a break."
    >
      <Table
        label="Secrets"
        rows={secrets}
        keyOf={(each) => each.id}
        columns={[
          { title: 'Ends with', cell: ({ last4 }) => <code>{last4}</code> },
          { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            title: 'Valid until',
            cell: ({ expiresAt }) => (expiresAt === null ? 'Active' : <Time at={expiresAt} />),
          },
          {
            title: 'Actions',
            cell: (each) => (
              <ConfirmAction
                operation="deleteApplicationSecret"
                input={{ params: { id, secretId: each.id } }}
                label="Revoke"
              >
                Requests with the secret that ends with {each.last4} are refused at once.
              </ConfirmAction>
            ),
          },
        ]}
      />
      <div>
        <ConfirmAction
          operation="rotateApplicationSecret"
          input={{ params: { id }, body: {} }}
          label="Create a new secret"
          isDangerous={false}
          onDone={({ clientSecret }) => setSecret(clientSecret ?? '')}
        >
          The present secret works for one more day. Older ones end at once.
        </ConfirmAction>
      </div>
      {secret === undefined ? null : (
        <Suspense>
          <SecretOnce
            title="Copy the client secret"
            about="It is shown only once. Copy it now."
            name="The client secret"
            secret={secret}
            onClose={() => setSecret(undefined)}
          />
        </Suspense>
      )}
    </Section>
  )
}

function ApplicationGrants({ id }: { readonly id: string }) {
  const found = useOperation('listApplicationGrants', { params: { id }, query: { perPage: '20' } })
  return (
    <Section title="Users who use it">
      <Query of={found}>
        {({ data, meta }) => (
          <Suspense>
            <GrantTable grants={data} total={meta.total} of="user" />
          </Suspense>
        )}
      </Query>
    </Section>
  )
}
