// Restores a tenant from an archive, with the same ids. Its rows are written in batches, so that memory does not grow with the file, into a
// tenant that is hidden like a deleted one; the bytes of a file come before its row. The last transaction makes the tenant visible. What
// fails before that is erased again, by this process or, if it is killed, by the clean-up of a running service a day later.
import type { Deps } from '../../identity/deps.ts'
import { newDraw } from '../../identity/passwords/passwords.ts'
import { removeMediaOf } from '../../media/remove-bytes.ts'
import { pictureAddress } from '../../media/uploads/pictures.ts'
import { invalidateTenant } from '../../platform/cache/invalidation.ts'
import { addMilliseconds } from '../../platform/clock.ts'
import { newPublicKey } from '../../platform/crypto/tokens.ts'
import { foreignKeyConstraint } from '../../platform/db/constraints.ts'
import { addToCounters } from '../../platform/db/counters.ts'
import { ConstraintError, type Transaction } from '../../platform/db/database.ts'
import { type SqlValue, type Statement, sql } from '../../platform/db/sql.ts'
import { eventStatement } from '../../platform/events/append.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import { type ShownName, shownAddress } from '../../tenancy/tenants/shown-address.ts'
import { eraseSomeRows } from '../tenant-tables/erase-rows.ts'
import { realCounts } from '../tenant-tables/real-counts.ts'
import { tenantTables } from '../tenant-tables/tenant-tables.ts'
import { ArchiveError } from './archive-error.ts'
import type { ArchiveRow } from './archive-lines.ts'
import { acceptedFile, ownKey, wholeLines } from './archived-files.ts'
import { type Inspection, assertOwnRow, domainTables, inspectArchive } from './inspect-archive.ts'
import { retellingSince } from './older-rows.ts'
import { assertOwnRolesAtHome } from './own-roles.ts'
import type { Archive } from './read-archive.ts'

const batch = 200
/** A batch is written earlier once its rows take this much memory, so that long rows do not add up. */
const batchBytesMax = 1024 * 1024
/** A row of this age was left by an import that is dead: a running one updates it with every batch. */
const silentMsMax = 10 * 60 * 1000
const operator: Actor = { type: 'operator', id: null, ip: null, ua: null }

export interface ImportOptions {
  /** Recorded as the one who imported the tenant; by default the operator at the command line. */
  readonly actor?: Actor
  /** Whether domains arrive verified if the archive says so; by default they have to be verified again, with new records. */
  readonly trustDomains?: boolean
  /** Ends the import when it is aborted, and takes back what was written. */
  readonly signal?: AbortSignal
  /** Called after each row that was checked, and later after each that was read again to be written. */
  readonly onRow?: (step: 'checking' | 'writing', rowsTotal?: number) => void
}

const byName = new Map(tenantTables.map((table) => [table.name, table]))

/** Returns the row in the form for this deployment: secrets under its master key, people with new keys of their own. */
function rowHere(
  { sealer, personal, config }: Deps,
  tableName: string,
  row: ArchiveRow,
  trustDomains: boolean,
): Record<string, SqlValue> {
  const here: Record<string, SqlValue> = { ...row }
  for (const column of byName.get(tableName)?.options.madeAnew ?? []) delete here[column]
  for (const { column, boundTo } of byName.get(tableName)?.sealed ?? []) {
    const text = here[`${column}:opened`]
    if (typeof text === 'string') here[column] = sealer.seal(text, boundTo(row))
    delete here[`${column}:opened`]
  }
  if (tableName === 'users') {
    here['personal_salt'] = personal.newSalt()
    const { tenant_id: tenantId, picture_id: pictureId } = row
    if (typeof pictureId === 'string') here['image_uri'] = pictureAddress(config, String(tenantId), pictureId)
  }
  // An archive of an older version does not contain them.
  if (tableName === 'passwords') here['draw'] ??= newDraw()
  if (domainTables.has(tableName) && !trustDomains) {
    // A record that the owner has published for somebody else must not prove this claim.
    Object.assign(here, { verified_at: null, verification_reason: null, verification_token: newPublicKey('') })
    if (tableName === 'organization_domains') here['dns_verified_at'] = null
  }
  // Console users are of another deployment, where these ids may be somebody else's.
  if (row['actor_type'] === 'console_user') here['actor_id'] = null
  if (tableName === 'media_uploads') {
    here['storage_key'] = ownKey(String(row['tenant_id']), row['storage_key'])
    // The address to which a browser was to be sent belongs to the other deployment.
    here['direct_key'] = null
  }
  return here
}

const bytesOf = (row: Readonly<Record<string, SqlValue>>) =>
  Object.values(row).reduce<number>(
    (bytes, value) => bytes + (typeof value === 'string' || value instanceof Uint8Array ? value.length : 0),
    0,
  )

function insertRows(table: string, rows: readonly Record<string, SqlValue>[]): Statement {
  const columns = Object.keys(rows[0] ?? {})
  const values = rows.map((row) =>
    columns.map((name) => {
      const value = row[name]
      if (value === undefined) throw new ArchiveError(`the rows of ${table} differ in their columns`)
      return value
    }),
  )
  return sql`INSERT INTO ${sql.identifier(table)} (${sql.identifiers(columns)}) ${sql.values(values)}`
}

/** Writes what belongs to the hidden tenant, as long as this import owns it. */
class Staging {
  readonly #deps: Deps
  readonly #tenantId: TenantId
  #hasTenant = false
  #table = ''
  #rows: Record<string, SqlValue>[] = []
  #bytes = 0

  constructor(deps: Deps, tenantId: TenantId) {
    this.#deps = deps
    this.#tenantId = tenantId
  }

  /** Whether this import has begun anything: what belongs to another import must not be removed. */
  get hasBegun(): boolean {
    return this.#hasTenant
  }

  async addTenant(row: ArchiveRow, actor: Actor): Promise<void> {
    await stageTenant(this.#deps, row, actor)
    this.#hasTenant = true
  }

  async add(table: string, row: Record<string, SqlValue>): Promise<void> {
    const bytes = bytesOf(row)
    const isFull = this.#rows.length === batch || this.#bytes + bytes > batchBytesMax
    if (table !== this.#table || isFull) await this.flush()
    assertColumns(table, row)
    this.#table = table
    this.#rows.push(row)
    this.#bytes += bytes
  }

  async flush(): Promise<void> {
    const rows = this.#rows
    this.#rows = []
    this.#bytes = 0
    if (rows.length > 0) await this.write(() => insertRows(this.#table, rows))
  }

  async write(build: (context: { readonly shard: number }) => Statement): Promise<void> {
    const { db, clock } = this.#deps
    await db.transaction(async (tx) => {
      const isOurs = await tx.run(
        sql`UPDATE tenants SET deleted_at = ${clock.now()} WHERE id = ${this.#tenantId} AND kind = 'importing'`,
      )
      if (isOurs === 0) throw new ArchiveError('what was imported so far is gone: another import has taken its place')
      await tx.run(build(tx))
    })
  }
}

function assertColumns(table: string, row: ArchiveRow) {
  const known = byName.get(table)?.declared ?? {}
  for (const name of Object.keys(row)) {
    if (!Object.hasOwn(known, name)) throw new ArchiveError(`the file holds ${table}.${name}, which is not known here`)
  }
}

/**
 * The creator answers for what the tenant sends through the deployment's own channel. That is whoever imports it, and never somebody whom
 * the archive names.
 */
async function stageTenant({ db, clock, config }: Deps, row: ArchiveRow, actor: Actor) {
  const creatorId = actor.type === 'console_user' ? actor.id : null
  const addressOf = (name: ShownName, id: SqlValue | undefined) =>
    typeof id === 'string' ? shownAddress(config, String(row['id']), name, id) : null
  const hidden = {
    ...row,
    creator_id: creatorId,
    icon_uri: addressOf('iconId', row['icon_id']),
    logo_uri: addressOf('logoId', row['logo_id']),
    kind: 'importing',
    deleted_at: clock.now(),
  }
  await db.write(() => [insertRows('tenants', [hidden])])
}

interface Staged {
  readonly actor: Actor
  readonly trustDomains: boolean
  readonly onRow: () => void
}

async function stageRows(
  deps: Deps,
  staging: Staging,
  archive: Archive,
  { actor, trustDomains, onRow }: Staged,
): Promise<void> {
  const { tenantId } = archive.header
  for await (const line of wholeLines(archive)) {
    if (line.kind === 'counter') {
      await staging.flush()
      await staging.write((context) => addToCounters(context, tenantId, { [line.name]: line.value }))
      continue
    }
    assertOwnRow(tenantId, line.table, line.row)
    const { row, file } = line.file === undefined ? line : await acceptedFile(tenantId, line.row, line.file)
    if (file !== undefined) await deps.storage.put(file.key, file.bytes, file.mime)
    if (line.table === 'tenants') await staging.addTenant(row, actor)
    else await staging.add(line.table, rowHere(deps, line.table, row, trustDomains))
    onRow()
  }
  await staging.flush()
  for await (const statement of retellingSince(deps.db, tenantId, archive.header.schema)) {
    await staging.write(() => statement)
  }
  await assertOwnRolesAtHome(deps.db, tenantId)
}

/** Counted from the rows that exist now, whatever the other deployment had counted. */
async function stageCounters({ db }: Deps, staging: Staging, tenantId: TenantId): Promise<void> {
  let counts: Record<string, number> = {}
  const write = async () => {
    const deltas = counts
    counts = {}
    if (Object.keys(deltas).length > 0) await staging.write((context) => addToCounters(context, tenantId, deltas))
  }
  for await (const [name, count] of realCounts(db, tenantId)) {
    counts[name] = count
    if (Object.keys(counts).length === batch) await write()
  }
  await write()
}

async function publish(deps: Deps, archive: Archive, rows: Inspection['rows'], actor: Actor): Promise<void> {
  const { db, clock, personal, tenants } = deps
  const tenantId = archive.header.tenantId as TenantId
  await db.transaction(async (tx) => {
    const published = await tx.run(
      sql`UPDATE tenants SET kind = 'tenant', deleted_at = ${null} WHERE id = ${tenantId} AND kind = 'importing'`,
    )
    if (published === 0) throw new ArchiveError('what was imported is gone: another import has taken its place')
    await forgetMissingImages(tx, tenantId)
    for (const table of ['custom_providers', 'applications']) {
      await tx.run(sql`UPDATE ${sql.identifier(table)} SET logo_id = NULL WHERE tenant_id = ${tenantId} AND logo_id NOT IN
        (SELECT id FROM media_files WHERE media_files.tenant_id = ${tenantId})`)
    }
    await tx.run(sql`UPDATE users SET picture_id = NULL, image_uri = NULL
      WHERE tenant_id = ${tenantId} AND picture_id IS NOT NULL AND picture_id NOT IN
        (SELECT id FROM media_files WHERE media_files.tenant_id = ${tenantId})`)
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'tenant.imported',
        actor,
        subjectId: tenantId,
        data: { exportedAt: archive.header.createdAt, rows },
      }),
    )
    await invalidateTenant(tx, tenants, tenantId)
  })
}

async function eraseStaged(deps: Deps, tenantId: TenantId): Promise<void> {
  const { db } = deps
  const staged = await db.first(sql`SELECT id FROM tenants WHERE id = ${tenantId} AND kind = 'importing'`)
  if (staged === undefined) return
  while ((await eraseSomeRows(db, tenantId)) > 0);
  // The last row stays until the storage has removed the files, so that this is tried again.
  await removeMediaOf(deps, tenantId)
  await db.write(() => [sql`DELETE FROM tenants WHERE id = ${tenantId} AND kind = 'importing'`])
}

/**
 * Removes the tenant's images of which there is no file: one that was deleted while the other deployment wrote the archive is not in it. The
 * files are asked for first, because Citus changes no table that each server has by what only one of them knows.
 */
async function forgetMissingImages(tx: Transaction, tenantId: TenantId): Promise<void> {
  const row = await tx.first<Readonly<Record<string, string | null>>>(
    sql`SELECT icon_id, logo_id, dark_logo_id FROM tenants WHERE id = ${tenantId}`,
  )
  for (const [image, uri] of [
    ['icon_id', sql`, icon_uri = NULL`],
    ['logo_id', sql`, logo_uri = NULL`],
    ['dark_logo_id', sql``],
  ] as const) {
    const id = row?.[image] ?? null
    if (id === null) continue
    const file = await tx.first(sql`SELECT 1 AS one FROM media_files WHERE tenant_id = ${tenantId} AND id = ${id}`)
    if (file === undefined)
      await tx.run(sql`UPDATE tenants SET ${sql.identifier(image)} = NULL${uri} WHERE id = ${tenantId}`)
  }
}

/** Removes what a killed import of the same tenant left. */
async function eraseLeftOver(deps: Deps, tenantId: TenantId): Promise<void> {
  const { db, clock } = deps
  const row = await db.first<{ deleted_at: string }>(
    sql`SELECT deleted_at FROM tenants WHERE id = ${tenantId} AND kind = 'importing'`,
  )
  // SQLite belongs to this process alone.
  const isDead =
    row !== undefined && (db.engine === 'sqlite' || row.deleted_at < addMilliseconds(clock.now(), -silentMsMax))
  if (isDead) await eraseStaged(deps, tenantId)
}

/**
 * All or nothing: nothing is written if there are conflicts.
 * @throws ArchiveError if the file cannot be used; the reason of the signal if it is aborted.
 */
export async function importTenant(
  deps: Deps,
  archive: Archive,
  { actor = operator, trustDomains = false, signal, onRow }: ImportOptions = {},
): Promise<Inspection> {
  const tenantId = archive.header.tenantId as TenantId
  await eraseLeftOver(deps, tenantId)
  const onChecked = () => {
    signal?.throwIfAborted()
    onRow?.('checking')
  }
  const inspection = await inspectArchive(deps, archive, { isTrusted: trustDomains, onRow: onChecked })
  if (inspection.conflicts.length > 0) return inspection
  const rowsTotal = Object.values(inspection.rows).reduce((sum, count) => sum + count, 0)
  const staging = new Staging(deps, tenantId)
  try {
    const onWritten = () => {
      signal?.throwIfAborted()
      onRow?.('writing', rowsTotal)
    }
    await stageRows(deps, staging, archive, { actor, trustDomains, onRow: onWritten })
    await stageCounters(deps, staging, tenantId)
    signal?.throwIfAborted()
    await publish(deps, archive, inspection.rows, actor)
    return inspection
  } catch (error) {
    if (staging.hasBegun) await eraseStaged(deps, tenantId)
    if (!(error instanceof ConstraintError)) throw error
    const isUnique = error.constraint !== foreignKeyConstraint && /_p?key$/.test(error.constraint)
    const reason = isUnique
      ? 'something else here, or another row of the file, has what must be unique'
      : 'the rows of the file do not fit together'
    throw new ArchiveError(`${reason} (${error.constraint})`, { cause: error })
  }
}
