// better-auth as its documentation sets it up, with its plugins for organizations, JWTs and applications.
import { perPage } from '../data/dataset.ts'
import { unique } from '../load/bodies.ts'
import { makeCodes, redirectUri } from '../load/codes.ts'
import { requestBytes } from '../load/request.ts'
import { email, password, startBetterAuth } from '../servers/better-auth.ts'
import { type Peer, each } from './peer.ts'
import type { PeerPlace } from './place.ts'

const path = '/api/auth'

const post = (operation: string, body: object) => () =>
  requestBytes({ method: 'POST', path: `${path}${operation}`, body: JSON.stringify(body) })

export async function startBetterAuthPeer(place: PeerPlace, postgresUrl: string | undefined): Promise<Peer> {
  const client = { clientId: 'app', clientSecret: 's'.repeat(43) }
  const { directory, members } = place
  const server = await startBetterAuth(directory, postgresUrl, members, { ...client, redirectUri })
  const { cookie, organizationId, port } = server
  const get = (operation: string) => () =>
    requestBytes({ method: 'GET', path: `${path}${operation}`, headers: { cookie } })
  const signed = { authorizePath: `${path}/oauth2/authorize`, tokenPath: `${path}/oauth2/token`, client, cookie }
  return {
    title: 'better-auth 1.6.34',
    store: postgresUrl === undefined ? 'SQLite' : 'PostgreSQL',
    pid: server.pid,
    port,
    usesPostgres: postgresUrl !== undefined,
    journeys: {
      'sign-up': each(() =>
        post('/sign-up/email', { email: `${unique()}@people.example`, name: 'Person', password })(),
      ),
      'sign-in': each(post('/sign-in/email', { email, password })),
      'session check': each(get('/get-session')),
      'list of 20': each(get(`/organization/list-members?organizationId=${organizationId}&limit=${perPage}&offset=0`)),
      'code to tokens': (count, open) => makeCodes(open, [signed], 'with an opaque access token', count),
    },
    stop: () => server.stop(),
  }
}
