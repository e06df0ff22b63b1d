// The pages on which an administrator of an organization sets up its connection: by a link, and as a member.
import { type PageRoute, get, post } from '../call/page-route.ts'
import type { SetupPage } from './area.ts'

const open = () => import('./open.ts')
const domains = () => import('./domains.ts')
const connection = () => import('./connection.ts')
const scim = () => import('./scim.ts')
const roles = () => import('./roles.ts')
const done = () => import('./done.ts')

type LoadPage = () => Promise<SetupPage>

const pages: readonly (readonly [method: typeof get, path: string, load: LoadPage])[] = [
  [get, '/domains', async () => (await domains()).openDomains],
  [post, '/domains', async () => (await domains()).changeDomains],
  [get, '/connection', async () => (await connection()).openConnection],
  [post, '/connection', async () => (await connection()).changeConnection],
  [get, '/connection/:provider', async () => (await connection()).openNewConnection],
  [post, '/connection/:provider', async () => (await connection()).beginConnection],
  [get, '/scim', async () => (await scim()).openScim],
  [post, '/scim', async () => (await scim()).changeScim],
  [get, '/roles', async () => (await roles()).openRoles],
  [post, '/roles', async () => (await roles()).changeRoles],
  [get, '/done', async () => (await done()).openDone],
  [post, '/done', async () => (await done()).changeDone],
]

const openHome: LoadPage = async () => (await import('./home.ts')).openHome
const byLink = (load: LoadPage) => async () => (await import('./area.ts')).byLink(await load())
const byMember = (load: LoadPage) => async () => (await import('./member.ts')).byMember(await load())

export const setupRoutes: readonly PageRoute[] = [
  get('/setup', async () => (await open()).openLink),
  post('/setup', async () => (await open()).enterLink),
  get('/setup/home', byLink(openHome)),
  ...pages.map(([method, path, load]) => method(`/setup${path}`, byLink(load))),
  get('/organizations/:id/security', byMember(openHome)),
  ...pages.map(([method, path, load]) => method(`/organizations/:id/security${path}`, byMember(load))),
]
