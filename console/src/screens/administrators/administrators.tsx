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
import { Until } from '../../values/until.tsx'
import { personName } from '../../values/user-name.ts'
import { endField, flagFields, withAllFlags } from './flag-fields.ts'
import { rightsColumn } from './rights-column.tsx'
import { RightsDialog } from './rights-dialog.tsx'

type Member = RowOf<'listTenantMembers'>

const nameOf = ({ user, userId }: Member) => personName(user, userId)

function MemberRights({ member, onClose }: { readonly member: Member; readonly onClose: () => void }) {
  return (
    <RightsDialog title={`Rights of ${nameOf(member)}`} onClose={onClose}>
      <OperationForm
        operation="updateTenantMember"
        params={{ id: member.id }}
        record={member}
        fields={[...flagFields, endField]}
        toBody={(body) => withAllFlags(member, body)}
        submit="Save rights"
        done="The rights are changed, and apply from the next request."
        onDone={onClose}
        onCancel={onClose}
      />
    </RightsDialog>
  )
}

function Remove({ member }: { readonly member: Member }) {
  return (
    <ConfirmAction operation="deleteTenantMember" input={{ params: { id: member.id } }} label="Remove">
      {nameOf(member)} loses all rights in this tenant at once, and keeps the account at the console.
    </ConfirmAction>
  )
}

function Name({ member }: { readonly member: Member }) {
  return (
    <span className="stack">
      <strong>{nameOf(member)}</strong>
      <span className="quiet">{member.user.emailAddresses[0]?.email}</span>
      <span>
        <Until what="Administrator" at={member.expiresAt} />
      </span>
    </span>
  )
}

export function Administrators() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const right = useMayCall('updateTenantMember')
  const [changed, setChanged] = useState<Member>()
  const invite = (
    <ActionLink right={useMayCall('inviteTenantMember')} to={path('administrators/invite')} isPrimary>
      Invite an administrator
    </ActionLink>
  )
  const actions = (
    <>
      <ActionLink right={useMayCall('listTenantInvitations')} to={path('administrators/invitations')}>
        Open invitations
      </ActionLink>
      <ActionLink right={useMayCall('createTenantMember')} to={path('administrators/new')}>
        Add without invitation
      </ActionLink>
      {invite}
    </>
  )
  return (
    <Page title="Administrators" about="Administrators of this tenant, and their rights." actions={actions}>
      <RecordList
        operation="listTenantMembers"
        input={{ params: { tenantId } }}
        label="Administrators and their rights"
        keyOf={({ id }) => id}
        columns={[
          { title: 'Administrator', cell: (member) => <Name member={member} /> },
          rightsColumn,
          {
            title: 'Actions',
            cell: (member) => (
              <span className="actions">
                <ActionButton right={right} onClick={() => setChanged(member)}>
                  Rights
                </ActionButton>
                <Remove member={member} />
              </span>
            ),
          },
        ]}
        empty={
          <Empty title="There are no administrators yet" action={invite}>
            Until there is one, the operator of the deployment manages this tenant.
          </Empty>
        }
      />
      {changed === undefined ? null : <MemberRights member={changed} onClose={() => setChanged(undefined)} />}
    </Page>
  )
}
