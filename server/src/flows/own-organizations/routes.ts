import { frontendEndpoints } from '@bailiwick/contract'
import { pageOfWhole } from '../../platform/http/lists/list-answer.ts'
import type { Frontend } from '../frontend/frontend-steps.ts'
import * as fellows from './fellow-members.ts'
import * as organizations from './own-organizations.ts'
import { switchOrganization } from './own-organizations.ts'
import * as invitations from './sent-invitations.ts'

export function ownOrganizationRoutes(frontend: Frontend) {
  const { deps, handle } = frontend
  handle(frontendEndpoints.listOwnOrganizations, (call) => organizations.listOwnOrganizations(deps, call, call.query))
  handle(frontendEndpoints.createOwnOrganization, async (call) => ({
    organization: await organizations.createOwnOrganization(deps, call, call.body),
  }))
  handle(frontendEndpoints.getOwnOrganization, (call) => organizations.getOwnOrganization(deps, call, call.params.id))
  handle(frontendEndpoints.listOrganizationRoles, async (call) => {
    const { roles } = await organizations.getOwnOrganization(deps, call, call.params.id)
    return pageOfWhole('roles', { items: roles, order: 'newest first' }, call.query)
  })
  handle(frontendEndpoints.getOwnOrganizationSecurity, async (call) => ({
    security: await organizations.getOwnSecurity(deps, call, call.params.id),
  }))
  handle(frontendEndpoints.updateOwnOrganizationSecurity, async (call) => ({
    security: await organizations.updateOwnSecurity(deps, call, call.params.id, call.body),
  }))
  handle(frontendEndpoints.updateOwnOrganization, async (call) => ({
    organization: await organizations.updateOwnOrganization(deps, call, call.params.id, call.body),
  }))
  handle(frontendEndpoints.deleteOwnOrganization, async (call) => ({
    organization: await organizations.deleteOwnOrganization(deps, call, call.params.id),
  }))
  handle(frontendEndpoints.setActiveOrganization, (call) => switchOrganization(deps, call, call.body.organizationId))
  memberRoutes(frontend)
  invitationRoutes(frontend)
}

function memberRoutes({ deps, handle }: Frontend) {
  handle(frontendEndpoints.listFellowMembers, (call) =>
    fellows.listFellowMembers(deps, call, call.params.id, call.query),
  )
  handle(frontendEndpoints.addFellowMember, async (call) => ({
    member: await fellows.addFellowMember(deps, call, call.params.id, call.body),
  }))
  handle(frontendEndpoints.updateFellowMember, async (call) => {
    const { id, memberId } = call.params
    return { member: await fellows.updateFellowMember(deps, call, id, memberId, call.body) }
  })
  handle(frontendEndpoints.getFellowMember, async (call) => ({
    member: await fellows.getFellowMember(deps, call, call.params.id, call.params.memberId),
  }))
  handle(frontendEndpoints.removeFellowMember, async (call) => ({
    member: await fellows.removeFellowMember(deps, call, call.params.id, call.params.memberId),
  }))
  handle(frontendEndpoints.leaveOrganization, async (call) => ({
    member: await fellows.leaveOrganization(deps, call, call.params.id),
  }))
}

interface ReceivedCall {
  readonly params: { readonly id: string; readonly invitationId: string }
  readonly body: { readonly code?: string }
}
const receivedBy = ({ params, body }: ReceivedCall) => ({ ...params, ...body })

function invitationRoutes({ deps, handle }: Frontend) {
  handle(frontendEndpoints.listReceivedInvitations, (call) =>
    invitations.listReceivedInvitations(deps, call, call.query),
  )
  handle(frontendEndpoints.listSentInvitations, (call) =>
    invitations.listSentInvitations(deps, call, call.params.id, call.query),
  )
  handle(frontendEndpoints.sendInvitation, async (call) => ({
    invitation: await invitations.sendInvitation(deps, call, call.params.id, call.body),
  }))
  handle(frontendEndpoints.getSentInvitation, async (call) => ({
    invitation: await invitations.getSentInvitation(deps, call, call.params.id, call.params.invitationId),
  }))
  handle(frontendEndpoints.updateSentInvitation, async (call) => {
    const { id, invitationId } = call.params
    return { invitation: await invitations.updateSentInvitation(deps, call, id, invitationId, call.body) }
  })
  handle(frontendEndpoints.acceptReceivedInvitation, async (call) => {
    const { organization } = await invitations.acceptReceivedInvitation(deps, call, receivedBy(call))
    return { organization }
  })
  handle(frontendEndpoints.declineReceivedInvitation, async (call) => ({
    declined: await invitations.declineReceivedInvitation(deps, call, receivedBy(call)),
  }))
  handle(frontendEndpoints.resendInvitation, async (call) => ({
    invitation: await invitations.resendInvitation(deps, call, call.params.id, call.params.invitationId),
  }))
  handle(frontendEndpoints.revokeInvitation, async (call) => ({
    invitation: await invitations.revokeInvitation(deps, call, call.params.id, call.params.invitationId),
  }))
  handle(frontendEndpoints.getInvitation, async (call) => ({
    invitation: await invitations.getReceivedInvitation(deps, call, call.params.token),
  }))
  handle(frontendEndpoints.acceptInvitation, async (call) => {
    const { organization } = await invitations.acceptInvitation(deps, call, call.params.token)
    return { organization }
  })
  handle(frontendEndpoints.declineInvitation, async (call) => ({
    declined: await invitations.declineInvitation(deps, call, call.params.token),
  }))
}
