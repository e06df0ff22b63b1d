// Files that a worker reads itself. At once: nothing else waits in it, and in pieces over the thread pool the same takes three
// times as long.
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { ImageError } from './image-error.ts'

/** What a worker holds between two images is at most this. */
const keptBytesMax = 8 * 1024 * 1024
const keptBytesStep = 1024 * 1024

/** Memory that was given back comes again page by page, and what grows outside of the heap has all of the heap searched. */
let kept = Buffer.alloc(0)

function readInto(path: string): Buffer {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    if (size > keptBytesMax) return readFileSync(file)
    if (size > kept.length) kept = Buffer.allocUnsafeSlow(Math.ceil(size / keptBytesStep) * keptBytesStep)
    let at = 0
    for (let read = -1; read !== 0 && at < size; at += read) read = readSync(file, kept, at, size - at, null)
    return kept.subarray(0, at)
  } finally {
    closeSync(file)
  }
}

function ifThere(read: () => Buffer): Buffer {
  try {
    return read()
  } catch (cause) {
    // Deleted while it waited for its turn.
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') {
      throw new ImageError('unreadable', 'The image is not there any more.', { cause })
    }
    throw cause
  }
}

/** @throws ImageError unreadable */
export const readImageFile = (path: string): Buffer => ifThere(() => readFileSync(path))

/**
 * The bytes are good until the next file is read so: of one task, that is its source alone.
 * @throws ImageError unreadable
 */
export const readSourceFile = (path: string): Buffer => ifThere(() => readInto(path))
