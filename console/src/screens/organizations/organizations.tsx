import { ActionLink } from '../../actions/action-button.tsx'
import { RecordList } from '../../lists/record-list.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { locale } from '../../texts/translate.ts'
import { Time } from '../../values/time.tsx'

export function Organizations() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const create = (
    <ActionLink right={useMayCall('createOrganization')} to={path('organizations/new')} isPrimary>
      Create an organization
    </ActionLink>
  )
  return (
    <Page
      title="Organizations"
      about="Groups of users: teams, companies, schools. A user can be in several."
      actions={create}
    >
      <RecordList
        operation="listOrganizations"
        input={{ params: { tenantId } }}
        label="Organizations"
        search="Search by name or slug"
        filters={[
          { name: 'createdAfter', label: 'Created after', type: 'date' },
          { name: 'createdBefore', label: 'Created before', type: 'date' },
        ]}
        keyOf={({ id }) => id}
        to={({ id }) => path(`organizations/${id}`)}
        columns={[
          { title: 'Name', cell: ({ name }) => name },
          { title: 'Slug', cell: ({ slug }) => <code>{slug}</code> },
          { title: 'Members', cell: ({ _count }) => _count.members.toLocaleString(locale) },
          { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
        empty={
          <Empty title="There are no organizations yet" action={create}>
            Users create their own on the hosted pages, if the sign-in rules allow that, or you create them here.
          </Empty>
        }
      />
    </Page>
  )
}
