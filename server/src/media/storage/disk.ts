import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { type FileHandle, mkdir, open, opendir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { makeFolder } from '../../platform/make-folder.ts'
import type { Storage, StorageKey } from './storage.ts'

// A call on another thread costs this thread more than the call itself, so only calls that may wait for the disk use one. Opening a folder
// in which something was just created does not wait, nor does closing a synced file.
const openFile = promisify(fs.open)
const write = promisify(fs.write)
const sync = promisify(fs.fsync)

const { O_WRONLY, O_CREAT, O_EXCL, O_DSYNC } = fs.constants
const newFile = O_WRONLY | O_CREAT | O_EXCL
/** On other systems this may guarantee less than a sync. */
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

/** Syncs a folder, so that a new or removed name survives a power failure. */
async function syncDirectory(path: string) {
  const directory = fs.openSync(path, 'r')
  try {
    await sync(directory)
  } finally {
    fs.closeSync(directory)
  }
}

/** Creates the missing folders and syncs each one's name. */
async function makeDirectories(path: string) {
  const first = makeFolder(path)
  if (first === undefined) return
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncDirectory(dirname(made))
}

/** Creates a folder; its parent nearly always exists. */
async function makeNewDirectory(path: string) {
  try {
    await mkdir(path, 0o700)
  } catch {
    // It may also exist because it has not been removed yet.
    return makeDirectories(path)
  }
  return syncDirectory(dirname(path))
}

/** Creates a file that is on the disk completely or not at all. */
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

/** @param root a folder used only by the service; it is created when something is first stored. */
export function createDiskStorage(root: string): Storage {
  const base = resolve(root)
  const pathOf = (key: StorageKey) => {
    const path = resolve(base, key)
    // Keys are our own names. This check makes sure that none of them ever leads outside.
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
      // Removes the object's own folder, once it is empty.
      if (dirname(path) !== base) await rmdir(dirname(path)).catch(() => undefined)
    },

    async deleteAll(prefix) {
      await rm(pathOf(prefix), { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** Removes what interrupted uploads have left behind, once no process can be writing it any more. */
export async function sweepDirectory(path: string, untouchedSinceMs: number): Promise<void> {
  const directory = await ifThere(opendir(path))
  if (directory === undefined) return
  for await (const entry of directory) {
    const file = join(path, entry.name)
    const found = entry.isFile() ? await ifThere(stat(file)) : undefined
    if (found !== undefined && found.mtimeMs < untouchedSinceMs) await rm(file, { force: true })
  }
}
