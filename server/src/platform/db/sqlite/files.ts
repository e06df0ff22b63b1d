// Looks at the files of a SQLite database from outside. Whoever deletes or replaces them under a running process leaves it with files that
// have no name: what it then writes is gone when it ends.
import fs from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseUnavailable } from '../database.ts'
import { lockFileName } from './directory-lock.ts'

/** A disk with less room than this counts as full once a write was refused, until there is more. */
export const roomBytesMin = 1024 * 1024

const lost = (file: string, change: 'deleted' | 'replaced') =>
  new DatabaseUnavailable(
    `${file} was ${change} under the running service: stop it, and restore the data directory from its backup`,
  )

export class SqliteFiles {
  readonly #file: string
  /** Kept open: closing it would release the locks that SQLite has on the file. */
  readonly #descriptor: number
  readonly #locked: boolean

  /** Creates the file if it is missing, for its owner alone, because SQLite gives its journal the same mode. */
  constructor(file: string) {
    this.#file = file
    this.#descriptor = fs.openSync(file, 'a', 0o600)
    this.#locked = fs.existsSync(this.#lockFile)
  }

  /**
   * Returns the reason if a file is no longer the one that is in use, or undefined.
   * @param journal the descriptor of the write-ahead log, once it is in use.
   */
  change(journal: number | undefined): DatabaseUnavailable | undefined {
    const log = `${this.#file}-wal`
    if (journal !== undefined && !fs.existsSync(`${this.#file}-shm`)) return lost(`${this.#file}-shm`, 'deleted')
    if (this.#locked && !fs.existsSync(this.#lockFile)) return lost(this.#lockFile, 'deleted')
    return changeOf(this.#file, this.#descriptor) ?? (journal === undefined ? undefined : changeOf(log, journal))
  }

  /** Whether the disk has room for more than the smallest write. */
  async hasRoom(): Promise<boolean> {
    try {
      const { bavail, bsize } = await statfs(dirname(this.#file))
      return bavail * bsize >= roomBytesMin
    } catch {
      return false
    }
  }

  close(): void {
    fs.closeSync(this.#descriptor)
  }

  get #lockFile(): string {
    return join(dirname(this.#file), lockFileName)
  }
}

function changeOf(file: string, descriptor: number): DatabaseUnavailable | undefined {
  const present = fs.statSync(file, { bigint: true, throwIfNoEntry: false })
  if (present === undefined) return lost(file, 'deleted')
  const own = fs.fstatSync(descriptor, { bigint: true })
  return present.ino === own.ino && present.dev === own.dev ? undefined : lost(file, 'replaced')
}

/** Whether an open file has lost its name; what is written to it is gone once it is closed. */
export const isNameless = (descriptor: number): boolean => fs.fstatSync(descriptor).nlink === 0
