// The pages about organizations.
import type { PageCall } from '../call/page-call.ts'
import * as pageRoute from '../call/page-route.ts'

const details = () => import('./details.ts')
const domains = () => import('./domains.ts')
const groups = () => import('./groups.ts')
const invitations = () => import('./invitations.ts')
const keys = () => import('./keys.ts')
const list = () => import('./list.ts')
const roles = () => import('./own-roles.ts')
const rules = () => import('./sign-in-rules.ts')
const members = () => import('./members.ts')
const received = () => import('./received.ts')

type LoadHandler = () => Promise<(page: PageCall) => Promise<unknown>>

const inArea = (load: LoadHandler) => async () => {
  const [area, handler] = await Promise.all([import('./area.ts'), load()])
  return area.inArea(handler)
}
const get = (path: string, load: LoadHandler) => pageRoute.get(`/organizations${path}`, inArea(load))
const post = (path: string, load: LoadHandler) => pageRoute.post(`/organizations${path}`, inArea(load))

export const organizationRoutes: readonly pageRoute.PageRoute[] = [
  get('', async () => (await list()).openList),
  post('/switch', async () => (await list()).switchOrganization),
  post('/suggestions', async () => (await list()).askForInvitation),
  get('/received', async () => (await received()).openReceived),
  post('/received', async () => (await received()).answerReceived),
  get('/new', async () => (await list()).openCreate),
  post('/new', async () => (await list()).createOrganization),
  get('/:id', async () => (await details()).openDetails),
  post('/:id', async () => (await details()).saveDetails),
  get('/:id/leave', async () => (await details()).openLeave),
  post('/:id/leave', async () => (await details()).leaveOrganization),
  get('/:id/delete', async () => (await details()).openDelete),
  post('/:id/delete', async () => (await details()).deleteOrganization),
  get('/:id/members', async () => (await members()).openMembers),
  post('/:id/members/:memberId', async () => (await members()).changeMember),
  get('/:id/invitations', async () => (await invitations()).openInvitations),
  post('/:id/invitations', async () => (await invitations()).sendInvitation),
  post('/:id/invitations/:invitationId', async () => (await invitations()).changeInvitation),
  get('/:id/groups', async () => (await groups()).openGroups),
  post('/:id/groups', async () => (await groups()).createGroup),
  get('/:id/groups/:groupId', async () => (await groups()).openGroup),
  post('/:id/groups/:groupId', async () => (await groups()).changeGroup),
  get('/:id/roles', async () => (await roles()).openRoles),
  post('/:id/roles', async () => (await roles()).createRole),
  get('/:id/roles/:roleId', async () => (await roles()).openRole),
  post('/:id/roles/:roleId', async () => (await roles()).changeRole),
  get('/:id/security/rules', async () => (await rules()).openRules),
  post('/:id/security/rules', async () => (await rules()).saveRules),
  get('/:id/keys', async () => (await keys()).openKeys),
  get('/:id/keys/new', async () => (await keys()).openCreation),
  post('/:id/keys/new', async () => (await keys()).createKey),
  post('/:id/keys/:keyId', async () => (await keys()).changeKey),
  get('/:id/domains', async () => (await domains()).openDomains),
  post('/:id/domains', async () => (await domains()).addDomain),
  get('/:id/domains/:domainId', async () => (await domains()).openDomain),
  post('/:id/domains/:domainId', async () => (await domains()).changeDomain),
]
