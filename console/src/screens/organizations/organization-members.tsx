import type { OrganizationMember } from '@bailiwick/contract'
import { useState } from 'react'
import { ActionButton } from '../../actions/action-button.tsx'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { OperationForm } from '../../form/operation-form.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useOrganizationRoles } from '../../session/role-options.ts'
import { Time } from '../../values/time.tsx'
import { Until } from '../../values/until.tsx'
import { AddingSection } from './adding-section.tsx'
import { Paged } from './paged.tsx'
import { RoleChoice } from './role-choice.tsx'
import { UserField } from './user-field.tsx'

const ends = [
  { name: 'expiresAt', label: 'Membership ends', hint: 'Leave empty for a membership without an end.', isTime: true },
  { name: 'roleExpiresAt', label: 'Role ends', hint: 'The user stays a member without the role.', isTime: true },
] as const

/** The form that changes when a membership and its role end. */
function EndsForm({ member, close }: { readonly member: OrganizationMember; readonly close: () => void }) {
  const { id, expiresAt, roleExpiresAt, user } = member
  return (
    <>
      <h3>{user.name}</h3>
      <OperationForm
        operation="updateOrganizationMember"
        params={{ id }}
        record={{ expiresAt, roleExpiresAt }}
        fields={ends}
        submit="Save"
        done="The end is changed."
        onDone={close}
        onCancel={close}
      />
    </>
  )
}

function Role({ id, organizationId, roleId, role, user, expiresAt, roleExpiresAt }: OrganizationMember) {
  return (
    <>
      <RoleChoice
        operation="updateOrganizationMember"
        organizationId={organizationId}
        id={id}
        roleId={roleId}
        roleName={role?.name}
        of={user.name}
      />
      <Until what="Role" at={roleExpiresAt} />
      <Until what="Member" at={expiresAt} />
    </>
  )
}

function Actions({ member, change }: { readonly member: OrganizationMember; readonly change: () => void }) {
  const right = useMayCall('updateOrganizationMember')
  return (
    <>
      <ActionButton right={right} onClick={change}>
        Change end
      </ActionButton>
      <ConfirmAction operation="deleteOrganizationMember" input={{ params: { id: member.id } }} label="Remove">
        {member.user.name} leaves the organization and stays a user of the tenant.
      </ConfirmAction>
    </>
  )
}

export function OrganizationMembers({ organizationId }: { readonly organizationId: string }) {
  const mayFind = useMayCall('listUsers').isAllowed
  const roles = useOrganizationRoles(organizationId)
  const [changed, setChanged] = useState<OrganizationMember>()
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
            mayFind
              ? { name: 'userId', render: (control) => <UserField control={control} /> }
              : { name: 'userId', label: 'User ID', hint: 'To add a new user, send an invitation.' },
            { name: 'roleId', label: 'Role', options: roles },
            ...ends,
          ]}
          submit="Add member"
          done="The member is added."
          onDone={close}
          onCancel={close}
        />
      )}
    >
      {changed === undefined ? null : (
        <EndsForm key={changed.id} member={changed} close={() => setChanged(undefined)} />
      )}
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
            cell: Role,
          },
          { title: 'Joined', cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            title: 'Actions',
            cell: (member) => <Actions member={member} change={() => setChanged(member)} />,
          },
        ]}
      />
    </AddingSection>
  )
}
