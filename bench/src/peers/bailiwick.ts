// Bailiwick itself, by the interface that browsers and applications use.
import { createAsOperator } from '../data/as-operator.ts'
import { type Dataset, createDataset } from '../data/dataset.ts'
import { createPeople, password } from '../data/people.ts'
import { unique } from '../load/bodies.ts'
import { listMembers } from '../load/calls.ts'
import { jwtResource, makeCodes } from '../load/codes.ts'
import { requestBytes } from '../load/request.ts'
import { signInAtTenant } from '../measures/code-to-tokens.ts'
import { inTurns, opaqueResource, prepareMachines, tokenRequest } from '../measures/machine-tokens.ts'
import { check, signingIn } from '../measures/sessions.ts'
import { startBailiwick } from '../servers/bailiwick.ts'
import { type Peer, each } from './peer.ts'
import type { PeerPlace } from './place.ts'

/** Makes a tenant where users sign up with a password and are signed in at once, as at the others. */
async function openSignUp(dataset: Dataset, port: number): Promise<() => Buffer> {
  const body = { name: 'Sign-ups', environment: 'production' }
  const tenant = await createAsOperator<{ id: string; publicKey: string }>(dataset, port, '/tenants', body)
  const response = await fetch(`http://127.0.0.1:${port}/api/v0/auth/tenants/${tenant.id}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${dataset.store.operatorKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ emailVerificationRequired: false }),
  })
  if (!response.ok) throw new Error(`the settings answered ${await response.text()}`)
  return () =>
    requestBytes({
      method: 'POST',
      path: '/frontend/api/v0/sign-ups',
      headers: { 'x-public-key': tenant.publicKey },
      body: JSON.stringify({ email: `${unique()}@people.example`, password }),
    })
}

export async function startBailiwickPeer(place: PeerPlace, postgresUrl: string | undefined): Promise<Peer> {
  const { directory, compileCache } = place
  const size = { tenants: 1, members: place.members }
  const dataset = await createDataset(directory, 'peers', size, postgresUrl, compileCache)
  const server = await startBailiwick(dataset.store, { compileCache })
  const { port } = server
  const { emails, cookies } = await createPeople(dataset, port)
  const machines = await prepareMachines(dataset, port)
  const signed = [await signInAtTenant(dataset, port)]
  const machine = (format: 'jwt' | 'opaque', resource: string) =>
    each(inTurns([tokenRequest(`/t/${machines[format].tenantId}/oauth/token`, machines[format], resource)]))
  return {
    title: 'Bailiwick',
    store: postgresUrl === undefined ? 'SQLite' : 'PostgreSQL',
    pid: server.child.pid ?? 0,
    port,
    usesPostgres: postgresUrl !== undefined,
    journeys: {
      'sign-up': each(await openSignUp(dataset, port)),
      'sign-in': each(signingIn(dataset, emails)),
      'session check': each(inTurns(cookies.map((cookie) => check(dataset, cookie)))),
      'list of 20': each(listMembers(dataset, dataset.cursors.first)),
      'client credentials, JWT': machine('jwt', jwtResource),
      'client credentials, opaque': machine('opaque', opaqueResource),
      'code to tokens': (count, open) => makeCodes(open, signed, 'with an opaque access token', count),
    },
    stop: () => server.stop(),
  }
}
