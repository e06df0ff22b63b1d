// A data directory belongs to one process. The lock is an open transaction on a small SQLite file, which the system frees
// however the process ends; who holds it stands in a file beside it, for people.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isDiskFull } from './disk-full.ts'

const busyCode = 5

export interface DirectoryHolder {
  readonly pid: number
  /** UTC, ISO 8601. */
  readonly startedAt: string
  readonly command: string
}

export interface DirectoryLock {
  /** Gives the directory up; once is enough, and the end of the process does it too. */
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

/** What the system says of it names at most one file, and never who should be let in. */
export class DirectoryUnusable extends Error {
  constructor(directory: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const who = process.getuid === undefined ? '' : ` (user ${process.getuid()})`
    super(`the data directory ${directory} must be a folder that this process${who} can write to: ${reason}`, { cause })
    this.name = 'DirectoryUnusable'
  }
}

function openLock(directory: string): DatabaseSync {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    return new DatabaseSync(join(directory, 'lock.db'), { timeout: 0 })
  } catch (error) {
    throw new DirectoryUnusable(directory, error)
  }
}

/**
 * Takes the directory, which is made if it is not there, for the life of this process.
 * @throws DirectoryInUse when another process, or this one, has it.
 * @throws DirectoryUnusable when it cannot be made or written to.
 */
export function lockDirectory(directory: string): DirectoryLock {
  const holderFile = join(directory, 'holder.json')
  const lock = openLock(directory)
  try {
    // The lock writes nothing, so that it can be taken on a full disk too.
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
  // The first argument only: others may be secrets.
  const command = [basename(process.argv[1] ?? 'node'), ...process.argv.slice(2, 3)].join(' ')
  const holder: DirectoryHolder = { pid: process.pid, startedAt, command }
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(holder)}\n`, { mode: 0o600 })
  renameSync(draft, file)
}

/** The file is for people to read: where the disk is full, the service starts without it. */
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
