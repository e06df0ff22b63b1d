import { createTenant, createUser } from '../load/calls.ts'
import { type Contestant, type Pace, compare, rates, takeTurns } from '../load/rounds.ts'
import { type Budget, type ResultRow, atLeast, ratioRow } from '../results.ts'
import type { Rows } from '../servers/engine-process.ts'
import { commitCount } from '../servers/engine.ts'
import { type Running, type World, bareContestant, httpContestant } from '../world.ts'

const connections = 64

interface Write {
  readonly rows: Rows
  readonly measure: string
  readonly next: () => Buffer
  readonly bareBudget?: Budget | undefined
  readonly engineBudget?: Budget | undefined
}

/** How many requests the SQLite writer puts into one commit at this load, as the engine's own counter of commits shows. */
async function measureGroupSize(
  { dataset, server }: Running,
  next: () => Buffer,
  { secondsPerRound }: Pace,
): Promise<number> {
  const { store } = dataset
  if (store.engine !== 'sqlite') return 1
  const load = httpContestant(server.port, connections, next)
  await load.run(secondsPerRound)
  const before = commitCount(store.sqliteFile)
  const { perSecond: rate } = await load.run(secondsPerRound)
  const commits = commitCount(store.sqliteFile) - before
  return Math.max(1, Math.round((rate * secondsPerRound) / commits))
}

async function measureWrite(
  world: World,
  { rows, measure, next, bareBudget, engineBudget }: Write,
): Promise<ResultRow[]> {
  const { engine, settings } = world
  const running = await world.running('small')
  const { port } = running.server
  const groupSize = await measureGroupSize(running, next, settings.pace)
  const alone = await world.engineAlone()
  const engineContestant: Contestant = { run: (seconds) => alone.run(rows, seconds, groupSize) }
  const [ours = [], bare = [], engineOnly = []] = await takeTurns(
    [httpContestant(port, connections, next), await bareContestant(world, port, connections, next), engineContestant],
    settings.pace,
  )
  const grouping = engine === 'sqlite' ? `, ${groupSize} transactions a commit` : ''
  return [
    ratioRow(compare(rates(ours), rates(bare)), {
      engine,
      measure,
      against: 'node:http, same bodies',
      ...(bareBudget === undefined ? {} : { budget: bareBudget }),
    }),
    ratioRow(compare(rates(ours), rates(engineOnly)), {
      engine,
      measure,
      against: `the engine alone, same rows${grouping}`,
      ...(engineBudget === undefined ? {} : { budget: engineBudget }),
    }),
  ]
}

export async function measureUsers(world: World): Promise<ResultRow[]> {
  const { dataset } = await world.running('small')
  const isSqlite = world.engine === 'sqlite'
  return measureWrite(world, {
    rows: 'users',
    measure: 'POST /auth/users, no password',
    next: createUser(dataset.main),
    bareBudget: isSqlite ? atLeast(0.3) : undefined,
    engineBudget: isSqlite ? undefined : atLeast(0.6),
  })
}

export async function measureTenants(world: World): Promise<ResultRow[]> {
  const { dataset } = await world.running('small')
  return measureWrite(world, { rows: 'tenants', measure: 'POST /tenants', next: createTenant(dataset) })
}
