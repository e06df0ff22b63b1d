import { Badge } from '../../parts/badge.tsx'
import { ActionLink } from '../../parts/action-button.tsx'
import { Page } from '../../parts/page.tsx'
import { RecordList } from '../../parts/record-list.tsx'
import { Empty } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'

const statuses = ['active', 'inactive', 'suspended'].map((value) => ({ value, label: value }))

export function Users() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const create = (
    <ActionLink right={useMayCall('createUser')} to={path('users/new')} isPrimary>
      Create a user
    </ActionLink>
  )
  return (
    <Page title="Users" actions={create}>
      <RecordList
        operation="listUsers"
        input={{ query: { tenantId } }}
        label="Users"
        search="Search by name, e-mail, phone or id"
        filters={[{ name: 'status', label: 'Status', options: statuses }]}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Name', cell: (user) => user.name ?? user.username ?? user.emailAddresses[0]?.email ?? user.id },
          { title: 'E-mail', cell: ({ emailAddresses }) => emailAddresses[0]?.email ?? '' },
          {
            title: 'Status',
            cell: ({ status }) => <Badge tone={status === 'active' ? 'good' : 'warning'}>{status}</Badge>,
          },
          { title: 'Last sign-in', cell: ({ lastSignInAt }) => <Time at={lastSignInAt} /> },
          { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
        empty={
          <Empty title="There are no users yet" action={create}>
            They appear here as they sign up, or you create and import them.
          </Empty>
        }
      />
    </Page>
  )
}
