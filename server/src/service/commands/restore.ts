import { chmodSync, copyFileSync, existsSync, lstatSync, rmSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Config } from '../../platform/config.ts'
import { pendingMigrations } from '../../platform/db/migrate.ts'
import { migrations } from '../../platform/db/migrations/index.ts'
import { type OpenDatabase, openDatabase } from '../../platform/db/open.ts'
import { sql } from '../../platform/db/sql.ts'
import { lockDirectory } from '../../platform/db/sqlite/directory-lock.ts'
import { assertMasterKeyFits, assertMasterKeyIsThere } from '../../tenancy/signing-keys/fitting-master-key.ts'
import { type Manifest, names, readManifest, sha256Of, syncPath } from '../backup/backup-folder.ts'
import { type CopiedFiles, copyFiles } from '../backup/stored-files.ts'
import { buildDeps } from '../main.ts'
import { commandLog, reading } from '../open-deployment.ts'
import { CommandRefused, type Outcome, exitStatus } from '../outcome.ts'
import { printable } from '../tenant-archive/archive-error.ts'
import { type CheckedCopy, checkCopy } from './check-copy.ts'
import type { Tell } from './terminal/progress.ts'

interface Restored {
  readonly at: string
  /** Null if the database is on PostgreSQL, or the backup is older: then the first start migrates it. */
  readonly checked: CheckedCopy | null
  readonly files: CopiedFiles | null
}

/** Returns the migrations of this version that have not been applied to a database that was backed up. */
async function lackingMigrations(db: OpenDatabase): Promise<readonly string[]> {
  const rows = await db.all<{ id: string }>(sql`SELECT id FROM schema_migrations ORDER BY id LIMIT 10000`)
  // A backup is restored by the version that made it or a later one.
  const applied = rows.map(({ id }) => ({ id, required_id: null }))
  return pendingMigrations(migrations, applied).map(({ id }) => id)
}

const foreignMax = 10

/**
 * The migrations make tables and indexes alone. A trigger or view that somebody has added to a backup would be part of every write from then
 * on, for example of one that makes its author an administrator.
 * @throws CommandRefused
 */
async function assertOwnSchema(db: OpenDatabase): Promise<void> {
  const rows = await db.all<{ type: string; name: string }>(sql`SELECT type, name FROM sqlite_schema
    WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%' ORDER BY name LIMIT ${foreignMax}`)
  if (rows.length === 0) return
  const found = rows.map(({ type, name }) => `${type} ${printable(name)}`).join(', ')
  throw new CommandRefused(`the database of the backup holds what no version of this service makes: ${found}`)
}

/** @throws CommandRefused, MasterKeyError, SchemaNewerThanCode */
async function checkDatabase(config: Config, db: OpenDatabase, tell: Tell): Promise<CheckedCopy | null> {
  await assertOwnSchema(db)
  const lacking = await lackingMigrations(db)
  await assertMasterKeyIsThere(config, db)
  const deps = { ...(await buildDeps(config, db, commandLog(config))), db }
  await assertMasterKeyFits(db, deps.sealer)
  return lacking.length === 0 ? checkCopy(deps, tell) : null
}

const restoredFiles = (config: Config, from: string, db: OpenDatabase, tell: Tell) =>
  config.s3 === undefined
    ? copyFiles(db, join(from, names.files), join(config.dataDir, names.files), {
        onFile: (done, total) => tell('Files copied', done, total),
        isForeign: true,
      })
    : Promise.resolve(null)

/** A backup is one file, without a write-ahead log. */
function beginWriteAheadLog(file: string): void {
  const db = new DatabaseSync(file)
  try {
    db.exec('PRAGMA journal_mode = WAL')
  } finally {
    db.close()
  }
}

/** The database comes last: until it is in place, a service that is started here begins with an empty one, and says so. */
async function restoreSqlite(config: Config, from: string, { at, database }: Manifest, tell: Tell): Promise<Restored> {
  if (database === null) {
    throw new CommandRefused(
      'the backup is that of a deployment on PostgreSQL: set DATABASE_URL to the restored database',
    )
  }
  const lock = lockDirectory(config.dataDir)
  const target = join(config.dataDir, names.database)
  const copy = `${target}.partial`
  try {
    if (existsSync(target))
      throw new CommandRefused(`there is a database in ${config.dataDir}: name an empty data directory`)
    const source = join(from, names.database)
    if (!lstatSync(source, { throwIfNoEntry: false })?.isFile()) {
      throw new CommandRefused(`${source} is missing, or no file`)
    }
    tell('Databases copied', 0, 1)
    copyFileSync(source, copy)
    if ((await sha256Of(copy)) !== database.sha256) throw new CommandRefused('the database of the backup is damaged')
    const db = await openDatabase({ kind: 'sqlite', file: copy, isReadOnly: true })
    let restored: Restored
    try {
      restored = {
        at,
        checked: await checkDatabase(config, db, tell),
        files: await restoredFiles(config, from, db, tell),
      }
    } finally {
      await db.close()
    }
    beginWriteAheadLog(copy)
    for (const suffix of ['-wal', '-shm']) rmSync(target + suffix, { force: true })
    syncPath(copy)
    await rename(copy, target)
    syncPath(config.dataDir)
    return restored
  } finally {
    for (const suffix of ['', '-wal', '-shm']) rmSync(copy + suffix, { force: true })
    lock.release()
  }
}

const restoreBesidePostgresql = (config: Config, from: string, { at }: Manifest, tell: Tell): Promise<Restored> =>
  reading(config, async ({ db }) => ({ at, checked: null, files: await restoredFiles(config, from, db, tell) }))

function textOf({ at, checked, files }: Restored): string {
  return [
    `Restored the backup of ${at}.`,
    ...(checked === null ? [] : [`${checked.events} sealed events of ${checked.tenants} tenants, all intact.`]),
    files === null ? 'The files are in the bucket.' : `${files.count} files.`,
    ...(files?.missing ?? []).map((path) => `Missing or damaged: ${path}`),
  ].join('\n')
}

/**
 * Restores a backup into an empty data directory; for PostgreSQL, only its files beside a database that was restored before. Everything is
 * checked before the database is put in place.
 */
export async function restore(config: Config, folder: string, tell: Tell = () => undefined): Promise<Outcome> {
  const from = resolve(folder)
  const manifest = await readManifest(from)
  // An administrator may have made it with the usual permissions; then others could read what is put into it.
  if (process.platform !== 'win32' && existsSync(config.dataDir)) chmodSync(config.dataDir, 0o700)
  const run = config.databaseUrl === undefined ? restoreSqlite : restoreBesidePostgresql
  const restored = await run(config, from, manifest, tell)
  const isWhole = (restored.files?.missing.length ?? 0) === 0
  return { text: textOf(restored), json: { from, ...restored }, status: isWhole ? exitStatus.ok : exitStatus.problems }
}
