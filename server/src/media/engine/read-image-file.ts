// Reads files in a worker, synchronously: nothing else waits in a worker, and reading in pieces over the thread pool takes three times as
// long.
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { ImageError } from './image-error.ts'

/** The most memory that a worker keeps between two images. */
const keptBytesMax = 8 * 1024 * 1024
const keptBytesStep = 1024 * 1024

/** Newly allocated memory is paged in page by page, and growth outside of the heap makes the collector search the whole heap. */
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
    // Deleted while the task waited for its turn.
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') {
      throw new ImageError('unreadable', 'The image was deleted.', { cause })
    }
    throw cause
  }
}

/** @throws ImageError unreadable */
export const readImageFile = (path: string): Buffer => ifThere(() => readFileSync(path))

/**
 * The bytes are valid until the next call, so use it only for the source of a task.
 * @throws ImageError unreadable
 */
export const readSourceFile = (path: string): Buffer => ifThere(() => readInto(path))
