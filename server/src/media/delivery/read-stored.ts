import { hash } from 'node:crypto'
import { addAbortSignal } from 'node:stream'
import type { ImageBytes } from '../engine/messages.ts'
import type { ShownFileRow } from '../queries.ts'
import { StorageError } from '../storage/s3.ts'
import type { Storage, StorageKey } from '../storage/storage.ts'

/** Whoever waits for the bytes holds a place in a line. */
const readMsMax = 30_000

/** The whole object in memory: files are at most 20 MiB, and what is made of them is bounded too. */
export async function readStored(storage: Storage, key: StorageKey): Promise<Buffer | undefined> {
  const content = await storage.get(key)
  if (content === undefined) return undefined
  const chunks: Buffer[] = []
  const stream = addAbortSignal(AbortSignal.timeout(readMsMax), content.stream)
  try {
    for await (const chunk of stream) chunks.push(chunk as Buffer)
  } catch (cause) {
    const isTooSlow = cause instanceof Error && cause.name === 'AbortError'
    throw isTooSlow ? new StorageError('the storage takes too long', { cause }) : cause
  }
  return Buffer.concat(chunks)
}

type Original = Pick<ShownFileRow, 'storage_key' | 'sha256'>

/**
 * A file as it was kept.
 * @throws StorageError where the storage gives part of it, or the page of some gateway: that must be neither shown nor held to be
 * what was uploaded.
 */
export async function readOriginal(storage: Storage, { storage_key, sha256 }: Original): Promise<Buffer | undefined> {
  const bytes = await readStored(storage, storage_key)
  if (bytes !== undefined && hash('sha256', bytes, 'hex') !== sha256) {
    throw new StorageError('the storage gives other bytes than it was given')
  }
  return bytes
}

/** For the pool: where a worker can read it itself, its path, so that what waits takes no memory and is not sent about. */
export async function imageBytes(storage: Storage, file: Original): Promise<ImageBytes | undefined> {
  return storage.localPath === undefined ? readOriginal(storage, file) : { path: storage.localPath(file.storage_key) }
}
