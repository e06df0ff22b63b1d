// The files of a deployment, as the rows of its database name them, copied from one folder to another.
import { existsSync } from 'node:fs'
import { copyFile, lstat, opendir, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { mediaFiles } from '../../media/tables.ts'
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { makeFolder } from '../../platform/make-folder.ts'
import { CommandRefused } from '../outcome.ts'
import { sha256Of, syncPath } from './backup-folder.ts'

const batch = 500
const missingMax = 10

const storedFiles = mediaFiles.only('tenant_id', 'id', 'storage_key', 'size', 'sha256')
type StoredFile = Awaited<ReturnType<ReturnType<typeof storedFiles.all>>>[number]

/** Yields the row of every file, in batches, in the order of the primary key. */
async function* allFiles(db: Reader): AsyncGenerator<StoredFile> {
  let last: StoredFile | undefined
  for (;;) {
    const after =
      last === undefined
        ? sql`1 = 1`
        : sql`(tenant_id > ${last.tenant_id} OR (tenant_id = ${last.tenant_id} AND id > ${last.id}))`
    const rows: StoredFile[] = await storedFiles.all(db)`${after} ORDER BY tenant_id, id LIMIT ${batch}`
    yield* rows
    last = rows.at(-1)
    if (last === undefined || rows.length < batch) return
  }
}

export interface CopiedFiles {
  readonly count: number
  readonly bytes: number
  /** How many of them were not in the copy yet. */
  readonly copied: number
  /** Paths of missing or damaged files that the database names; only the first few. */
  readonly missing: readonly string[]
}

function pathBelow(root: string, key: string): string {
  const path = resolve(root, key)
  if (!path.startsWith(resolve(root) + sep)) {
    throw new CommandRefused('the database names a file that would lie outside of the folder of files')
  }
  return path
}

const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    () => undefined,
  )

/**
 * Whether it is a file at this very place: a backup may come from somebody else, and a link in it leads to what the machine keeps for itself,
 * or to a device that has no end.
 */
async function isOwnFile(root: string, path: string): Promise<boolean> {
  const [found, realRoot, realFolder] = await Promise.all([lstat(path), realpath(root), realpath(dirname(path))])
  return found.isFile() && join(realRoot, relative(root, dirname(path))) === realFolder
}

/** Copies a file and compares it with its row. Returns whether the copy is there and whole. */
async function copyOne(from: string, to: string, { sha256 }: StoredFile, foreignRoot?: string): Promise<boolean> {
  makeFolder(dirname(to))
  const partial = `${to}.partial`
  try {
    if (foreignRoot !== undefined && !(await isOwnFile(resolve(foreignRoot), from))) return false
    await copyFile(from, partial)
    if ((await sha256Of(partial)) !== sha256) return false
    syncPath(partial)
    await rename(partial, to)
    syncPath(dirname(to))
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  } finally {
    await rm(partial, { force: true })
  }
}

/** Returns whether a file has been deleted since the rows were read, which explains that it is missing. */
export const isDeleted = async (db: Reader, { tenant_id: tenantId, id }: StoredFile): Promise<boolean> =>
  (await storedFiles.first(db)`tenant_id = ${tenantId} AND id = ${id}`) === undefined

export interface CopyOptions {
  /** Called after each file with how many are done, of how many. */
  readonly onFile?: (done: number, total: number) => void
  /** Receives each storage key that is in the copy. */
  readonly seen?: (key: string) => void
  /** Whether somebody else may have made the folder: then a link in it is not followed. */
  readonly isForeign?: boolean
  /** Returns whether a file that cannot be copied may be missing. */
  readonly isExpendable?: (file: StoredFile) => Promise<boolean>
}

/**
 * Copies every file that the database names. One that already exists with the right size is skipped, because the bytes of a storage key
 * never change.
 */
export async function copyFiles(
  db: Reader,
  from: string,
  to: string,
  { seen = () => undefined, isForeign = false, isExpendable = async () => false, onFile }: CopyOptions = {},
): Promise<CopiedFiles> {
  const missing: string[] = []
  const found = { count: 0, bytes: 0, copied: 0 }
  const counted = await db.first<{ files: number }>(sql`SELECT CAST(count(*) AS INTEGER) AS files FROM media_files`)
  let done = 0
  for await (const file of allFiles(db)) {
    onFile?.(done++, counted?.files ?? 0)
    const source = pathBelow(from, file.storage_key)
    const target = pathBelow(to, file.storage_key)
    const isThere = (await sizeOf(target)) === file.size
    if (!isThere && !(await copyOne(source, target, file, isForeign ? from : undefined))) {
      if (missing.length < missingMax && !(await isExpendable(file))) missing.push(source)
      continue
    }
    seen(file.storage_key)
    found.count++
    found.bytes += file.size
    if (!isThere) found.copied++
  }
  return { ...found, missing }
}

/** Removes the files below a folder that are not to be kept. Returns how many it removed. */
export async function removeOthers(root: string, isKept: (key: string) => boolean, below = ''): Promise<number> {
  if (!existsSync(join(root, below))) return 0
  let removed = 0
  for await (const entry of await opendir(join(root, below))) {
    const key = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) removed += await removeOthers(root, isKept, key)
    else if (!isKept(key)) {
      await rm(join(root, key), { force: true })
      removed++
    }
  }
  return removed
}
