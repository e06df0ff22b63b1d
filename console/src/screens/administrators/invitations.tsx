import { useState } from 'react'
import { ActionButton, ActionLink } from '../../actions/action-button.tsx'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import type { RowOf } from '../../api/operations.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { RecordList } from '../../lists/record-list.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { Time } from '../../values/time.tsx'
import { Until } from '../../values/until.tsx'
import { endField, flagFields, withAllFlags } from './flag-fields.ts'
import { rightsColumn } from './rights-column.tsx'
import { RightsDialog } from './rights-dialog.tsx'

type Invitation = RowOf<'listTenantInvitations'>

function Invited({ invitation: { email, createdAt, expiresAt } }: { readonly invitation: Invitation }) {
  return (
    <span className="stack">
      <strong>{email}</strong>
      <span className="quiet">
        invited <Time at={createdAt} /> <Until what="Administrator" at={expiresAt} />
      </span>
    </span>
  )
}

interface RightsProps {
  readonly invitation: Invitation
  readonly onClose: () => void
}

function InvitationRights({ invitation, onClose }: RightsProps) {
  return (
    <RightsDialog title={`Rights for ${invitation.email}`} onClose={onClose}>
      <OperationForm
        operation="updateTenantInvitation"
        params={{ id: invitation.id }}
        record={invitation}
        fields={[...flagFields, endField]}
        toBody={(body) => withAllFlags(invitation, body)}
        submit="Save rights"
        done="The invitation is changed."
        onDone={onClose}
        onCancel={onClose}
      />
    </RightsDialog>
  )
}

export function Invitations() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const right = useMayCall('updateTenantInvitation')
  const [changed, setChanged] = useState<Invitation>()
  const invite = (
    <ActionLink right={useMayCall('inviteTenantMember')} to={path('administrators/invite')} isPrimary>
      Invite an administrator
    </ActionLink>
  )
  return (
    <Page title="Open invitations" about="Invitations that were not accepted yet." actions={invite}>
      <RecordList
        operation="listTenantInvitations"
        input={{ params: { tenantId } }}
        label="Open invitations and their rights"
        keyOf={({ id }) => id}
        columns={[
          { title: 'E-mail address', cell: (invitation) => <Invited invitation={invitation} /> },
          rightsColumn,
          {
            title: 'Actions',
            cell: (invitation) => (
              <span className="actions">
                <ActionButton right={right} onClick={() => setChanged(invitation)}>
                  Rights
                </ActionButton>
                <ConfirmAction
                  operation="deleteTenantInvitation"
                  input={{ params: { id: invitation.id } }}
                  label="Revoke invitation"
                >
                  The link that {invitation.email} was sent stops working.
                </ConfirmAction>
              </span>
            ),
          },
        ]}
        empty={<Empty title="There are no open invitations" action={invite} />}
      />
      {changed === undefined ? null : <InvitationRights invitation={changed} onClose={() => setChanged(undefined)} />}
    </Page>
  )
}
