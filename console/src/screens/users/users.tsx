import type { User } from '@bailiwick/contract'
import { ActionLink } from '../../actions/action-button.tsx'
import { RecordList } from '../../lists/record-list.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { UserMarks } from '../../values/badge.tsx'
import { EmailText } from '../../values/email-text.tsx'
import { Time } from '../../values/time.tsx'
import { Until } from '../../values/until.tsx'
import { primaryEmail, userName } from '../../values/user-name.ts'
import { useAttributeKinds } from './attribute-kinds.ts'
import { useRoleOptions } from './role-options.ts'

const statuses = ['active', 'inactive', 'suspended'].map((value) => ({ value, label: value }))

const signedUp = [
  { value: 'false', label: 'yes' },
  { value: 'true', label: 'no, anonymous' },
]

function emailCell(user: User) {
  const { email } = primaryEmail(user) ?? {}
  return email === undefined ? <span className="quiet">none</span> : <EmailText of={email} />
}

export function Users() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const roles = useRoleOptions()
  const kinds = useAttributeKinds()
  const create = (
    <ActionLink right={useMayCall('createUser')} to={path('users/new')} isPrimary>
      Create a user
    </ActionLink>
  )
  const actions = (
    <>
      <ActionLink right={useMayCall('exportUsers')} to={path('users/transfer')}>
        Import and export
      </ActionLink>
      {create}
    </>
  )
  return (
    <Page title="Users" actions={actions}>
      <RecordList
        operation="listUsers"
        input={{ query: { tenantId } }}
        label="Users"
        search="Search by name, e-mail, phone or ID"
        filters={[
          { name: 'status', label: 'Status', options: statuses },
          ...(roles === undefined ? [] : [{ name: 'roleId', label: 'Role', options: roles }]),
          { name: 'isAnonymous', label: 'Signed up', options: signedUp },
          ...(kinds.length === 0 ? [] : [{ name: 'attribute', label: 'Attribute', kinds }]),
        ]}
        keyOf={({ id }) => id}
        to={({ id }) => path(`users/${id}`)}
        columns={[
          { title: 'Name', cell: (user) => <EmailText of={userName(user)} /> },
          { title: 'E-mail', cell: emailCell },
          {
            title: 'Status',
            cell: (user) => (
              <>
                <UserMarks user={user} /> <Until what="Role" at={user.roleExpiresAt} />
              </>
            ),
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
