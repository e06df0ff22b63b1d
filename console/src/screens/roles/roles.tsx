import { ActionLink } from '../../actions/action-button.tsx'
import { RecordList } from '../../lists/record-list.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { locale } from '../../texts/translate.ts'
import { Time } from '../../values/time.tsx'

const shownMax = 3

function Permissions({ of }: { readonly of: readonly string[] }) {
  if (of.length === 0) return <span className="quiet">none</span>
  const rest = of.length - shownMax
  return (
    <span className="codes">
      {of.slice(0, shownMax).map((permission) => (
        <code key={permission}>{permission}</code>
      ))}
      {rest > 0 ? <span className="quiet">and {rest} more</span> : null}
    </span>
  )
}

export function Roles() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const create = (
    <ActionLink right={useMayCall('createRole')} to={path('roles/new')} isPrimary>
      Create a role
    </ActionLink>
  )
  return (
    <Page
      title="Roles"
      about="Permissions under a name, for users in the tenant and for members of organizations."
      actions={create}
    >
      <RecordList
        operation="listRoles"
        input={{ params: { tenantId } }}
        label="Roles"
        keyOf={({ id }) => id}
        to={({ id }) => path(`roles/${id}`)}
        columns={[
          { title: 'Name', cell: ({ name }) => name },
          { title: 'Permissions', cell: ({ permissions }) => <Permissions of={permissions} /> },
          { title: 'Users', cell: ({ _count }) => _count.users.toLocaleString(locale) },
          { title: 'Members', cell: ({ _count }) => _count.members.toLocaleString(locale) },
          { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
        empty={
          <Empty title="There are no roles yet" action={create}>
            Your application reads the permissions of a user's role from the token.
          </Empty>
        }
      />
    </Page>
  )
}
