import { useState } from 'react'
import { ActionButton } from '../../actions/action-button.tsx'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { OperationForm } from '../../form/operation-form.tsx'
import { Section } from '../../parts/page.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useRoleOptions } from '../../session/role-options.ts'
import { Time } from '../../values/time.tsx'
import { Paged } from './paged.tsx'
import { RoleChoice } from './role-choice.tsx'

export function OrganizationMembers({ organizationId }: { readonly organizationId: string }) {
  const [isAdding, setAdding] = useState(false)
  const roles = useRoleOptions()
  const right = useMayCall('createOrganizationMember')
  return (
    <Section
      title="Members"
      actions={
        <ActionButton right={right} onClick={() => setAdding(true)}>
          Add a member
        </ActionButton>
      }
    >
      {isAdding ? (
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
          onDone={() => setAdding(false)}
          onCancel={() => setAdding(false)}
        />
      ) : null}
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
    </Section>
  )
}
