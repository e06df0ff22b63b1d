import type { OrganizationInvitation } from '@bailiwick/contract'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { OperationForm } from '../../form/operation-form.tsx'
import { useOrganizationRoles } from '../../session/role-options.ts'
import { Badge } from '../../values/badge.tsx'
import { Time } from '../../values/time.tsx'
import { AddingSection } from './adding-section.tsx'
import { Paged } from './paged.tsx'
import { RoleChoice } from './role-choice.tsx'

function State({ acceptedAt, declinedAt }: OrganizationInvitation) {
  if (acceptedAt !== null) return <Badge tone="good">accepted</Badge>
  return declinedAt === null ? <Badge>open</Badge> : <Badge tone="bad">declined</Badge>
}

/** The role of an open invitation can still be changed. */
function Role({ id, organizationId, email, roleId, role, ...invitation }: OrganizationInvitation) {
  if (!isOpen(invitation)) return role?.name ?? <span className="quiet">none</span>
  return (
    <RoleChoice
      operation="updateOrganizationInvitation"
      organizationId={organizationId}
      id={id}
      roleId={roleId}
      roleName={role?.name}
      of={email ?? 'the invitation'}
    />
  )
}

const isOpen = ({ acceptedAt, declinedAt }: Pick<OrganizationInvitation, 'acceptedAt' | 'declinedAt'>) =>
  acceptedAt === null && declinedAt === null

export function OrganizationInvitations({ organizationId }: { readonly organizationId: string }) {
  const roles = useOrganizationRoles(organizationId)
  return (
    <AddingSection
      title="Invitations"
      operation="createOrganizationInvitation"
      label="Invite a user"
      form={(close) => (
        <OperationForm
          operation="createOrganizationInvitation"
          start={{ organizationId }}
          fields={[
            { name: 'email', label: 'E-mail address', hint: 'The invitation is sent there at once.' },
            { name: 'roleId', label: 'Role', options: roles },
            {
              name: 'membershipLifetime',
              label: 'Membership lasts',
              hint: 'From joining on. Leave empty for a membership without an end.',
              isSeconds: true,
            },
          ]}
          submit="Send invitation"
          done="The invitation is sent."
          onDone={close}
          onCancel={close}
        />
      )}
    >
      <Paged
        operation="listOrganizationInvitations"
        input={{ params: { organizationId } }}
        label="Invitations"
        keyOf={({ id }) => id}
        empty="There are no invitations yet."
        columns={[
          { title: 'E-mail', cell: ({ email }) => email },
          { title: 'Role', cell: Role },
          { title: 'State', cell: State },
          { title: 'Sent', cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            title: 'Actions',
            cell: ({ id, email }) => (
              <ConfirmAction
                operation="deleteOrganizationInvitation"
                input={{ params: { id } }}
                label="Revoke invitation"
              >
                The link that {email} was sent stops working.
              </ConfirmAction>
            ),
          },
        ]}
      />
    </AddingSection>
  )
}
