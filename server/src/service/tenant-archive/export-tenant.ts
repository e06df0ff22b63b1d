// Exports one tenant as one file: what it needs in another deployment, read in one snapshot, sealed under a passphrase.
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, rename, unlink } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Deps } from '../../identity/deps.ts'
import type { Reader } from '../../platform/db/database.ts'
import { migrations } from '../../platform/db/migrations/index.ts'
import { type SqlValue, sql } from '../../platform/db/sql.ts'
import type { TableFacts } from '../../platform/db/table.ts'
import { tenants } from '../../tenancy/tenants/tables.ts'
import { isDayCounter } from '../tenant-tables/real-counts.ts'
import { isSealed } from '../tenant-tables/sealed-rows.ts'
import { tenantTables } from '../tenant-tables/tenant-tables.ts'
import { deriveKey, newHeader } from './archive-header.ts'
import { type ArchiveRow, lineText } from './archive-lines.ts'
import { bytesLines, filesTable } from './archived-files.ts'
import { sealFrames } from './sealed-frames.ts'

const batch = 500
export type Exporting = Pick<Deps, 'sealer' | 'clock' | 'storage' | 'db'>

/** What is sealed under the master key is opened inside the file, which is sealed as a whole. */
function opened(sealer: Deps['sealer'], table: TableFacts, row: ArchiveRow): ArchiveRow {
  const texts = table.sealed.flatMap(({ column, boundTo }) => {
    const text = row[column]
    return isSealed(text)
      ? [[`${column}:opened`, sealer.open(text, boundTo(row))] as const, [column, null] as const]
      : []
  })
  return { ...row, ...Object.fromEntries(texts) }
}

/** What an import makes itself is left out. */
const exportedColumns = ({ declared, options }: TableFacts): string[] =>
  Object.keys(declared)
    .filter((column) => options.madeAnew?.includes(column) !== true)
    .toSorted()

async function* rowsOf(reader: Reader, table: TableFacts, tenantId: string) {
  const key = sql.identifiers(table.walkedBy)
  let isAfter = sql``
  for (;;) {
    const rows = await reader.all<Record<string, SqlValue>>(sql`SELECT ${sql.identifiers(exportedColumns(table))}
      FROM ${sql.identifier(table.name)} WHERE tenant_id = ${tenantId}${isAfter}
      ORDER BY ${key} LIMIT ${batch}`)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < batch) return
    const place = table.walkedBy.map((column) => last[column] ?? null)
    // The whole key: rows of one user, for example, may be on both sides of the end of a batch.
    isAfter = sql` AND (${key}) > (${sql.list(place)})`
  }
}

async function* dayCounters(reader: Reader, tenantId: string) {
  let after = ''
  for (;;) {
    const rows = await reader.all<{ name: string; value: number }>(sql`SELECT name, CAST(SUM(value) AS BIGINT) AS value
      FROM counters WHERE tenant_id = ${tenantId} AND name > ${after} GROUP BY name ORDER BY name LIMIT ${batch}`)
    for (const row of rows) if (isDayCounter(row.name)) yield row
    if (rows.length < batch) return
    after = rows.at(-1)?.name ?? ''
  }
}

/** Yields the lines of a file's bytes; returns whether there were any. A file that was deleted since the snapshot has none. */
async function* linesOfFile({ db, storage }: Exporting, row: ArchiveRow): AsyncGenerator<string, boolean> {
  if (yield* bytesLines(storage, row)) return true
  const { tenant_id: tenantId, id } = row as { readonly tenant_id: string; readonly id: string }
  const file = await db.first(sql`SELECT id FROM media_files WHERE tenant_id = ${tenantId} AND id = ${id}`)
  if (file !== undefined) throw new Error(`the bytes of file ${id} are not in the storage`)
  return false
}

/** Yields every line but the last, with the number of rows by table as it grows. */
async function* contents(
  reader: Reader,
  deps: Exporting,
  tenantId: string,
  counts: Map<string, number>,
): AsyncGenerator<string> {
  const rowLine = (table: string, row: ArchiveRow) => {
    counts.set(table, (counts.get(table) ?? 0) + 1)
    return lineText({ kind: 'row', table, row })
  }
  const tenant = await reader.first<Record<string, SqlValue>>(
    sql`SELECT ${sql.identifiers(exportedColumns(tenants))} FROM tenants WHERE id = ${tenantId}`,
  )
  if (tenant === undefined) throw new Error('the tenant went away')
  yield rowLine('tenants', tenant)
  const gone = new Set<SqlValue>()
  for (const table of tenantTables) {
    const { notExported, isExported } = table.options
    if (notExported !== undefined) continue
    for await (const row of rowsOf(reader, table, tenantId)) {
      if (isExported?.(row) === false) continue
      if (table.name === filesTable && !(yield* linesOfFile(deps, row))) gone.add(row['id'] ?? null)
      // An upload and the file that it has become are one thing with one id.
      const isMedia = table.name === filesTable || table.name === 'media_uploads'
      if (!isMedia || !gone.has(row['id'] ?? null)) yield rowLine(table.name, opened(deps.sealer, table, row))
    }
  }
  for await (const { name, value } of dayCounters(reader, tenantId)) yield lineText({ kind: 'counter', name, value })
}

/** Yields the lines, and the last one, which contains the numbers of rows and of bytes. */
async function* withEnd(lines: AsyncIterable<string>, counts: ReadonlyMap<string, number>): AsyncGenerator<string> {
  const sum = createHash('sha256')
  for await (const line of lines) {
    sum.update(line)
    yield line
  }
  yield lineText({ kind: 'end', rows: Object.fromEntries(counts), sha256: sum.digest('hex') })
}

/** Puts the file in place completely or not at all: it is written beside it first, readable by its owner alone. */
async function writeWhole(path: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const partial = `${path}.partial`
  await unlink(partial).catch(() => undefined)
  try {
    await pipeline(Readable.from(pieces), createWriteStream(partial, { flags: 'wx', mode: 0o600 }))
    const file = await open(partial, 'r+')
    try {
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(partial, path)
  } catch (error) {
    await unlink(partial).catch(() => undefined)
    throw error
  }
}

/**
 * Seals a tenant as it is at one moment, which lasts until `write` has taken all pieces.
 * @param onRows called now and then with the number of rows that were read.
 * @returns the number of rows by table.
 */
export async function sealTenant(
  deps: Exporting,
  tenantId: string,
  passphrase: string,
  write: (pieces: AsyncIterable<Uint8Array>) => Promise<void>,
  onRows?: (rows: number) => void,
): Promise<Record<string, number>> {
  const { db, clock } = deps
  const header = newHeader(tenantId, clock.now(), migrations.at(-1)?.id ?? '')
  const firstLine = Buffer.from(`${JSON.stringify(header)}\n`)
  const key = { key: await deriveKey(passphrase, header), header: firstLine }
  const counts = new Map<string, number>()
  await db.snapshot(async (reader) => {
    async function* pieces() {
      yield firstLine
      for await (const frame of sealFrames(key, withEnd(contents(reader, deps, tenantId, counts), counts))) {
        yield frame
        onRows?.([...counts.values()].reduce((sum, count) => sum + count, 0))
        // On SQLite nothing here ever waits for I/O, so requests would not get a turn.
        await nextTurn()
      }
    }
    await write(pieces())
  })
  return Object.fromEntries(counts)
}

/**
 * @param path replaced if it exists.
 * @param onRows called now and then with the number of rows that were read.
 * @returns the number of rows by table.
 */
export const exportTenant = (
  deps: Exporting,
  tenantId: string,
  path: string,
  passphrase: string,
  onRows?: (rows: number) => void,
): Promise<Record<string, number>> =>
  sealTenant(deps, tenantId, passphrase, (pieces) => writeWhole(path, pieces), onRows)
