// Many tenants whose authorization servers are all in use, beside ten: the memory that they take, and the time of a request.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Machine, openAuthorizationServers } from '../data/authorization-servers.ts'
import { createDataset } from '../data/dataset.ts'
import { jwtResource, scope } from '../load/codes.ts'
import { HttpConnection } from '../load/http-connection.ts'
import { requestBytes } from '../load/request.ts'
import { compare, takeTurns } from '../load/rounds.ts'
import { type ResultRow, atMost, megabytes, milliseconds, ratioRow, valueRow } from '../results.ts'
import { type BailiwickServer, startBailiwick } from '../servers/bailiwick.ts'
import { ownMegabytes } from '../servers/child-process.ts'
import type { World } from '../world.ts'
import { connections, inTurns, ours, tokenRequest } from './machine-tokens.ts'

const few = 10
/** The young part of the heap is kept small, because otherwise it grows with the number of requests, whoever sends them. */
const nodeOptions = `--expose-gc --max-semi-space-size=8 --import=${new URL('../servers/collect-garbage.ts', import.meta.url).href}`
const collectedWithinMs = 3000

/** What a relying party asks of a tenant: its metadata, its keys, and a token. */
function tokenRequests(machine: Machine): readonly Buffer[] {
  const issuer = `/t/${machine.tenantId}`
  return [
    requestBytes({ method: 'GET', path: `${issuer}/.well-known/openid-configuration` }),
    requestBytes({ method: 'GET', path: `${issuer}/oauth/jwks` }),
    tokenRequest(`${issuer}/oauth/token`, machine, jwtResource),
  ]
}

/** Sends each request once. */
async function sendEach(port: number, requests: readonly Buffer[]) {
  let at = 0
  const loop = async (index: number) => {
    const connection = await HttpConnection.open(port, `127.0.0.${index + 2}`)
    while (at < requests.length) {
      const { status, bytes } = await connection.send(requests[at++] ?? Buffer.alloc(0))
      if (status !== 200) throw new Error(`the server answered ${bytes.toString()}`)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: connections }, (_each, index) => loop(index)))
}

async function heldMegabytes({ child }: BailiwickServer): Promise<number> {
  child.kill('SIGUSR2')
  await sleep(collectedWithinMs)
  return ownMegabytes(child)
}

/** Returns the growth of memory between the same number of requests to few tenants and to all. */
async function growth(server: BailiwickServer, machines: readonly Machine[]): Promise<number> {
  const ofFew = machines.slice(0, few).flatMap(tokenRequests)
  const next = inTurns(ofFew)
  const asMany = Array.from({ length: machines.length * 3 }, next)
  await sendEach(server.port, asMany)
  const before = await heldMegabytes(server)
  await sendEach(server.port, machines.flatMap(tokenRequests))
  return (await heldMegabytes(server)) - before
}

export async function measureManyServers(world: World): Promise<ResultRow[]> {
  const { engine, place, settings } = world
  const { tenants } = settings.sizes.large
  const size = { tenants, members: few }
  const dataset = await createDataset(
    place.directory,
    'authorization_servers',
    size,
    place.postgresUrl,
    place.compileCache,
  )
  const machines = await openAuthorizationServers(dataset.store, { indicator: jwtResource, scope })
  const server = await startBailiwick(dataset.store, { compileCache: place.compileCache, nodeOptions })
  try {
    const grown = await growth(server, machines)
    const contestants = [machines, machines.slice(0, few)].map((some) =>
      ours(
        server.port,
        inTurns(some.map((each) => tokenRequest(`/t/${each.tenantId}/oauth/token`, each, jwtResource))),
      ),
    )
    const [many = [], ten = []] = await takeTurns(contestants, settings.pace)
    const times = (samples: typeof many) => samples.map(({ perSecond }) => 1000 / perSecond)
    const count = tenants.toLocaleString('en')
    return [
      valueRow(grown, {
        engine,
        measure: `Memory that ${count} tenants take more than ${few}, after discovery, keys and a token of each`,
        unit: megabytes,
        note: 'own memory, garbage collected',
        budget: atMost(20, 'MB'),
      }),
      ratioRow(compare(times(many), times(ten)), {
        engine,
        measure: `Time of client credentials (JWT) with ${count} tenants`,
        against: `with ${few} tenants`,
        unit: milliseconds,
        budget: atMost(1.3),
      }),
    ]
  } finally {
    await server.stop()
  }
}
