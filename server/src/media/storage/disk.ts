import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { type FileHandle, mkdir, open, opendir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import type { Storage, StorageKey } from './storage.ts'

// Each call that goes to another thread and back costs this one more than the call itself: only those go there that may have to
// wait for the disk. Opening a folder in which something was just made is none of them, nor is closing what has been synced.
const openFile = promisify(fs.open)
const write = promisify(fs.write)
const sync = promisify(fs.fsync)

const { O_WRONLY, O_CREAT, O_EXCL, O_DSYNC } = fs.constants
const newFile = O_WRONLY | O_CREAT | O_EXCL
/** Elsewhere the system may keep less of that promise than of a sync. */
const writesThrough = process.platform === 'linux'

const isMissing = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

async function ifThere<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** So that a name that was just given or taken away is still so after a power failure. */
async function syncDirectory(path: string) {
  const directory = fs.openSync(path, 'r')
  try {
    await sync(directory)
  } finally {
    fs.closeSync(directory)
  }
}

/** Makes the folders that are missing, and has each one's name written down. */
async function makeDirectories(path: string) {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncDirectory(dirname(made))
}

/** A new folder, which nearly always stands in one that is there already. */
async function makeNewDirectory(path: string) {
  try {
    await mkdir(path, 0o700)
  } catch {
    // It may also be there: whoever was to remove it has not come to that.
    return makeDirectories(path)
  }
  return syncDirectory(dirname(path))
}

/** A new file that is on the disk whole, or is not there. */
async function writeFile(path: string, bytes: Uint8Array) {
  const file = await openFile(path, writesThrough ? newFile | O_DSYNC : newFile, 0o600)
  try {
    for (let at = 0; at < bytes.length;) at += (await write(file, bytes, at, bytes.length - at)).bytesWritten
    if (!writesThrough) await sync(file)
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    fs.closeSync(file)
  }
}

async function replaceFile(path: string, bytes: Uint8Array) {
  const partial = `${path}.${randomBytes(8).toString('hex')}.partial`
  await writeFile(partial, bytes)
  try {
    await rename(partial, path)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

/** @param root a folder of the service's own; it is made when something is first kept. */
export function createDiskStorage(root: string): Storage {
  const base = resolve(root)
  const pathOf = (key: StorageKey) => {
    const path = resolve(base, key)
    // Keys are names of ours; that none of them ever leads elsewhere does not rest on that alone.
    if (!path.startsWith(base + sep)) throw new RangeError('a storage key leads out of the storage')
    return path
  }

  return {
    async put(key, bytes, _mime, isNew = false) {
      const path = pathOf(key)
      await (isNew ? makeNewDirectory : makeDirectories)(dirname(path))
      await (isNew ? writeFile(path, bytes) : replaceFile(path, bytes))
      await syncDirectory(dirname(path))
    },

    async get(key, range) {
      const file = await ifThere<FileHandle>(open(pathOf(key), 'r'))
      if (file === undefined) return undefined
      try {
        const { size } = await file.stat()
        return { size, stream: file.createReadStream({ ...range }) }
      } catch (error) {
        await file.close()
        throw error
      }
    },

    localPath: pathOf,

    async head(key) {
      const found = await ifThere(stat(pathOf(key)))
      return found?.isFile() === true ? { size: found.size } : undefined
    },

    async delete(key) {
      const path = pathOf(key)
      await rm(path, { force: true })
      // The folder of its own, once nothing else is in it.
      if (dirname(path) !== base) await rmdir(dirname(path)).catch(() => undefined)
    },

    async deleteAll(prefix) {
      await rm(pathOf(prefix), { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** Removes what uploads have left behind that were cut off with the process, once nobody can be writing it any more. */
export async function sweepDirectory(path: string, untouchedSinceMs: number): Promise<void> {
  const directory = await ifThere(opendir(path))
  if (directory === undefined) return
  for await (const entry of directory) {
    const file = join(path, entry.name)
    const found = entry.isFile() ? await ifThere(stat(file)) : undefined
    if (found !== undefined && found.mtimeMs < untouchedSinceMs) await rm(file, { force: true })
  }
}
