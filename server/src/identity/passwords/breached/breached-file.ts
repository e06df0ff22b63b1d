// A file of breached passwords, made by `bailiwick convert-breached-passwords`: the first eight bytes of the SHA-1 hash of each password,
// sorted. Hashes are spread evenly, so the index by their first two bytes leads to a few thousand entries at most, which are read at once.
//
//   bytes 0 to 7     BWPASS01
//   262,148 bytes    for each of the 65,536 first two bytes, and for the end, the number of entries before it: 32 bits, little-endian
//   6 bytes each     the next six bytes of each hash
import { type FileHandle, open } from 'node:fs/promises'

export const magic = Buffer.from('BWPASS01')
export const buckets = 65_536
export const entryLength = 6
export const headerLength = magic.length + 4 * (buckets + 1)

/** The file is no such file, or was cut off. */
export class BreachedFileError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'BreachedFileError'
  }
}

async function readIndex(file: FileHandle): Promise<Uint32Array> {
  const header = Buffer.alloc(headerLength)
  const { bytesRead } = await file.read(header, 0, headerLength, 0)
  if (bytesRead < headerLength || !header.subarray(0, magic.length).equals(magic)) {
    throw new BreachedFileError('was not written by bailiwick convert-breached-passwords')
  }
  const index = Uint32Array.from({ length: buckets + 1 }, (_, at) => header.readUInt32LE(magic.length + 4 * at))
  const { size } = await file.stat()
  if (index.some((start, at) => at > 0 && start < (index[at - 1] ?? 0))) throw new BreachedFileError('is damaged')
  if (size !== headerLength + entryLength * (index[buckets] ?? 0)) throw new BreachedFileError('is cut off')
  return index
}

function contains(entries: Buffer, wanted: Buffer): boolean {
  let low = 0
  let high = entries.length / entryLength
  while (low < high) {
    const middle = (low + high) >>> 1
    const at = middle * entryLength
    const order = entries.compare(wanted, 0, entryLength, at, at + entryLength)
    if (order === 0) return true
    if (order < 0) low = middle + 1
    else high = middle
  }
  return false
}

/** Tells whether a password with this SHA-1 hash is known. It reads the same number of bytes whether it is or not. */
export type FindHash = (sha1: Buffer) => Promise<boolean>

/**
 * Opens the file for as long as the process runs; 262 kB of it stay in memory.
 * @throws BreachedFileError if it is no such file
 */
export async function openBreachedFile(path: string): Promise<FindHash> {
  const file = await open(path)
  let index: Uint32Array
  try {
    index = await readIndex(file)
  } catch (error) {
    await file.close()
    throw error
  }
  return async (sha1) => {
    const bucket = sha1.readUInt16BE(0)
    const start = index[bucket] ?? 0
    const length = entryLength * ((index[bucket + 1] ?? 0) - start)
    if (length === 0) return false
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, headerLength + entryLength * start)
    return contains(buffer.subarray(0, bytesRead), sha1.subarray(2, 2 + entryLength))
  }
}
