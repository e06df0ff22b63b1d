// Two processes on one port beside two nodes, each with a port of its own and half of the connections.
import type { Dataset } from '../data/dataset.ts'
import { createPeople } from '../data/people.ts'
import { runLoad } from '../load/load.ts'
import { type Contestant, compare, rates, takeTurns } from '../load/rounds.ts'
import { type ResultRow, atLeast, ratioRow } from '../results.ts'
import { startBailiwick } from '../servers/bailiwick.ts'
import type { World } from '../world.ts'
import { check, connections, connectionsForPasswords, signingIn } from './sessions.ts'

const processes = 2

/** Sends the requests to several ports at once, over an equal share of the connections each. */
const spread = (ports: readonly number[], connectionsInAll: number, next: () => Buffer): Contestant => ({
  async run(seconds) {
    const load = { connections: connectionsInAll / ports.length, seconds, next, hasOwnAddresses: true }
    const samples = await Promise.all(ports.map((port) => runLoad({ ...load, port })))
    return { perSecond: samples.reduce((sum, { perSecond }) => sum + perSecond, 0), p99: undefined }
  },
})

function checking(dataset: Dataset, cookies: readonly string[]) {
  const checks = cookies.map((cookie) => check(dataset, cookie))
  let count = 0
  return () => checks[count++ % checks.length] ?? Buffer.alloc(0)
}

/** PostgreSQL only: one process alone can use SQLite. */
export async function measureProcesses(world: World): Promise<ResultRow[]> {
  if (world.engine === 'sqlite') return []
  const { dataset, server: first } = await world.running('small')
  const { emails, cookies } = await createPeople(dataset, first.port)
  const second = await startBailiwick(dataset.store, world.place)
  const several = await startBailiwick(dataset.store, { ...world.place, processes })
  const rows: ResultRow[] = []
  try {
    for (const [measure, connectionsInAll, next] of [
      [`Sign-in with a password, ${processes} processes`, connectionsForPasswords, signingIn(dataset, emails)],
      [`Session check, ${processes} processes`, connections, checking(dataset, cookies)],
    ] as const) {
      const contestants = [
        spread([several.port], connectionsInAll, next),
        spread([first.port, second.port], connectionsInAll, next),
      ]
      const [ours = [], nodes = []] = await takeTurns(contestants, world.settings.pace)
      rows.push(
        ratioRow(compare(rates(ours), rates(nodes)), {
          engine: world.engine,
          measure,
          against: `${processes} nodes`,
          budget: atLeast(0.9),
        }),
      )
    }
  } finally {
    await several.stop()
    await second.stop()
  }
  return rows
}
