// `npm run row-sizes -- [--rows=1000000] [--users=…] [--parts=…] [--engine=…]`: how many bytes a user, a session and an event take, with their
// indexes, on both engines, and on PostgreSQL how long they take to vacuum. docs/scaling.md has the results.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPrivatePostgres } from '../../scripts/private-postgres.ts'
import { type BulkEngine, openBulkEngine } from './data/bulk-engine.ts'
import { insertContents } from './data/bulk-rows.ts'
import { insertAttempts, insertEvents, insertSessions } from './data/bulk-sessions.ts'
import { type Dataset, createDataset } from './data/dataset.ts'
import type { EngineName } from './data/store.ts'

const options = {
  /** The number of sessions, of attempts to sign in and of events. */
  rows: { type: 'string', default: '100000' },
  /** The number of users; as many as rows, but no more than a million, because they take longest to insert. */
  users: { type: 'string' },
  /** What is inserted and measured, separated by commas, where the disk has no room for all at once. */
  parts: { type: 'string' },
  engine: { type: 'string' },
} as const
const { values } = parseArgs({ options })

function readCount(name: 'rows' | 'users', text: string): number {
  const count = Number(text)
  if (!Number.isSafeInteger(count) || count < 1000) throw new RangeError(`--${name} takes an integer of 1000 or more`)
  return count
}
const rows = readCount('rows', values.rows)
const users = readCount('users', values.users ?? String(Math.min(rows, 1_000_000)))

/** What makes up one of each: the tables that grow with it. */
const parts = {
  user: { tables: ['users', 'email_addresses', 'user_terms'], count: users },
  session: { tables: ['sessions'], count: rows },
  attempt: { tables: ['sign_in_attempts'], count: rows },
  // The users have been created before, and each time an event was written.
  event: { tables: ['events'], count: rows + users },
  seal: { tables: ['event_seals'], count: rows },
} as const
type Part = keyof typeof parts

function readParts(text: string): readonly Part[] {
  const names = text.split(',')
  const unknown = names.find((name) => !Object.hasOwn(parts, name))
  if (unknown !== undefined)
    throw new RangeError(`--parts takes ${Object.keys(parts).join(', ')}; ${unknown} is none of them`)
  return names as readonly Part[]
}
const measured = readParts(values.parts ?? Object.keys(parts).join(','))
/** Events are inserted with their seals. */
const withEvents = measured.includes('event') || measured.includes('seal')

interface Bytes {
  readonly all: number
  readonly indexes: number
}

async function tableBytes(engine: BulkEngine, name: EngineName, table: string): Promise<Bytes> {
  const value = async (text: string) => Number(await engine.value(text))
  if (name === 'postgresql') {
    const of = (kind: 'total_relation' | 'indexes') => value(`SELECT pg_${kind}_size('${table}')`)
    return { all: await of('total_relation'), indexes: await of('indexes') }
  }
  const of = (condition: string) =>
    value(`SELECT coalesce(sum(pgsize), 0) FROM dbstat WHERE aggregate = TRUE AND name IN
      (SELECT name FROM sqlite_master WHERE tbl_name = '${table}' AND ${condition})`)
  return { all: await of('TRUE'), indexes: await of(`type = 'index'`) }
}

async function printSizes(engine: BulkEngine, name: EngineName): Promise<void> {
  for (const part of measured) {
    const { tables, count } = parts[part]
    const sizes = await Promise.all(tables.map((table) => tableBytes(engine, name, table)))
    const each = (key: keyof Bytes) => Math.round(sizes.reduce((sum, size) => sum + size[key], 0) / count)
    console.log(
      `${name}, ${count.toLocaleString('en')} rows: a ${part} takes ${each('all')} bytes, ${each('indexes')} of them in indexes`,
    )
  }
}

/** As autovacuum pauses by default. */
const pauses = 'SET vacuum_cost_delay = 2'
const noPauses = 'SET vacuum_cost_delay = 0'

async function seconds(work: () => Promise<unknown>): Promise<string> {
  const startedAt = performance.now()
  await work()
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`
}

/** What a day does to the sessions: some are renewed, some are removed and as many come. Then the table is vacuumed. */
async function printVacuum(engine: BulkEngine): Promise<void> {
  const size = async () => `${Math.round((await tableBytes(engine, 'postgresql', 'sessions')).all / 1e6)} MB`
  const tenth = `id IN (SELECT id FROM sessions ORDER BY id LIMIT ${Math.floor(rows / 10)})`
  const before = await size()
  const renewing = await seconds(() => engine.run(`UPDATE sessions SET last_active_at = updated_at WHERE ${tenth}`))
  const renewed = await size()
  const fast = await seconds(() => engine.run('VACUUM sessions'))
  await engine.run(`DELETE FROM sessions WHERE ${tenth}`)
  await engine.run(pauses)
  const paced = await seconds(() => engine.run('VACUUM sessions'))
  await engine.run(noPauses)
  console.log(`postgresql, ${rows.toLocaleString('en')} sessions, ${before}: a tenth renewed in ${renewing}, then ${renewed}; vacuumed in ${fast}
  without pauses; a tenth deleted, vacuumed in ${paced} with the pauses of autovacuum's defaults, then ${await size()}`)
}

/** What retention does to the log: nothing changes but its oldest tenth, which is removed with its seals. */
async function printEventVacuum(engine: BulkEngine): Promise<void> {
  const first = await seconds(() => engine.run('VACUUM events, event_seals'))
  const untouched = await seconds(() => engine.run('VACUUM events, event_seals'))
  const oldest = (column: string, table: string) =>
    `${column} IN (SELECT ${column} FROM ${table} ORDER BY ${column} LIMIT ${Math.floor(rows / 10)})`
  const removing = await seconds(async () => {
    await engine.run(`DELETE FROM event_seals WHERE ${oldest('sequence', 'event_seals')}`)
    await engine.run(`DELETE FROM events WHERE ${oldest('position', 'events')}`)
  })
  await engine.run(pauses)
  const paced = await seconds(() => engine.run('VACUUM events, event_seals'))
  await engine.run(noPauses)
  console.log(`postgresql, ${rows.toLocaleString('en')} events with their seals: vacuumed for the first time in ${first}, again in ${untouched}; the oldest tenth
  removed in ${removing}, then vacuumed in ${paced} with the pauses of autovacuum's defaults`)
}

async function measureEngine(name: EngineName, directory: string, url: string | undefined) {
  const cache = join(directory, 'compile-cache')
  const data: Dataset = await createDataset(directory, 'sizes', { tenants: 1, members: 1000 }, url, cache)
  const engine = await openBulkEngine(data.store)
  const tenantId = data.main.id
  const filling = await seconds(async () => {
    await insertContents(engine, tenantId, { users, events: withEvents ? users : 0, organizations: 1 })
    if (measured.includes('session')) await insertSessions(engine, name, tenantId, { users, sessions: rows })
    if (measured.includes('attempt')) await insertAttempts(engine, name, tenantId, { users, attempts: rows })
    if (withEvents) await insertEvents(engine, name, tenantId, { users, events: rows })
    await engine.finish()
  })
  console.log(`${name}: filled in ${filling}`)
  const filled = await openBulkEngine(data.store)
  await printSizes(filled, name)
  if (name === 'postgresql' && measured.includes('session')) await printVacuum(filled)
  if (name === 'postgresql' && withEvents) await printEventVacuum(filled)
  await filled.finish()
}

const directory = mkdtempSync(join(tmpdir(), 'bailiwick-sizes-'))
process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
if (values.engine !== 'postgresql') await measureEngine('sqlite', directory, undefined)
if (values.engine !== 'sqlite') {
  const postgres = await startPrivatePostgres()
  try {
    await measureEngine('postgresql', directory, postgres.url)
  } finally {
    await postgres.stop()
  }
}
