// What the database contains after a request: tests look behind the answers.
import { createSessionDirectory } from '../../../src/identity/sessions/session-directory.ts'
import { createClock } from '../../../src/platform/clock.ts'
import { readCounters } from '../../../src/platform/db/counters.ts'
import { tableNames } from '../../../src/platform/db/schema.ts'
import { sql } from '../../../src/platform/db/sql.ts'
import { createHealth } from '../../../src/platform/http/health.ts'
import { buildApp } from '../../../src/service/app.ts'
import { createTenantDirectory } from '../../../src/tenancy/directory/tenant-directory.ts'
import { type Answer, TestService } from '../service.ts'

export interface StoredEvent {
  readonly id: string
  readonly type: string
  readonly actor_type: string
  readonly actor_id: string | null
  readonly subject_type: string
  readonly subject_id: string
  readonly data: Readonly<Record<string, unknown>>
  readonly personal: string | null
}

/** Returns a tenant's events in the order in which they were written, of one type if one is named. */
export async function storedEvents({ deps }: TestService, tenantId: string, type?: string): Promise<StoredEvent[]> {
  const rows = await deps.db.all<Omit<StoredEvent, 'data'> & { readonly data: string }>(
    sql`SELECT id, type, actor_type, actor_id, subject_type, subject_id, data, personal FROM events
      WHERE tenant_id = ${tenantId} ORDER BY position LIMIT 10000`,
  )
  return rows
    .filter((row) => type === undefined || row.type === type)
    .map((row) => ({ ...row, data: JSON.parse(row.data) as Record<string, unknown> }))
}

export async function storedCounter({ deps }: TestService, tenantId: string, name: string): Promise<number> {
  const counts = await readCounters(deps.db, tenantId, [name])
  return counts.get(name) ?? 0
}

/** Returns how many rows each table has. */
export async function rowCounts({ deps: { db } }: TestService): Promise<Record<string, number>> {
  const names = (await tableNames(db)).filter((name) => !name.startsWith('sqlite'))
  const tables = names.map(
    (name) => sql`SELECT CAST(${name} AS text) AS name, CAST(count(*) AS integer) AS rows FROM ${sql.identifier(name)}`,
  )
  const counts = await db.all<{ name: string; rows: number }>(sql.join(tables, ' UNION ALL '))
  return Object.fromEntries(counts.map(({ name, rows }) => [name, rows]))
}

const meaningless: ReadonlySet<string> = new Set([
  'counters',
  'jobs',
  'cache_invalidations',
  'user_terms',
  'organization_terms',
])

/**
 * Returns the tables that have grown since, and by how many rows. Counters, jobs and the caches' feed are left out, because their numbers
 * of rows mean nothing, and so are search terms, whose number follows from names and addresses.
 */
export async function newRows(service: TestService, before: Readonly<Record<string, number>>) {
  const entries = Object.entries(await rowCounts(service)).map(
    ([table, rows]) => [table, rows - (before[table] ?? 0)] as const,
  )
  return Object.fromEntries(entries.filter(([table, rows]) => rows !== 0 && !meaningless.has(table)))
}

/** Another node on the same database, whose clock is ahead. The caller closes its `app`. */
export async function serviceInTheFuture({ deps }: TestService, aheadMs: number): Promise<TestService> {
  const clock = createClock(() => Date.now() + aheadMs)
  const tenants = createTenantDirectory(deps.db, clock, deps.config)
  const sessions = createSessionDirectory(deps.db, tenants, clock, deps.log)
  const later = { ...deps, clock, tenants, sessions }
  const app = buildApp(later, { health: createHealth(deps.db) })
  await app.ready()
  return new TestService(app, later)
}

/** Counts the statuses of simultaneous answers: `{200: 1, 409: 199}`. */
export function statusCounts(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
