// Directories of organizations: their list beside that of the management interface, and others' latency and the memory while one provisions
// very many people.
import { manage } from '../../data/enterprise.ts'
import { createPeople } from '../../data/people.ts'
import { HttpConnection } from '../../load/http-connection.ts'
import { percentile } from '../../load/load.ts'
import { bodyText, requestBytes } from '../../load/request.ts'
import { compare, rates, takeTurns } from '../../load/rounds.ts'
import { type ResultRow, atLeast, atMost, megabytes, milliseconds, ratioRow, valueRow } from '../../results.ts'
import { statusMegabytes } from '../../servers/process-figures.ts'
import { type World, httpContestant } from '../../world.ts'
import { check, signingIn } from '../sessions.ts'
import type { Place } from './place.ts'

const directoryConnections = 8
/** `perMinute` of a directory in production (server/src/enterprise/scim/http/steps.ts), a second. */
const allowedPerSecond = 25
const listed = 100

interface Directory {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

async function createDirectory({ dataset, server, enterprise }: Place): Promise<Directory> {
  const path = `/auth/connections/${enterprise.saml.id}/scim-tokens`
  const made = await manage<{ token: string; baseUri: string }>(dataset, server.port, 'POST', path, { name: 'bench' })
  return { path: new URL(made.baseUri).pathname, headers: { authorization: `Bearer ${made.token}` } }
}

const provision = ({ path, headers }: Directory, domain: string, n: number) =>
  requestBytes({
    method: 'POST',
    path: `${path}/Users`,
    headers,
    mime: 'application/scim+json',
    body: JSON.stringify({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: `person${n}@${domain}`,
      externalId: `e${n}`,
      name: { givenName: 'Ada', familyName: `Lovelace ${n}` },
      emails: [{ value: `person${n}@${domain}`, primary: true }],
      active: true,
    }),
  })

/** Provisions people from one number to before another, over several connections or at a steady pace over one. */
async function provisionAll(
  { server, enterprise }: Place,
  directory: Directory,
  from: number,
  to: number,
  perSecond?: number,
) {
  const startedAt = performance.now()
  let next = from
  const loop = async () => {
    const connection = await HttpConnection.open(server.port)
    try {
      while (next < to) {
        const n = next++
        if (perSecond !== undefined) await pause(((n - from) / perSecond) * 1000 - (performance.now() - startedAt))
        const { status, bytes } = await connection.send(provision(directory, enterprise.domain, n))
        if (status !== 201) throw new Error(`the directory was answered ${bodyText(bytes)}`)
      }
    } finally {
      connection.close()
    }
  }
  await Promise.all(Array.from({ length: perSecond === undefined ? directoryConnections : 1 }, loop))
}

export async function measureDirectoryList(world: World, place: Place): Promise<ResultRow> {
  const directory = await createDirectory(place)
  const { dataset, server } = place
  await provisionAll(place, directory, 0, listed)
  const { path, headers } = directory
  const list = requestBytes({ method: 'GET', path: `${path}/Users?startIndex=1&count=${listed}`, headers })
  const managed = requestBytes({
    method: 'GET',
    path: `/api/v0/auth/users?tenantId=${dataset.main.id}&perPage=${listed}`,
    headers: { authorization: `Bearer ${dataset.main.secretKey}` },
  })
  const contestants = [list, managed].map((each) => httpContestant(server.port, 8, () => each))
  const [ours = [], management = []] = await takeTurns(contestants, world.settings.pace)
  return ratioRow(compare(rates(ours), rates(management)), {
    engine: world.engine,
    measure: `SCIM list of ${listed} users`,
    against: 'GET /auth/users, as many',
    budget: atLeast(0.5),
  })
}

/** Fewer than the service lets one address sign in within a minute. */
const requestsPerAddress = 500
let addresses = 0
const newAddress = () => `127.0.2.${(addresses++ % 250) + 1}`

/** Sends one request after another until the work is done; returns the milliseconds of each answer. */
async function timesDuring(port: number, next: () => Buffer, work: Promise<unknown>): Promise<number[]> {
  let connection = await HttpConnection.open(port, newAddress())
  const times: number[] = []
  const state = { isDone: false }
  void work.finally(() => {
    state.isDone = true
  })
  while (!state.isDone) {
    if (times.length % requestsPerAddress === requestsPerAddress - 1) {
      connection.close()
      connection = await HttpConnection.open(port, newAddress())
    }
    const at = performance.now()
    const { status } = await connection.send(next())
    if (status !== 200) throw new Error(`a request beside the directory answered ${status}`)
    times.push(performance.now() - at)
    await pause(2)
  }
  connection.close()
  await work
  return times
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

interface OtherKind {
  readonly kind: string
  readonly next: () => Buffer
  readonly busy: number[]
  readonly idle: number[]
}

async function otherKinds({ dataset, server }: Place): Promise<OtherKind[]> {
  const { cookies, emails } = await createPeople(dataset, server.port)
  const asked = check(dataset, cookies[0] ?? '')
  // The first one's session must not end because of too many others.
  const signingInOthers = signingIn(dataset, emails.slice(1))
  const others = { 'session checks': () => asked, 'sign-ins with a password': signingInOthers }
  return Object.entries(others).map(([kind, next]) => ({ kind, next, busy: [], idle: [] }))
}

const rowsOfOthers = (engine: World['engine'], kinds: readonly OtherKind[], name: string): ResultRow[] =>
  kinds.map(({ kind, busy, idle }) =>
    ratioRow(compare(busy, idle), {
      engine,
      measure: `p99 of ${kind} ${name}`,
      against: 'beside nothing',
      unit: milliseconds,
      budget: atMost(1.2),
    }),
  )

/** Adds the p99 of the requests during the work, and of as many seconds as that is compared with. */
async function timeBeside({ server }: Place, { next, busy, idle }: OtherKind, work: Promise<unknown>): Promise<void> {
  busy.push(percentile(await timesDuring(server.port, next, work), 0.99))
  idle.push(percentile(await timesDuring(server.port, next, pause(5000)), 0.99))
}

async function measureFullSpeed(world: World, place: Place, directory: Directory): Promise<ResultRow[]> {
  const { engine, settings } = world
  const count = settings.provisioned
  const name = `while SCIM provisions ${count.toLocaleString('en')} users`
  const kinds = await otherKinds(place)
  const [steps, memory]: [number, number[]] = [10, []]
  const share = count / steps / kinds.length
  for (let step = 0; step < steps; step++) {
    for (const [n, kind] of kinds.entries()) {
      const from = listed + (step * kinds.length + n) * share
      await timeBeside(place, kind, provisionAll(place, directory, from, from + share))
    }
    memory.push(statusMegabytes(place.server, 'RssAnon'))
  }
  return [
    ...rowsOfOthers(engine, kinds, name),
    ratioRow(compare(memory.slice(-3), memory.slice(2, 5)), {
      engine,
      measure: `Own memory at the end ${name}`,
      against: 'after a third',
      unit: megabytes,
      budget: atMost(1.1),
    }),
    valueRow(Math.max(...memory), {
      engine,
      measure: `Highest own memory after a tenth ${name}`,
      unit: megabytes,
      note: `after each: ${memory.map((value) => value.toFixed(0)).join(', ')} MB`,
    }),
  ]
}

async function measureAllowedPace(world: World, place: Place, directory: Directory): Promise<ResultRow[]> {
  const { pace, provisioned } = world.settings
  const kinds = await otherKinds(place)
  const count = allowedPerSecond * (world.settings.isQuick ? 1 : 8)
  let from = listed + provisioned
  for (let round = 0; round < pace.rounds; round++) {
    for (const kind of kinds) {
      await timeBeside(place, kind, provisionAll(place, directory, from, from + count, allowedPerSecond))
      from += count
    }
  }
  return rowsOfOthers(
    world.engine,
    kinds,
    `while SCIM provisions ${allowedPerSecond} users a second, as production allows`,
  )
}

export async function measureProvisioning(world: World, place: Place): Promise<ResultRow[]> {
  const directory = await createDirectory(place)
  return [...(await measureFullSpeed(world, place, directory)), ...(await measureAllowedPace(world, place, directory))]
}
