import { frontendEndpoints } from '@bailiwick/contract'
import { type FrontendRouter, frontendRoute } from '../frontend/frontend-route.ts'
import * as fellows from './fellow-members.ts'
import * as organizations from './own-organizations.ts'
import * as invitations from './sent-invitations.ts'

export function ownOrganizationRoutes(router: FrontendRouter) {
  const { deps } = router
  frontendRoute(router, frontendEndpoints.listOwnOrganizations, (call) =>
    organizations.listOwnOrganizations(deps, call, call.query),
  )
  frontendRoute(router, frontendEndpoints.createOwnOrganization, async (call) => ({
    organization: await organizations.createOwnOrganization(deps, call, call.body),
  }))
  frontendRoute(router, frontendEndpoints.getOwnOrganization, (call) =>
    organizations.getOwnOrganization(deps, call, call.params.id),
  )
  frontendRoute(router, frontendEndpoints.updateOwnOrganization, async (call) => ({
    organization: await organizations.updateOwnOrganization(deps, call, call.params.id, call.body),
  }))
  frontendRoute(router, frontendEndpoints.deleteOwnOrganization, async (call) => ({
    organization: await organizations.deleteOwnOrganization(deps, call, call.params.id),
  }))
  memberRoutes(router)
  invitationRoutes(router)
}

function memberRoutes(router: FrontendRouter) {
  const { deps } = router
  frontendRoute(router, frontendEndpoints.listFellowMembers, (call) =>
    fellows.listFellowMembers(deps, call, call.params.id, call.query),
  )
  frontendRoute(router, frontendEndpoints.addFellowMember, async (call) => ({
    member: await fellows.addFellowMember(deps, call, call.params.id, call.body),
  }))
  frontendRoute(router, frontendEndpoints.updateFellowMember, async (call) => {
    const { id, memberId } = call.params
    return { member: await fellows.updateFellowMember(deps, call, id, memberId, call.body.roleId) }
  })
  frontendRoute(router, frontendEndpoints.removeFellowMember, async (call) => ({
    member: await fellows.removeFellowMember(deps, call, call.params.id, call.params.memberId),
  }))
}

function invitationRoutes(router: FrontendRouter) {
  const { deps } = router
  frontendRoute(router, frontendEndpoints.listSentInvitations, (call) =>
    invitations.listSentInvitations(deps, call, call.params.id, call.query),
  )
  frontendRoute(router, frontendEndpoints.sendInvitation, async (call) => ({
    invitation: await invitations.sendInvitation(deps, call, call.params.id, call.body),
  }))
  frontendRoute(router, frontendEndpoints.resendInvitation, async (call) => ({
    invitation: await invitations.resendInvitation(deps, call, call.params.id, call.params.invitationId),
  }))
  frontendRoute(router, frontendEndpoints.revokeInvitation, async (call) => ({
    invitation: await invitations.revokeInvitation(deps, call, call.params.id, call.params.invitationId),
  }))
  frontendRoute(router, frontendEndpoints.acceptInvitation, async (call) => {
    const { organization } = await invitations.acceptInvitation(deps, call, call.params.token)
    return { organization }
  })
  frontendRoute(router, frontendEndpoints.declineInvitation, async (call) => ({
    declined: await invitations.declineInvitation(deps, call, call.params.token),
  }))
}
