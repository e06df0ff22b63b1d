// How a worker hands over what it made: in a file in memory that has no name, which both have open. The channel between them
// takes bytes in pieces, each copied several times on its way.
import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, openSync, readSync, rmSync, writeSync } from 'node:fs'

/** Where files are memory (Linux); containers have 64 MB of it, and each worker takes at most as much as one image. */
const directory = '/dev/shm'
export const handoverBytesMax = 4 * 1024 * 1024

/** undefined where there is no such place: everything goes through the channel then. */
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

/** Whether the bytes are in the file; where not, they are to go through the channel. */
export function handOver(file: number, bytes: Buffer): boolean {
  if (bytes.length > handoverBytesMax) return false
  try {
    return writeSync(file, bytes, 0, bytes.length, 0) === bytes.length
  } catch {
    // No room is left.
    return false
  }
}

/** undefined: the worker, which may be anybody's by now, has said what is not so. */
export function takeOver(file: number, length: number): Buffer | undefined {
  if (!Number.isInteger(length) || length < 0 || length > handoverBytesMax) return undefined
  const bytes = Buffer.allocUnsafeSlow(length)
  return readSync(file, bytes, 0, length, 0) === length ? bytes : undefined
}
