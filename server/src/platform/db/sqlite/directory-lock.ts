// Lets only one process use a data directory. The lock is an open transaction on a small SQLite file, which the system releases however the
// process ends. A file beside it tells people which process holds the lock.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder } from '../../make-folder.ts'
import { isDiskFull } from './disk-full.ts'

const busyCode = 5
export const lockFileName = 'lock.db'

export interface DirectoryHolder {
  readonly pid: number
  /** UTC, ISO 8601. */
  readonly startedAt: string
  readonly command: string
}

export interface DirectoryLock {
  /** Releases the directory. Further calls do nothing; the end of the process releases it too. */
  release(): void
}

export class DirectoryInUse extends Error {
  readonly holder: DirectoryHolder | undefined

  constructor(directory: string, holder: DirectoryHolder | undefined) {
    const who =
      holder === undefined
        ? 'another process'
        : `process ${holder.pid} (${holder.command}), running since ${holder.startedAt}`
    super(
      `the data directory ${directory} is in use by ${who}. Stop that process first, or set BAILIWICK_DATA_DIR to another ` +
        'directory; to run several processes on the same data, use PostgreSQL (DATABASE_URL).',
    )
    this.name = 'DirectoryInUse'
    this.holder = holder
  }
}

/** The system's message names at most one file and never says which user needs access, so this one does. */
export class DirectoryUnusable extends Error {
  constructor(directory: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const who = process.getuid === undefined ? '' : ` (user ${process.getuid()})`
    super(`the data directory ${directory} must be a folder to which this process${who} can write: ${reason}`, {
      cause,
    })
    this.name = 'DirectoryUnusable'
  }
}

function openLock(directory: string): DatabaseSync {
  try {
    makeFolder(directory)
    return new DatabaseSync(join(directory, lockFileName), { timeout: 0 })
  } catch (error) {
    throw new DirectoryUnusable(directory, error)
  }
}

/**
 * Locks the directory for the life of this process, and creates it if it is missing.
 * @throws DirectoryInUse when another process, or this one, has locked it.
 * @throws DirectoryUnusable when it cannot be created or written to.
 */
export function lockDirectory(directory: string): DirectoryLock {
  const holderFile = join(directory, 'holder.json')
  const lock = openLock(directory)
  try {
    // The lock writes nothing, so it can also be taken on a full disk.
    lock.exec('PRAGMA journal_mode = MEMORY')
    lock.exec('BEGIN EXCLUSIVE')
    tryToWriteHolder(holderFile)
  } catch (error) {
    lock.close()
    if (isBusy(error)) throw new DirectoryInUse(directory, readHolder(holderFile))
    throw new DirectoryUnusable(directory, error)
  }
  let isHeld = true
  return {
    release() {
      if (!isHeld) return
      isHeld = false
      rmSync(holderFile, { force: true })
      lock.close()
    },
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === busyCode
}

function writeHolder(file: string): void {
  const startedAt = new Date(Date.now() - process.uptime() * 1000).toISOString()
  // Only the first argument, because others may be secrets.
  const command = [basename(process.argv[1] ?? 'node'), ...process.argv.slice(2, 3)].join(' ')
  const holder: DirectoryHolder = { pid: process.pid, startedAt, command }
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(holder)}\n`, { mode: 0o600 })
  renameSync(draft, file)
}

/** Writes the file, which is only for people to read. On a full disk the service starts without it. */
function tryToWriteHolder(file: string): void {
  try {
    writeHolder(file)
  } catch (error) {
    if (!isDiskFull(error)) throw error
  }
}

function readHolder(file: string): DirectoryHolder | undefined {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // The holder is just starting or stopping.
    return undefined
  }
  return isHolder(value) ? value : undefined
}

function isHolder(value: unknown): value is DirectoryHolder {
  if (typeof value !== 'object' || value === null) return false
  const holder = value as Partial<Record<keyof DirectoryHolder, unknown>>
  return typeof holder.pid === 'number' && typeof holder.startedAt === 'string' && typeof holder.command === 'string'
}
