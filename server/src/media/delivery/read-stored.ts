import { hash } from 'node:crypto'
import { addAbortSignal } from 'node:stream'
import type { ImageBytes } from '../engine/messages.ts'
import type { ShownFileRow } from '../queries.ts'
import { StorageError } from '../storage/bucket-client.ts'
import type { Storage, StorageKey } from '../storage/storage.ts'

/** Requests that wait for the bytes hold a place in a queue. */
const readMsMax = 30_000

/** Reads the whole object into memory: files are at most 20 MiB, and images made from them are limited too. */
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
 * Reads a file as it was stored.
 * @throws StorageError if the storage returns only a part, or some gateway's page, which must be neither shown nor taken for the upload.
 */
export async function readOriginal(storage: Storage, { storage_key, sha256 }: Original): Promise<Buffer | undefined> {
  const bytes = await readStored(storage, storage_key)
  if (bytes !== undefined && hash('sha256', bytes, 'hex') !== sha256) {
    throw new StorageError('the storage gives other bytes than it was given')
  }
  return bytes
}

/**
 * Returns the source for the pool: its path if a worker can read it itself, so that waiting tasks take no memory and no bytes are copied.
 */
export async function imageBytes(storage: Storage, file: Original): Promise<ImageBytes | undefined> {
  return storage.localPath === undefined ? readOriginal(storage, file) : { path: storage.localPath(file.storage_key) }
}
