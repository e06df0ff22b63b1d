// How soon the event log is sealed after a minute in which the service accepts as many writes as it can.
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Store, onPostgresql } from '../data/store.ts'
import { createTenant, createUser } from '../load/calls.ts'
import { runLoad } from '../load/load.ts'
import { type ResultRow, below, valueRow } from '../results.ts'
import type { World } from '../world.ts'

const connections = 64
const lookEveryMs = 100
const budgetSeconds = 10
const waitSecondsMax = 600

interface Progress {
  readonly written: number
  readonly sealed: number
}

const query = `SELECT (SELECT count(*) FROM events) AS written, (SELECT count(*) FROM event_seals) AS sealed`

/** Counts both logs from outside the service. */
async function readProgress({ databaseUrl, sqliteFile }: Store): Promise<Progress> {
  if (databaseUrl === undefined) {
    const database = new DatabaseSync(sqliteFile, { readOnly: true })
    try {
      // The query selects these columns.
      return database.prepare(query).get() as unknown as Progress
    } finally {
      database.close()
    }
  }
  const { rows } = await onPostgresql(databaseUrl, (client) => client.query<Record<keyof Progress, string>>(query))
  return { written: Number(rows[0]?.written), sealed: Number(rows[0]?.sealed) }
}

/** Every second request creates a tenant, which has a chain of its own; the others create users in one and the same tenant. */
export async function measureSealing(world: World): Promise<ResultRow[]> {
  const { engine, settings } = world
  const { dataset, server } = await world.running('small')
  const [newTenant, newUser] = [createTenant(dataset), createUser(dataset.main)]
  let count = 0
  const next = () => (count++ % 2 === 0 ? newTenant() : newUser())
  const before = await readProgress(dataset.store)
  await runLoad({ port: server.port, connections, seconds: settings.sealingSeconds, next })
  const endedAt = performance.now()
  const seconds = () => (performance.now() - endedAt) / 1000
  const { written, sealed } = await readProgress(dataset.store)
  for (;;) {
    const now = await readProgress(dataset.store)
    if (now.sealed >= now.written) break
    if (seconds() > waitSecondsMax) throw new Error(`${now.written - now.sealed} events are still unsealed`)
    await sleep(lookEveryMs)
  }
  const rate = Math.round((written - before.written) / settings.sealingSeconds)
  const behind = (written - sealed).toLocaleString('en')
  return [
    valueRow(seconds(), {
      engine,
      measure: `All events sealed after ${settings.sealingSeconds} s of writing, half of them in tenants of their own`,
      unit: (value) => `${value.toFixed(1)} s`,
      note: `${rate.toLocaleString('en')} events/s; ${behind} unsealed at the end of it`,
      budget: below(budgetSeconds, 's'),
    }),
  ]
}
