// Session checks and sign-ins in a database that holds very many sessions, beside one that holds few.
import { openBulkEngine } from '../data/bulk-engine.ts'
import { insertContents } from '../data/bulk-rows.ts'
import { insertSessions } from '../data/bulk-sessions.ts'
import { type Dataset, createDataset } from '../data/dataset.ts'
import { createPeople } from '../data/people.ts'
import { runLoad } from '../load/load.ts'
import { type Contestant, compare, rates, takeTurns } from '../load/rounds.ts'
import { type ResultRow, atLeast, ratioRow } from '../results.ts'
import { startBailiwick } from '../servers/bailiwick.ts'
import { type World, httpContestant } from '../world.ts'
import { check, connections, connectionsForPasswords, signingIn } from './sessions.ts'

async function datasetWith(world: World, sessions: number): Promise<Dataset> {
  const { engine, place, settings } = world
  const { users } = settings.storedSessions
  const label = `sessions_${sessions}`
  const dataset = await createDataset(
    place.directory,
    label,
    settings.sizes.small,
    place.postgresUrl,
    place.compileCache,
  )
  const bulk = await openBulkEngine(dataset.store)
  await insertContents(bulk, dataset.main.id, { users, events: 1, organizations: 1 })
  await insertSessions(bulk, engine, dataset.main.id, { users, sessions })
  await bulk.finish()
  return dataset
}

export async function measureStoredSessions(world: World): Promise<ResultRow[]> {
  const { engine, settings } = world
  const { few, many } = settings.storedSessions
  const checks: Contestant[] = []
  const signIns: Contestant[] = []
  const stops: (() => Promise<void>)[] = []
  try {
    for (const sessions of [many, few]) {
      const dataset = await datasetWith(world, sessions)
      const server = await startBailiwick(dataset.store, world.place)
      stops.push(() => server.stop())
      const { port } = server
      const { emails, cookies } = await createPeople(dataset, port)
      const asked = cookies.map((cookie) => check(dataset, cookie))
      let count = 0
      checks.push(httpContestant(port, connections, () => asked[count++ % asked.length] ?? Buffer.alloc(0)))
      const load = {
        port,
        connections: connectionsForPasswords,
        next: signingIn(dataset, emails),
        hasOwnAddresses: true,
      }
      signIns.push({ run: (seconds) => runLoad({ ...load, seconds }) })
    }
    const [manyChecks = [], fewChecks = []] = await takeTurns(checks, settings.pace)
    const [manySignIns = [], fewSignIns = []] = await takeTurns(signIns, settings.pace)
    const beside = `beside ${many.toLocaleString('en')} sessions`
    const row = { engine, against: `beside ${few.toLocaleString('en')}`, budget: atLeast(0.9) }
    return [
      ratioRow(compare(rates(manyChecks), rates(fewChecks)), { ...row, measure: `Session check ${beside}` }),
      ratioRow(compare(rates(manySignIns), rates(fewSignIns)), {
        ...row,
        measure: `Sign-in with a password ${beside}`,
      }),
    ]
  } finally {
    for (const stop of stops) await stop()
  }
}
