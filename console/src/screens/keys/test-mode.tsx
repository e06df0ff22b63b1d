// Test mode of a development tenant: fixed codes, the clock, and the messages that were caught.
import { ChangeAction } from '../../actions/change-action.tsx'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { useOperation } from '../../api/use-operation.ts'
import { RecordList } from '../../lists/record-list.tsx'
import { Facts, Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Empty } from '../../parts/states.tsx'
import { useMay } from '../../session/rights.ts'
import { useTenant } from '../../session/tenant.tsx'
import { Copyable } from '../../values/copy.tsx'
import { ExactTime, Time } from '../../values/time.tsx'

const hour = 60 * 60
const steps = [
  ['One hour ahead', hour],
  ['One day ahead', 24 * hour],
  ['30 days ahead', 30 * 24 * hour],
] as const

function Clock({ tenantId }: { readonly tenantId: string }) {
  const params = { id: tenantId }
  return (
    <Section
      title="Clock"
      about="What expires in this tenant goes by this clock: sessions, codes, invitations, tokens, lock-outs and limits. Records keep the real time at which they are created."
    >
      <Query of={useOperation('getTenantClock', { params })}>
        {({ now, aheadSeconds }) => (
          <>
            <Facts rows={[['Time of the tenant', <ExactTime key="now" at={now} />]]} />
            <div className="actions">
              {steps.map(([label, seconds]) => (
                <ChangeAction
                  key={label}
                  operation="putTenantClock"
                  input={{ params, body: { aheadSeconds: aheadSeconds + seconds } }}
                  done="The clock is moved ahead."
                >
                  {label}
                </ChangeAction>
              ))}
              {aheadSeconds === 0 ? null : (
                <ConfirmAction
                  operation="resetTenantClock"
                  input={{ params }}
                  label="Reset the clock"
                  isDangerous={false}
                  done="The tenant has the real time again."
                >
                  The tenant gets the real time again. Sessions and codes that began in its future keep their end, so
                  they last that much longer.
                </ConfirmAction>
              )}
            </div>
          </>
        )}
      </Query>
    </Section>
  )
}

function Inbox({ tenantId }: { readonly tenantId: string }) {
  return (
    <Section
      title="Inbox"
      about="Messages of the last 24 hours that were caught: those to test addresses, and those without another channel."
    >
      <RecordList
        operation="listInboxMessages"
        input={{ params: { id: tenantId } }}
        label="Inbox"
        keyOf={({ id }) => id}
        filters={[{ name: 'to', label: 'Address or number' }]}
        columns={[
          { title: 'To', cell: ({ to }) => to },
          { title: 'Subject', cell: ({ subject, purpose }) => subject ?? purpose },
          { title: 'Code', cell: ({ code }) => (code === null ? '' : <Copyable name="The code" text={code} />) },
          { title: 'Link', cell: ({ link }) => (link === null ? '' : <Copyable name="The link" text={link} />) },
          { title: 'Sent', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
        empty={<Empty title="Nothing has been caught" />}
      />
    </Section>
  )
}

export function TestMode() {
  const { id, environment } = useTenant()
  const mayReadInbox = useMay('users:write').isAllowed
  const isAvailable = environment === 'development'
  return (
    <Page
      title="Test mode"
      about="For the tests of your app: fixed codes, caught messages, and a clock that can be moved."
    >
      {isAvailable ? (
        <>
          <Section
            title="Test addresses"
            about="Nothing is sent to these addresses, and everybody can prove them with this code. Do not give their users rights that matter."
          >
            <Facts
              rows={[
                ['E-mail', 'Addresses with +test, such as ada+test@example.com'],
                ['Phone', '+1 … 555-0100 to 555-0199, such as +1 202 555 0123'],
                ['Code', <Copyable key="code" name="The code" text="424242" />],
              ]}
            />
          </Section>
          <Clock tenantId={id} />
          {mayReadInbox ? <Inbox tenantId={id} /> : null}
        </>
      ) : (
        <Empty title="This tenant has no test mode">
          Only tenants that were created with the environment “development” have it.
        </Empty>
      )}
    </Page>
  )
}
