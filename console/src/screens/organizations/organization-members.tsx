import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { OperationForm } from '../../form/operation-form.tsx'
import { useRoleOptions } from '../../session/role-options.ts'
import { Time } from '../../values/time.tsx'
import { AddingSection } from './adding-section.tsx'
import { Paged } from './paged.tsx'
import { RoleChoice } from './role-choice.tsx'

export function OrganizationMembers({ organizationId }: { readonly organizationId: string }) {
  const roles = useRoleOptions()
  return (
    <AddingSection
      title="Members"
      operation="createOrganizationMember"
      label="Add a member"
      form={(close) => (
        <OperationForm
          operation="createOrganizationMember"
          start={{ organizationId }}
          fields={[
            {
              name: 'userId',
              label: 'User ID',
              hint: 'The address of a user of this tenant. To add a new user, send an invitation.',
            },
            { name: 'roleId', label: 'Role', options: roles },
          ]}
          submit="Add member"
          done="The member is added."
          onDone={close}
          onCancel={close}
        />
      )}
    >
      <Paged
        operation="listOrganizationMembers"
        input={{ params: { organizationId } }}
        label="Members"
        keyOf={({ id }) => id}
        empty="There are no members yet."
        columns={[
          { title: 'Name', cell: ({ user }) => user.name },
          {
            title: 'Role',
            cell: ({ id, roleId, role, user }) => (
              <RoleChoice
                operation="updateOrganizationMember"
                id={id}
                roleId={roleId}
                roleName={role?.name}
                of={user.name}
              />
            ),
          },
          { title: 'Joined', cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            title: 'Actions',
            cell: ({ id, user }) => (
              <ConfirmAction operation="deleteOrganizationMember" input={{ params: { id } }} label="Remove">
                {user.name} leaves the organization and stays a user of the tenant.
              </ConfirmAction>
            ),
          },
        ]}
      />
    </AddingSection>
  )
}
