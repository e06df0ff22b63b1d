import { chmodSync, existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Config } from '../../platform/config.ts'
import { lockDirectory } from '../../platform/db/directory-lock.ts'
import { openDatabase } from '../../platform/db/open.ts'
import { assertFit, lastBackupFile, names, sha256Of, syncPath, writeManifest } from '../backup/backup-folder.ts'
import { type CheckedCopy, checkCopy } from '../backup/check-copy.ts'
import { type CopiedFiles, copyFiles, removeOthers } from '../backup/stored-files.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import { type CommandDeps, reading, sqliteFile } from './deployment.ts'
import { CommandRefused, type Outcome } from './outcome.ts'

/**
 * Copies the SQLite database as of one moment, beside the service that writes it, into a file of its own without a write-ahead log.
 * https://sqlite.org/lang_vacuum.html#vacuuminto
 */
function copyDatabase(file: string, copy: string): void {
  rmSync(copy, { force: true })
  const source = new DatabaseSync(file, { readOnly: true, timeout: 10_000 })
  try {
    source.prepare('VACUUM INTO ?').run(copy)
  } finally {
    source.close()
  }
  chmodSync(copy, 0o600)
  syncPath(copy)
}

async function checkedDatabase(deps: CommandDeps, copy: string): Promise<CheckedCopy> {
  const db = await openDatabase({ kind: 'sqlite', file: copy, isReadOnly: true })
  try {
    return await checkCopy({ ...deps, db })
  } finally {
    await db.close()
  }
}

/** Copies the files that the database in the backup names; before the copy is in place, so that what is there stays a whole backup. */
async function backUpFiles(deps: CommandDeps, folder: string, copy: string | undefined, keys: Set<string>) {
  const from = join(deps.config.dataDir, names.files)
  const to = join(folder, names.files)
  const copyAll = (db: Parameters<typeof copyFiles>[0]) => copyFiles(db, from, to, (key) => keys.add(key))
  if (copy === undefined) return copyAll(deps.db)
  const db = await openDatabase({ kind: 'sqlite', file: copy, isReadOnly: true })
  try {
    return await copyAll(db)
  } finally {
    await db.close()
  }
}

interface Made {
  readonly at: string
  readonly database: (CheckedCopy & { readonly bytes: number }) | null
  readonly files: (CopiedFiles & { readonly removed: number }) | null
}

async function make(deps: CommandDeps, folder: string): Promise<Made> {
  const { config } = deps
  const at = new Date().toISOString()
  const isSqlite = config.databaseUrl === undefined
  const copy = isSqlite ? join(folder, `${names.database}.partial`) : undefined
  if (copy !== undefined) copyDatabase(sqliteFile(config), copy)
  const checked = copy === undefined ? undefined : await checkedDatabase(deps, copy)
  const keys = new Set<string>()
  const files = config.s3 === undefined ? await backUpFiles(deps, folder, copy, keys) : undefined
  const database =
    copy === undefined || checked === undefined
      ? null
      : { ...checked, bytes: statSync(copy).size, sha256: await sha256Of(copy) }
  if (copy !== undefined) await rename(copy, join(folder, names.database))
  const { version } = packageJson
  await writeManifest(folder, {
    version,
    at,
    database: database === null ? null : { bytes: database.bytes, sha256: database.sha256 },
    files: files === undefined ? null : { count: files.count, bytes: files.bytes },
  })
  // Only now: until the manifest was replaced, these belonged to the backup.
  const removed = await removeOthers(join(folder, names.files), (key) => keys.has(key))
  return { at, database, files: files === undefined ? null : { ...files, removed } }
}

function textOf(folder: string, { database, files }: Made): string {
  const parts = [
    database === null
      ? 'The database is on PostgreSQL, whose own tools back it up: see docs/operations.md.'
      : `The database: ${database.bytes} bytes, ${database.events} sealed events of ${database.tenants} tenants, all whole.`,
    files === null
      ? 'The files are in the bucket.'
      : `The files: ${files.count}, of which ${files.copied} are new; ${files.removed} that are gone were removed.`,
    ...(files?.missing ?? []).map((path) => `Missing or damaged: ${path}`),
  ]
  return [
    `Backed up into ${folder}`,
    ...parts,
    'Keep the master key too, in another place: without it nobody can use this.',
  ].join('\n')
}

/**
 * Backs up the deployment into a folder: a copy of the SQLite database, checked, and the files on this machine's disk. A further backup
 * into the same folder copies only the files that are new.
 */
export const backup = (config: Config, to: string): Promise<Outcome> =>
  reading(config, async (deps) => {
    const folder = resolve(to)
    if (config.databaseUrl !== undefined && config.s3 !== undefined)
      throw new CommandRefused(
        'the database is on PostgreSQL and the files are in a bucket: their own tools back them up',
      )
    if (folder === resolve(config.dataDir)) throw new CommandRefused('a backup needs a folder of its own')
    assertFit(folder)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const lock = lockDirectory(folder)
    try {
      const made = await make(deps, folder)
      if (existsSync(config.dataDir)) {
        const last = { at: made.at, to: folder }
        await writeFile(join(config.dataDir, lastBackupFile), `${JSON.stringify(last)}\n`, { mode: 0o600 })
      }
      const isWhole = (made.files?.missing.length ?? 0) === 0
      return { text: textOf(folder, made), json: { to: folder, ...made }, status: isWhole ? 0 : 3 }
    } finally {
      lock.release()
    }
  })
