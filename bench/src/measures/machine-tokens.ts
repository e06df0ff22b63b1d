// Tokens of machine applications of many tenants, by client credentials.
import { createAsOperator, prepareTenants } from '../data/as-operator.ts'
import type { Machine } from '../data/authorization-servers.ts'
import type { Dataset } from '../data/dataset.ts'
import { basic, jwtResource, scope } from '../load/codes.ts'
import { runLoad } from '../load/load.ts'
import { requestBytes } from '../load/request.ts'
import { type Contestant, compare, rates, takeTurns } from '../load/rounds.ts'
import { type ResultRow, atLeast, ratioRow } from '../results.ts'
import { Worker } from '../servers/child-process.ts'
import type { KnownClient } from '../servers/oidc-provider-process.ts'
import { type World, httpContestant } from '../world.ts'

export const connections = 32
export const opaqueResource = 'https://opaque.example'
export const scopesOffered = [{ name: scope, description: 'Read articles' }]
export const oidcProviderProcess = new URL('../servers/oidc-provider-process.ts', import.meta.url)

type Format = 'jwt' | 'opaque'

/** Makes a tenant with two machine applications, whose tokens are JWTs and opaque. */
export async function prepareMachines(dataset: Dataset, port: number): Promise<Readonly<Record<Format, Machine>>> {
  const create = <Created>(path: string, body: object) => createAsOperator<Created>(dataset, port, path, body)
  const { id: tenantId } = await create<{ id: string }>('/tenants', { name: 'Machines', environment: 'production' })
  const machine = async (accessTokenFormat: Format, indicator: string): Promise<Machine> => {
    const { id: resourceId } = await create<{ id: string }>('/auth/resources', {
      tenantId,
      indicator,
      name: 'Articles',
      scopes: scopesOffered,
      accessTokenFormat,
    })
    const client = await create<Pick<Machine, 'clientId' | 'clientSecret'>>('/auth/applications', {
      tenantId,
      name: 'Worker',
      type: 'machine',
      grantTypes: ['client_credentials'],
      machineScopes: [{ resourceId, scopes: [scope] }],
    })
    return { tenantId, clientId: client.clientId, clientSecret: client.clientSecret }
  }
  return { jwt: await machine('jwt', jwtResource), opaque: await machine('opaque', opaqueResource) }
}

export function tokenRequest(path: string, machine: Omit<Machine, 'tenantId'>, resource: string): Buffer {
  return requestBytes({
    method: 'POST',
    path,
    mime: 'application/x-www-form-urlencoded',
    headers: { authorization: basic(machine) },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource, scope }).toString(),
  })
}

/** Each connection has an address of its own, because the service limits the requests of one address. */
export const ours = (port: number, next: () => Buffer): Contestant => ({
  run: (seconds) => runLoad({ port, connections, seconds, next, hasOwnAddresses: true }),
})

export const inTurns = (requests: readonly Buffer[]) => {
  let at = 0
  return () => requests[at++ % requests.length] ?? Buffer.alloc(0)
}

export async function measureTokens(world: World): Promise<ResultRow[]> {
  const { engine, settings } = world
  const { server, dataset } = await world.running('small')
  const tenants = await prepareTenants(settings.isQuick ? 20 : 1000, () => prepareMachines(dataset, server.port))
  const [first] = tenants
  if (first === undefined) throw new Error('no tenant was made')
  const worker = new Worker(oidcProviderProcess, { PATH: process.env['PATH'], NODE_ENV: 'production' })
  try {
    const rows: ResultRow[] = []
    for (const [format, resource, budget] of [
      ['jwt', jwtResource, 0.75],
      ['opaque', opaqueResource, 0.5],
    ] as const) {
      const { clientId, clientSecret } = first[format]
      const known: KnownClient = { clientId, clientSecret, jwtResource, scope }
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
