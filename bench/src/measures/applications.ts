// Each tenant as an authorization server: documents that are the same for everybody, and tokens of machine applications of many tenants.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dataset } from '../data/dataset.ts'
import { runLoad } from '../load/load.ts'
import { requestBytes } from '../load/request.ts'
import { type Contestant, compare, rates, takeTurns } from '../load/rounds.ts'
import { type ResultRow, atLeast, ratioRow } from '../results.ts'
import { Worker } from '../servers/child-process.ts'
import type { KnownMachine } from '../servers/oidc-provider-process.ts'
import { type World, bareContestant, httpContestant } from '../world.ts'

const connections = 32
const scope = 'articles:read'
const jwtResource = 'https://jwt.example'
const opaqueResource = 'https://opaque.example'
/** How many tenants are prepared at the same time. */
const atOnce = 16

interface Machine {
  readonly tenantId: string
  readonly clientId: string
  readonly clientSecret: string
}

interface Created {
  readonly id: string
  readonly clientId: string
  readonly clientSecret: string
}

type Format = 'jwt' | 'opaque'

/** Makes a tenant with two machine applications, whose tokens are JWTs and opaque. */
async function prepare({ store }: Dataset, port: number): Promise<Readonly<Record<Format, Machine>>> {
  const call = async (path: string, body: object, triesLeft = 20): Promise<Created> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v0${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${store.operatorKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    // Concurrent requests may conflict in the database; they are tried again, as the SDK does.
    if (response.status === 503 && triesLeft > 0) {
      await sleep(100)
      return call(path, body, triesLeft - 1)
    }
    if (response.status !== 200) throw new Error(`POST ${path} answered ${response.status} ${text}`)
    return JSON.parse(text) as Created
  }
  const { id: tenantId } = await call('/tenants', { name: 'Machines', environment: 'production' })
  const machine = async (accessTokenFormat: Format, indicator: string): Promise<Machine> => {
    const scopes = [{ name: scope, description: 'Read articles' }]
    const { id: resourceId } = await call('/auth/resources', {
      tenantId,
      indicator,
      name: 'Articles',
      scopes,
      accessTokenFormat,
    })
    const { clientId, clientSecret } = await call('/auth/applications', {
      tenantId,
      name: 'Worker',
      type: 'machine',
      grantTypes: ['client_credentials'],
      machineScopes: [{ resourceId, scopes: [scope] }],
    })
    return { tenantId, clientId, clientSecret }
  }
  return { jwt: await machine('jwt', jwtResource), opaque: await machine('opaque', opaqueResource) }
}

async function prepareAll(dataset: Dataset, port: number, count: number) {
  const made: Readonly<Record<Format, Machine>>[] = []
  while (made.length < count) {
    const lacking = Math.min(atOnce, count - made.length)
    made.push(...(await Promise.all(Array.from({ length: lacking }, () => prepare(dataset, port)))))
  }
  return made
}

function tokenRequest(path: string, { clientId, clientSecret }: Machine, resource: string): Buffer {
  const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  return requestBytes({
    method: 'POST',
    path,
    mime: 'application/x-www-form-urlencoded',
    headers: { authorization: `Basic ${credentials}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource, scope }).toString(),
  })
}

/** Each connection has an address of its own, because the service limits the requests of one address. */
const ours = (port: number, next: () => Buffer): Contestant => ({
  run: (seconds) => runLoad({ port, connections, seconds, next, hasOwnAddresses: true }),
})

const inTurns = (requests: readonly Buffer[]) => {
  let at = 0
  return () => requests[at++ % requests.length] ?? Buffer.alloc(0)
}

async function measureDocuments(world: World): Promise<ResultRow[]> {
  const { engine, settings } = world
  const { server, dataset } = await world.running('small')
  const rows: ResultRow[] = []
  for (const [name, path] of [
    ['Discovery of a tenant', '.well-known/openid-configuration'],
    ['Keys of a tenant', 'oauth/jwks'],
  ] as const) {
    const request = requestBytes({ method: 'GET', path: `/t/${dataset.main.id}/${path}` })
    const next = () => request
    const bare = await bareContestant(world, server.port, connections, next)
    const [opened = [], answered = []] = await takeTurns([ours(server.port, next), bare], settings.pace)
    rows.push(
      ratioRow(compare(rates(opened), rates(answered)), {
        engine,
        measure: name,
        against: 'node:http, same bytes',
        budget: atLeast(0.8),
      }),
    )
  }
  return rows
}

async function measureTokens(world: World): Promise<ResultRow[]> {
  const { engine, settings } = world
  const { server, dataset } = await world.running('small')
  const tenants = await prepareAll(dataset, server.port, settings.isQuick ? 20 : 1000)
  const [first] = tenants
  if (first === undefined) throw new Error('no tenant was made')
  const worker = new Worker(new URL('../servers/oidc-provider-process.ts', import.meta.url), {
    PATH: process.env['PATH'],
    NODE_ENV: 'production',
  })
  try {
    const rows: ResultRow[] = []
    for (const [format, resource, budget] of [
      ['jwt', jwtResource, 0.75],
      ['opaque', opaqueResource, 0.5],
    ] as const) {
      const { clientId, clientSecret } = first[format]
      const known: KnownMachine = { clientId, clientSecret, jwtResource, opaqueResource, scope }
      const alone = await worker.ask<number>(known)
      const all = inTurns(
        tenants.map((each) => tokenRequest(`/t/${each[format].tenantId}/oauth/token`, each[format], resource)),
      )
      const single = inTurns([tokenRequest(`/t/${first[format].tenantId}/oauth/token`, first[format], resource)])
      const theirs = inTurns([tokenRequest('/token', first[format], resource)])
      const [many = [], one = [], memory = []] = await takeTurns(
        [ours(server.port, all), ours(server.port, single), httpContestant(alone, connections, theirs)],
        settings.pace,
      )
      const measure = `Client credentials, ${format === 'jwt' ? 'JWT (ES256)' : 'opaque token'}, ${tenants.length} tenants`
      rows.push(
        ratioRow(compare(rates(many), rates(memory)), {
          engine,
          measure,
          against: 'oidc-provider alone, one issuer, in memory',
          budget: atLeast(budget),
        }),
        ratioRow(compare(rates(many), rates(one)), { engine, measure, against: 'the same with one tenant' }),
      )
    }
    return rows
  } finally {
    await worker.stop()
  }
}

export const measureApplications = async (world: World): Promise<ResultRow[]> => [
  ...(await measureDocuments(world)),
  ...(await measureTokens(world)),
]
