// The pages on which an administrator of an organization sets up its connection.
import { type PageRoute, get, post } from '../call/page-route.ts'

const open = () => import('./open.ts')
const domains = () => import('./domains.ts')
const connection = () => import('./connection.ts')

export const setupRoutes: readonly PageRoute[] = [
  get('/setup', async () => (await open()).openLink),
  post('/setup', async () => (await open()).enterLink),
  get('/setup/home', async () => (await import('./home.ts')).openHome),
  get('/setup/domains', async () => (await domains()).openDomains),
  post('/setup/domains', async () => (await domains()).changeDomains),
  get('/setup/connection', async () => (await connection()).openConnection),
  post('/setup/connection', async () => (await connection()).changeConnection),
  get('/setup/connection/:provider', async () => (await connection()).openNewConnection),
  post('/setup/connection/:provider', async () => (await connection()).beginConnection),
]
