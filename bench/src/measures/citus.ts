// What a request takes of the processor where Citus spreads the tables over two workers, beside the same request with one PostgreSQL: the
// service and all database servers together, which all run on this machine.
import { addCitus, startPrivateCitus } from '../../../scripts/private-citus.ts'
import { findExtension } from '../../../scripts/private-postgres.ts'
import { type Dataset, createDataset } from '../data/dataset.ts'
import { distribute } from '../data/deps-of-store.ts'
import { createPeople } from '../data/people.ts'
import { onPostgresql } from '../data/store.ts'
import { createUser, listMembers, listUsers, lookUp, readUser, updateUser } from '../load/calls.ts'
import { compare } from '../load/rounds.ts'
import { type ResultRow, atMost, milliseconds, ratioRow } from '../results.ts'
import { startBailiwick } from '../servers/bailiwick.ts'
import { type RequestTime, measureRequests, postgresPid } from '../servers/processor-time.ts'
import type { World } from '../world.ts'
import { inTurns, opaqueResource, prepareMachines, tokenRequest } from './machine-tokens.ts'
import { check, signingIn } from './sessions.ts'

const shards = 32
const workerCount = 2
const connections = 16
/** One hash occupies one core, so more at once would only wait. */
const connectionsForPasswords = 4

interface Journey {
  readonly next: () => Buffer
  /** How many requests a round has: so many that a hundredth of a second more or less changes little. */
  readonly count: number
  readonly connections?: number
}

interface Place {
  readonly pid: number
  readonly port: number
  readonly databasePids: readonly number[]
  readonly journeys: Readonly<Record<string, Journey>>
  stop(): Promise<void>
}

async function makeJourneys(dataset: Dataset, port: number): Promise<Place['journeys']> {
  const { emails, cookies, userIds } = await createPeople(dataset, port)
  const { opaque } = await prepareMachines(dataset, port)
  const token = tokenRequest(`/t/${opaque.tenantId}/oauth/token`, opaque, opaqueResource)
  return {
    'a look-up by public key': { next: lookUp(dataset), count: 4000 },
    'a session check': { next: inTurns(cookies.map((cookie) => check(dataset, cookie))), count: 4000 },
    'a look-up of a user': { next: readUser(dataset.main, userIds), count: 2000 },
    'a list of 20 users': { next: listUsers(dataset, ''), count: 1000 },
    'a search of users': { next: listUsers(dataset, '&query=person%2099', 10), count: 1000 },
    'a list of 20 members': { next: listMembers(dataset, dataset.cursors.first), count: 1000 },
    'a sign-in with a password': { next: signingIn(dataset, emails), count: 60, connections: connectionsForPasswords },
    'POST /auth/users': { next: createUser(dataset.main), count: 800 },
    'PUT /auth/users/{id}': { next: updateUser(dataset.main, userIds), count: 800 },
    'client credentials, opaque': { next: inTurns([token]), count: 800 },
  }
}

async function startOnPostgres({ place, settings }: World): Promise<Place> {
  const { directory, postgresUrl = '', compileCache } = place
  const dataset = await createDataset(directory, 'beside_citus', settings.sizes.small, postgresUrl, compileCache)
  const server = await startBailiwick(dataset.store, place)
  const databasePids = [postgresPid(postgresUrl)]
  const { port, child } = server
  return {
    pid: child.pid ?? 0,
    port,
    databasePids,
    journeys: await makeJourneys(dataset, port),
    stop: () => server.stop(),
  }
}

/** The database is filled first and distributed then, as an operator does it. */
async function startOnCitus({ place, settings }: World): Promise<Place> {
  const { directory, compileCache } = place
  const cluster = await startPrivateCitus({ workerCount, shards })
  try {
    const dataset = await createDataset(directory, 'on_citus', settings.sizes.small, cluster.url, compileCache)
    const { databaseUrl = '' } = dataset.store
    await addCitus(databaseUrl, { workers: cluster.workers })
    await distribute(dataset.store)
    const name = new URL(databaseUrl).pathname
    for (const { url } of [cluster.coordinator, ...cluster.workers]) {
      const own = Object.assign(new URL(url), { pathname: name })
      await onPostgresql(own.href, (client) => client.query('VACUUM (ANALYZE)'))
    }
    const server = await startBailiwick(dataset.store, place)
    const databasePids = [cluster.coordinator, ...cluster.workers].map(({ url }) => postgresPid(url))
    const { port, child } = server
    const stop = async () => {
      await server.stop()
      await cluster.stop()
    }
    return { pid: child.pid ?? 0, port, databasePids, journeys: await makeJourneys(dataset, port), stop }
  } catch (error) {
    await cluster.stop()
    throw error
  }
}

async function measureRound(place: Place, name: string, isQuick: boolean): Promise<RequestTime> {
  const journey = place.journeys[name]
  if (journey === undefined) throw new Error(`there is no ${name}`)
  const count = isQuick ? Math.ceil(journey.count / 5) : journey.count
  return measureRequests(place, journey.connections ?? connections, async () =>
    Array.from({ length: count }, journey.next),
  )
}

const inMilliseconds = (times: readonly RequestTime[]) =>
  times.map(({ service, database }) => (service + database) / 1000)

async function measureJourneys(places: readonly [Place, Place], { engine, settings }: World): Promise<ResultRow[]> {
  const { isQuick, pace } = settings
  const rows: ResultRow[] = []
  for (const name of Object.keys(places[0].journeys)) {
    const taken: [RequestTime[], RequestTime[]] = [[], []]
    for (let round = -pace.warmUpRounds; round < pace.rounds; round++) {
      for (const [index, place] of places.entries()) {
        const time = await measureRound(place, name, isQuick)
        if (round >= 0) taken[index]?.push(time)
      }
    }
    console.log(`${name}, on Citus and beside it, in microseconds of each round:`, JSON.stringify(taken))
    rows.push(
      ratioRow(compare(inMilliseconds(taken[0]), inMilliseconds(taken[1])), {
        engine,
        measure: `Processor time of ${name}, with Citus on two workers`,
        against: 'one PostgreSQL',
        unit: milliseconds,
        budget: atMost(1.3),
      }),
    )
  }
  return rows
}

/** PostgreSQL only, and only where Citus is installed. */
export async function measureCitus(world: World): Promise<ResultRow[]> {
  if (world.engine === 'sqlite') return []
  if (findExtension('citus') === undefined) {
    console.log(
      'citus is left out: its extension is not installed. Build it with: node scripts/build-citus.ts <source>',
    )
    return []
  }
  const onCitus = await startOnCitus(world)
  try {
    const onPostgres = await startOnPostgres(world)
    try {
      return await measureJourneys([onCitus, onPostgres], world)
    } finally {
      await onPostgres.stop()
    }
  } finally {
    await onCitus.stop()
  }
}
