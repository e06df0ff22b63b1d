import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { RecordList } from '../../lists/record-list.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { useTenant } from '../../session/tenant.tsx'
import { Time } from '../../values/time.tsx'
import { personName } from '../../values/user-name.ts'

export function Sessions() {
  const { id: tenantId } = useTenant()
  return (
    <Page title="Sessions" about="Who is signed in now, and with what.">
      <RecordList
        operation="listTenantSessions"
        input={{ params: { tenantId } }}
        label="Sessions"
        keyOf={({ id }) => id}
        filters={[
          { name: 'userId', label: 'User ID' },
          { name: 'createdAfter', label: 'After', type: 'date' },
          { name: 'createdBefore', label: 'Before', type: 'date' },
        ]}
        columns={[
          { title: 'User', cell: ({ user, userId }) => <strong>{personName(user, userId)}</strong> },
          {
            title: 'With',
            cell: ({ browser, os }) => (
              <span className="whole">{[browser, os].filter((each) => each !== null).join(', ')}</span>
            ),
          },
          { title: 'From', cell: ({ ip }) => (ip === null ? '' : <span className="whole">{ip}</span>) },
          { title: 'Last active', cell: ({ lastActiveAt }) => <Time at={lastActiveAt} /> },
          {
            title: 'Actions',
            cell: ({ id }) => (
              <ConfirmAction operation="deleteSession" input={{ params: { id } }} label="Sign out">
                The user has to sign in again there.
              </ConfirmAction>
            ),
          },
        ]}
        empty={<Empty title="No user is signed in">Each session appears here until it ends.</Empty>}
      />
    </Page>
  )
}
