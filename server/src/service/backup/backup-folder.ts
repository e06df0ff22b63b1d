// A backup on the disk: a folder with a copy of the database, the files, and a manifest that is written last.
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, fsyncSync, openSync, closeSync, readdirSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { CommandRefused } from '../outcome.ts'

/** The version of the folder's format. A release that does not know it refuses the backup. */
const format = 1

/** A file in the data directory that says when and where the last backup was made. `doctor` reads it. */
export const lastBackupFile = 'last-backup.json'

export const names = {
  manifest: 'backup.json',
  database: 'bailiwick.db',
  files: join('media', 'objects'),
} as const

export interface Manifest {
  readonly format: number
  /** The version of Bailiwick that made it. */
  readonly version: string
  /** The moment of the database's snapshot: UTC, ISO 8601. */
  readonly at: string
  /** Null for a deployment on PostgreSQL, whose database is backed up by PostgreSQL's own tools. */
  readonly database: { readonly bytes: number; readonly sha256: string } | null
  /** Null if the files are in a bucket. */
  readonly files: { readonly count: number; readonly bytes: number } | null
}

export async function sha256Of(file: string): Promise<string> {
  const sum = createHash('sha256')
  await pipeline(createReadStream(file), sum)
  return sum.digest('hex')
}

/** Waits until a file, or the names in a folder, have reached the disk. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function isManifest(value: unknown): value is Manifest {
  if (typeof value !== 'object' || value === null) return false
  const { format: stated, version, at } = value as Partial<Record<keyof Manifest, unknown>>
  return typeof stated === 'number' && typeof version === 'string' && typeof at === 'string'
}

/**
 * Reads the manifest of a backup.
 * @throws CommandRefused if there is none, or a later version has written it.
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const file = join(folder, names.manifest)
  if (!existsSync(file)) throw new CommandRefused(`${folder} holds no finished backup: ${names.manifest} is missing`)
  let value: unknown
  try {
    value = JSON.parse(await readFile(file, 'utf8'))
  } catch {
    value = undefined
  }
  if (!isManifest(value)) throw new CommandRefused(`${file} is damaged`)
  if (value.format !== format) {
    throw new CommandRefused(
      `${folder} was made by Bailiwick ${value.version}, in a form that this version cannot read`,
    )
  }
  return value
}

/** Puts the manifest in place, completely or not at all. */
export async function writeManifest(folder: string, manifest: Omit<Manifest, 'format'>): Promise<void> {
  const file = join(folder, names.manifest)
  await writeFile(`${file}.partial`, `${JSON.stringify({ format, ...manifest }, undefined, 2)}\n`, { mode: 0o600 })
  syncPath(`${file}.partial`)
  await rename(`${file}.partial`, file)
  syncPath(folder)
}

/** @throws CommandRefused for a folder that holds something other than a backup, which would be mixed with it. */
export function assertFit(folder: string): void {
  if (!existsSync(folder)) return
  const isOurs = existsSync(join(folder, names.manifest)) || existsSync(join(folder, `${names.database}.partial`))
  if (isOurs || readdirSync(folder).every((name) => name.startsWith('lock.db') || name === 'holder.json')) return
  throw new CommandRefused(`${folder} holds something other than a backup: name an empty folder, or an earlier backup`)
}
