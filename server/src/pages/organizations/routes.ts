// The pages about organizations.
import type { PageCall } from '../page-call.ts'
import type { PageRoute } from '../page-route.ts'
import { inArea } from './area.ts'
import * as details from './details.ts'
import * as domains from './domains.ts'
import * as invitations from './invitations.ts'
import * as list from './list.ts'
import * as members from './members.ts'

const at = (method: PageRoute['method'], path: string, handler: (page: PageCall) => Promise<unknown>): PageRoute => ({
  method,
  path: `/organizations${path}`,
  handler: inArea(handler),
})

export const organizationRoutes: readonly PageRoute[] = [
  at('GET', '', list.openList),
  at('POST', '/switch', list.switchOrganization),
  at('POST', '/suggestions', list.askForInvitation),
  at('GET', '/new', list.openCreate),
  at('POST', '/new', list.createOrganization),
  at('GET', '/:id', details.openDetails),
  at('POST', '/:id', details.saveDetails),
  at('GET', '/:id/leave', details.openLeave),
  at('POST', '/:id/leave', details.leaveOrganization),
  at('GET', '/:id/delete', details.openDelete),
  at('POST', '/:id/delete', details.deleteOrganization),
  at('GET', '/:id/members', members.openMembers),
  at('POST', '/:id/members/:memberId', members.changeMember),
  at('GET', '/:id/invitations', invitations.openInvitations),
  at('POST', '/:id/invitations', invitations.sendInvitation),
  at('POST', '/:id/invitations/:invitationId', invitations.changeInvitation),
  at('GET', '/:id/domains', domains.openDomains),
  at('POST', '/:id/domains', domains.addDomain),
  at('GET', '/:id/domains/:domainId', domains.openDomain),
  at('POST', '/:id/domains/:domainId', domains.changeDomain),
]
