import type { OrganizationInvitation } from '@bailiwick/contract'
import { useState } from 'react'
import { ActionButton } from '../../actions/action-button.tsx'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { OperationForm } from '../../form/operation-form.tsx'
import { Section } from '../../parts/page.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useRoleOptions } from '../../session/role-options.ts'
import { Badge } from '../../values/badge.tsx'
import { Time } from '../../values/time.tsx'
import { Paged } from './paged.tsx'
import { RoleChoice } from './role-choice.tsx'

function State({ acceptedAt, declinedAt }: OrganizationInvitation) {
  if (acceptedAt !== null) return <Badge tone="good">accepted</Badge>
  return declinedAt === null ? <Badge>open</Badge> : <Badge tone="bad">declined</Badge>
}

const isOpen = ({ acceptedAt, declinedAt }: OrganizationInvitation) => acceptedAt === null && declinedAt === null

export function OrganizationInvitations({ organizationId }: { readonly organizationId: string }) {
  const [isInviting, setInviting] = useState(false)
  const roles = useRoleOptions()
  const right = useMayCall('createOrganizationInvitation')
  return (
    <Section
      title="Invitations"
      actions={
        <ActionButton right={right} onClick={() => setInviting(true)}>
          Invite a user
        </ActionButton>
      }
    >
      {isInviting ? (
        <OperationForm
          operation="createOrganizationInvitation"
          start={{ organizationId }}
          fields={[
            { name: 'email', label: 'E-mail address', hint: 'The invitation is sent there at once.' },
            { name: 'roleId', label: 'Role', options: roles },
          ]}
          submit="Send invitation"
          done="The invitation is sent."
          onDone={() => setInviting(false)}
          onCancel={() => setInviting(false)}
        />
      ) : null}
      <Paged
        operation="listOrganizationInvitations"
        input={{ params: { organizationId } }}
        label="Invitations"
        keyOf={({ id }) => id}
        empty="There are no invitations yet."
        columns={[
          { title: 'E-mail', cell: ({ email }) => email },
          {
            title: 'Role',
            cell: (invitation) =>
              isOpen(invitation) ? (
                <RoleChoice
                  operation="updateOrganizationInvitation"
                  id={invitation.id}
                  roleId={invitation.roleId}
                  roleName={invitation.role?.name}
                  of={invitation.email ?? 'the invitation'}
                />
              ) : (
                (invitation.role?.name ?? <span className="quiet">none</span>)
              ),
          },
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
    </Section>
  )
}
