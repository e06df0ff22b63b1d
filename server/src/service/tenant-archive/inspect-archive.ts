// Reads a whole archive before anything is written: whether it is undamaged, and what prevents its import here.
import { isTimestamp } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import type { Reader } from '../../platform/db/database.ts'
import { isKnownSchema } from '../../platform/db/migrate.ts'
import { migrations } from '../../platform/db/migrations/index.ts'
import { sql } from '../../platform/db/sql.ts'
import type { TableFacts } from '../../platform/db/table.ts'
import type { TenantId } from '../../platform/ids.ts'
import { dayCountNames } from '../../platform/statistics/day-counters.ts'
import { findDomainOwner } from '../../tenancy/domains/domains.ts'
import { tenants } from '../../tenancy/tenants/tables.ts'
import { isDayCounter } from '../tenant-tables/real-counts.ts'
import { tenantTables } from '../tenant-tables/tenant-tables.ts'
import { ArchiveError, printable } from './archive-error.ts'
import type { ArchiveRow } from './archive-lines.ts'
import { acceptedFile, wholeLines } from './archived-files.ts'
import type { Archive } from './read-archive.ts'
import { assertValues } from './row-values.ts'

export interface Inspection {
  /** In a form that is safe for a terminal. */
  readonly tenant: { readonly id: TenantId; readonly slug: string; readonly name: string }
  readonly rows: Readonly<Record<string, number>>
  /** How many domains were verified in the archive and are not here, because it is not trusted about them. */
  readonly domainsToVerify: number
  /** One sentence for each conflict, or the first ones if there are many; if there is none, it can be imported. */
  readonly conflicts: readonly string[]
}

/** The tables with domains, which are verified by a proof that another deployment has seen. */
export const domainTables: ReadonlySet<string> = new Set(['domains', 'organization_domains'])

const importedTables: readonly TableFacts[] = [tenants, ...tenantTables]
const byName = new Map(importedTables.map((table) => [table.name, table]))

function factsOf(table: string): TableFacts {
  const facts = byName.get(table)
  if (facts === undefined) throw new ArchiveError(`the file holds a row of ${table} that no export has`)
  return facts
}

const importable = new Set(
  tenantTables.filter(({ options }) => options.notExported === undefined).map(({ name }) => name),
)

/** @throws ArchiveError for a row that the archive of this tenant cannot contain. */
export function assertOwnRow(tenantId: string, table: string, row: ArchiveRow): void {
  if (table === 'tenants' ? row['id'] !== tenantId : row['tenant_id'] !== tenantId) {
    throw new ArchiveError('the file holds a row of another tenant than the one that it names')
  }
  if (table === 'tenants' ? row['kind'] !== 'tenant' : !importable.has(table)) {
    throw new ArchiveError(`the file holds a row of ${table} that no export has`)
  }
}

const conflictsMax = 20
/** Some 40 years of each statistic. */
const dayCountersMax = 200_000
/** A petabyte, for counters of bytes: sums of many days remain exact. */
const dayCountMax = 1e15

/**
 * Checks the counters of an archive. All counters except daily ones are computed from the rows: one in the archive would be added to them.
 */
class DayCounters {
  readonly #names = new Set<string>()

  add({ name, value }: { readonly name: string; readonly value: number }): void {
    const [count = '', day = ''] = name.split(':')
    const isKnown = isDayCounter(name) && name === `${count}:${day}` && dayCountNames.some((each) => each === count)
    if (!isKnown || !isTimestamp(`${day}T00:00:00Z`)) {
      throw new ArchiveError(`the file holds a counter ${printable(name)} that no export has`)
    }
    if (Math.abs(value) > dayCountMax) throw new ArchiveError(`the counter ${name} of the file is too large`)
    if (this.#names.has(name)) throw new ArchiveError(`the file holds the counter ${name} twice`)
    if (this.#names.size === dayCountersMax) throw new ArchiveError('the file holds too many counters')
    this.#names.add(name)
  }
}

/** Sentences about conflicts: the first ones and the number of the others, however many the file causes. */
class Conflicts {
  readonly #first: string[] = []
  #more = 0

  add(sentences: readonly string[]): void {
    for (const sentence of sentences) {
      if (this.#first.length < conflictsMax) this.#first.push(sentence)
      else this.#more++
    }
  }

  get sentences(): string[] {
    return this.#more === 0 ? this.#first : [...this.#first, `and ${this.#more} more`]
  }
}

const lookups: readonly { readonly column: string; readonly what: string }[] = [
  { column: 'id', what: 'a tenant of the same id' },
  { column: 'slug_key', what: 'a tenant of the same slug' },
  { column: 'public_key', what: 'a tenant of the same public key' },
]

async function tenantConflicts(db: Reader, row: ArchiveRow): Promise<string[]> {
  const conflicts: string[] = []
  for (const { column, what } of lookups) {
    const found = await db.first<{ id: string; kind: string; deleted_at: string | null }>(
      sql`SELECT id, kind, deleted_at FROM tenants WHERE ${sql.identifier(column)} = ${row[column] ?? null}`,
    )
    if (found === undefined) continue
    const deleted = found.deleted_at === null ? '' : ', deleted and not erased yet'
    conflicts.push(`${what} is here (${found.id}${found.kind === 'importing' ? ', being imported' : deleted})`)
  }
  return conflicts
}

async function domainConflict(db: Reader, row: ArchiveRow, isTrusted: boolean): Promise<string[]> {
  if (!isTrusted || row['verified_at'] === null || typeof row['name_key'] !== 'string') return []
  const owner = await findDomainOwner(db, row['name_key'])
  return owner === undefined ? [] : [`the domain ${printable(row['name_key'])} is verified here by ${owner}`]
}

export interface InspectOptions {
  /** Whether domains arrive verified if the archive says so. */
  readonly isTrusted?: boolean
  /** Called after each row. */
  readonly onRow?: () => void
}

/**
 * Reads the whole file.
 * @throws ArchiveError if it is damaged, or of a version that this one does not know.
 */
export async function inspectArchive(
  { db }: Pick<Deps, 'db'>,
  archive: Archive,
  { isTrusted = false, onRow }: InspectOptions = {},
): Promise<Inspection> {
  const { tenantId, schema } = archive.header
  if (!isKnownSchema(migrations, schema)) {
    throw new ArchiveError(`the file is of a newer version, or of one before 0.1.0: its schema is ${schema}`)
  }
  let tenant: ArchiveRow | undefined
  let verified = 0
  const rows: Record<string, number> = {}
  const conflicts = new Conflicts()
  const counters = new DayCounters()
  for await (const line of wholeLines(archive)) {
    if (line.kind === 'counter') counters.add(line)
    if (line.kind !== 'row') continue
    const { table, row } = line
    assertOwnRow(tenantId, table, row)
    if ((table === 'tenants') !== (tenant === undefined)) throw new ArchiveError('the file must begin with its tenant')
    rows[table] = (rows[table] ?? 0) + 1
    if (table === 'tenants') conflicts.add(await tenantConflicts(db, (tenant = row)))
    assertValues(factsOf(table), row, rows[table])
    if (line.file !== undefined) await acceptedFile(tenantId, row, line.file)
    if (table === 'domains') conflicts.add(await domainConflict(db, row, isTrusted))
    if (domainTables.has(table) && row['verified_at'] !== null) verified++
    onRow?.()
  }
  if (tenant === undefined) throw new ArchiveError('the file holds no tenant')
  return {
    tenant: {
      id: tenantId as TenantId,
      slug: printable(String(tenant['slug'])),
      name: printable(String(tenant['name'])),
    },
    rows,
    domainsToVerify: isTrusted ? 0 : verified,
    conflicts: conflicts.sentences,
  }
}
