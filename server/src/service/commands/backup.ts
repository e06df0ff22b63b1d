import { chmodSync, existsSync, rmSync, statSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import packageJson from '../../../package.json' with { type: 'json' }
import type { Config } from '../../platform/config.ts'
import { openDatabase } from '../../platform/db/open.ts'
import { lockDirectory } from '../../platform/db/sqlite/directory-lock.ts'
import { makeFolder } from '../../platform/make-folder.ts'
import { assertFit, lastBackupFile, names, sha256Of, syncPath, writeManifest } from '../backup/backup-folder.ts'
import { type CopiedFiles, copyFiles, isDeleted, removeOthers } from '../backup/stored-files.ts'
import { type CommandDeps, reading, sqliteFile } from '../open-deployment.ts'
import { CommandRefused, type Outcome, exitStatus } from '../outcome.ts'
import { type CheckedCopy, checkCopy } from './check-copy.ts'
import type { Tell } from './terminal/progress.ts'

/**
 * Copies a snapshot of the SQLite database, while the service may be writing it, into a separate file without a write-ahead log.
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

interface Made {
  readonly at: string
  readonly database: (CheckedCopy & { readonly bytes: number; readonly sha256: string }) | null
  readonly files: (CopiedFiles & { readonly removed: number }) | null
}

/** Copies and checks the database, then the files that the copy names. Meanwhile the previous backup in the folder stays complete. */
async function copyAll(
  deps: CommandDeps,
  { folder, copy, keys }: { readonly folder: string; readonly copy: string | undefined; readonly keys: Set<string> },
  tell: Tell,
) {
  const { config } = deps
  tell('Databases copied', 0, 1)
  if (copy !== undefined) copyDatabase(sqliteFile(config), copy)
  const db = copy === undefined ? deps.db : await openDatabase({ kind: 'sqlite', file: copy, isReadOnly: true })
  try {
    const checked = copy === undefined ? null : await checkCopy({ ...deps, db }, tell)
    const files =
      config.s3 === undefined
        ? await copyFiles(db, join(config.dataDir, names.files), join(folder, names.files), {
            onFile: (done, total) => tell('Files copied', done, total),
            seen: (key) => keys.add(key),
            isExpendable: (file) => isDeleted(deps.db, file),
          })
        : null
    return { checked, files }
  } finally {
    if (copy !== undefined) await db.close()
  }
}

async function make(deps: CommandDeps, folder: string, tell: Tell): Promise<Made> {
  const at = new Date().toISOString()
  const copy = deps.config.databaseUrl === undefined ? join(folder, `${names.database}.partial`) : undefined
  const keys = new Set<string>()
  const { checked, files } = await copyAll(deps, { folder, copy, keys }, tell)
  const stored = copy === undefined ? null : { bytes: statSync(copy).size, sha256: await sha256Of(copy) }
  if (copy !== undefined) await rename(copy, join(folder, names.database))
  const kept = files === null ? null : { count: files.count, bytes: files.bytes }
  await writeManifest(folder, { version: packageJson.version, at, database: stored, files: kept })
  // They are removed only now: until the manifest was replaced, they belonged to the previous backup.
  const removed = await removeOthers(join(folder, names.files), (key) => keys.has(key))
  return {
    at,
    database: checked === null || stored === null ? null : { ...checked, ...stored },
    files: files === null ? null : { ...files, removed },
  }
}

function textOf(folder: string, { database, files }: Made): string {
  const parts = [
    database === null
      ? "The database is on PostgreSQL. Back it up with PostgreSQL's own tools: see docs/operations.md."
      : `The database: ${database.bytes} bytes, ${database.events} sealed events of ${database.tenants} tenants, all intact.`,
    files === null
      ? 'The files are in the bucket.'
      : `The files: ${files.count}, of which ${files.copied} are new. ${files.removed} deleted files were removed from the backup.`,
    ...(files?.missing ?? []).map((path) => `Missing or damaged: ${path}`),
  ]
  return [
    `Backed up into ${folder}`,
    ...parts,
    'Also keep the master key, in another place: the backup is useless without it.',
  ].join('\n')
}

/**
 * Backs up the deployment into a folder: a copy of the SQLite database, checked, and the files on this machine's disk. A further backup
 * into the same folder copies only the files that are new.
 */
export const backup = (config: Config, to: string, tell: Tell = () => undefined): Promise<Outcome> =>
  reading(config, async (deps) => {
    const folder = resolve(to)
    if (config.databaseUrl !== undefined && config.s3 !== undefined)
      throw new CommandRefused(
        'the database is on PostgreSQL and the files are in a bucket: back them up with their own tools',
      )
    if (folder === resolve(config.dataDir)) throw new CommandRefused('a backup needs a folder of its own')
    assertFit(folder)
    makeFolder(folder)
    const lock = lockDirectory(folder)
    try {
      const made = await make(deps, folder, tell)
      if (existsSync(config.dataDir)) {
        const last = { at: made.at, to: folder }
        await writeFile(join(config.dataDir, lastBackupFile), `${JSON.stringify(last)}\n`, { mode: 0o600 })
      }
      const isWhole = (made.files?.missing.length ?? 0) === 0
      return {
        text: textOf(folder, made),
        json: { to: folder, ...made },
        status: isWhole ? exitStatus.ok : exitStatus.problems,
      }
    } finally {
      lock.release()
    }
  })
