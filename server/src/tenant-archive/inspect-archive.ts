// Looks through a whole archive before anything is written: whether it is as it was made, and what here stands in its way.
import type { Reader } from '../db/database.ts'
import { excessMessage, excessOf, parametersOf } from '../crypto/password-cost.ts'
import { migrations } from '../db/migrations/index.ts'
import { sql } from '../db/sql.ts'
import type { Deps } from '../deps.ts'
import type { TenantId } from '../ids.ts'
import { isDayCounter } from '../tenant-tables/real-counts.ts'
import { isSealed } from '../tenant-tables/sealed-rows.ts'
import { tenantTables } from '../tenant-tables/tenant-tables.ts'
import { selectVerifiedDomainOwner } from '../tenants/queries.ts'
import { ArchiveError } from './archive-error.ts'
import type { ArchiveRow } from './archive-lines.ts'
import { wholeLines } from './archived-files.ts'
import type { Archive } from './read-archive.ts'

export interface Inspection {
  readonly tenant: { readonly id: TenantId; readonly slug: string; readonly name: string }
  readonly rows: Readonly<Record<string, number>>
  /** One sentence each; none: it can be imported. */
  readonly conflicts: readonly string[]
}

const importable = new Set(tenantTables.filter((table) => table.notExported === undefined).map(({ name }) => name))

/** @throws ArchiveError for a row that the archive of this tenant cannot have. */
export function assertOwnRow(tenantId: string, table: string, row: ArchiveRow): void {
  if (table === 'tenants' ? row['id'] !== tenantId : row['tenant_id'] !== tenantId) {
    throw new ArchiveError('the file holds a row of another tenant than the one that it names')
  }
  if (table === 'tenants' ? row['kind'] !== 'tenant' : !importable.has(table)) {
    throw new ArchiveError(`the file holds a row of ${table} that no export has`)
  }
}

/**
 * What an archive brings is held to the same bound as what an import of users brings.
 * @throws ArchiveError
 */
function assertVerifiable({ user_id: userId, kind, hash, 'hash:opened': opened }: ArchiveRow): void {
  const encoded = kind === 'own' ? hash : opened
  let excess
  try {
    excess = excessOf(parametersOf(String(encoded)))
  } catch (cause) {
    throw new ArchiveError(`the password of the user ${String(userId)} is of no known form`, { cause })
  }
  if (excess !== undefined) {
    throw new ArchiveError(`the password of the user ${String(userId)} ${excessMessage(excess)}`)
  }
}

const sealedByTable = new Map(tenantTables.map(({ name, sealed }) => [name, sealed]))

/** An export opens every sealed text. One that is sealed was sealed elsewhere, and would never open here. */
function assertOpened(table: string, row: ArchiveRow): void {
  for (const { column } of sealedByTable.get(table) ?? []) {
    if (isSealed(row[column])) throw new ArchiveError(`the file holds a sealed text in ${table}.${column}`)
  }
}

/** All others are counted from the rows: one that came along would be added to them. */
function assertDayCounter(name: string): void {
  if (!isDayCounter(name)) throw new ArchiveError(`the file holds a counter ${name} that no export has`)
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

async function domainConflict(db: Reader, row: ArchiveRow): Promise<string[]> {
  if (row['verified_at'] === null || typeof row['name_key'] !== 'string') return []
  const owner = await selectVerifiedDomainOwner(db, row['name_key'])
  return owner === undefined ? [] : [`the domain ${row['name_key']} is verified here by ${owner.tenant_id}`]
}

/**
 * Reads the whole file.
 * @throws ArchiveError when it is damaged, or of a version that this one does not know.
 */
export async function inspectArchive({ db }: Pick<Deps, 'db'>, archive: Archive): Promise<Inspection> {
  const { tenantId, schema } = archive.header
  if (!migrations.some(({ id }) => id === schema)) {
    throw new ArchiveError(`the file is of a newer version, whose schema is ${schema}`)
  }
  let tenant: ArchiveRow | undefined
  const rows: Record<string, number> = {}
  const conflicts: string[] = []
  for await (const line of wholeLines(archive)) {
    if (line.kind === 'counter') assertDayCounter(line.name)
    if (line.kind !== 'row') continue
    const { table, row } = line
    assertOwnRow(tenantId, table, row)
    if ((table === 'tenants') !== (tenant === undefined)) throw new ArchiveError('the file must begin with its tenant')
    rows[table] = (rows[table] ?? 0) + 1
    if (table === 'tenants') conflicts.push(...(await tenantConflicts(db, (tenant = row))))
    assertOpened(table, row)
    if (table === 'passwords') assertVerifiable(row)
    if (table === 'domains') conflicts.push(...(await domainConflict(db, row)))
  }
  if (tenant === undefined) throw new ArchiveError('the file holds no tenant')
  return {
    tenant: { id: tenantId as TenantId, slug: String(tenant['slug']), name: String(tenant['name']) },
    rows,
    conflicts,
  }
}
