// Passes a worker's result to the service in an unnamed in-memory file that both have open. The channel between them sends bytes in pieces
// and copies each of them several times.
import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, openSync, readSync, rmSync, writeSync } from 'node:fs'

/** Where files are kept in memory (Linux). Containers have 64 MB of it, and each worker uses at most the size of one image. */
const directory = '/dev/shm'
export const handoverBytesMax = 4 * 1024 * 1024

/** Returns undefined if there is no such place; the channel is then used for everything. */
export function openHandover(): number | undefined {
  if (!existsSync(directory)) return undefined
  const path = `${directory}/bailiwick-${randomUUID()}`
  let file
  try {
    file = openSync(path, 'wx+', 0o600)
    rmSync(path)
    return file
  } catch {
    if (file !== undefined) closeSync(file)
    return undefined
  }
}

/** Returns whether the bytes are in the file; otherwise they must go through the channel. */
export function handOver(file: number, bytes: Buffer): boolean {
  if (bytes.length > handoverBytesMax) return false
  try {
    return writeSync(file, bytes, 0, bytes.length, 0) === bytes.length
  } catch {
    // No room is left.
    return false
  }
}

/** Returns undefined if the worker, which may have been taken over by an attacker, gave a wrong length. */
export function takeOver(file: number, length: number): Buffer | undefined {
  if (!Number.isInteger(length) || length < 0 || length > handoverBytesMax) return undefined
  const bytes = Buffer.allocUnsafeSlow(length)
  return readSync(file, bytes, 0, length, 0) === length ? bytes : undefined
}
