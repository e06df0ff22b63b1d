// The process in which images are decoded, so that hostile bytes can only harm it. It holds no secrets, runs one task at a time, and ends
// itself when it has exceeded its memory.
import { type ImageRequest, makeImage } from '../engine.ts'
import { ImageError } from '../image-error.ts'
import {
  type ImageBytes,
  type SentAnswer,
  type WorkerResult,
  type WorkerTask,
  exitOutOfMemory,
  handoverFile,
} from '../messages.ts'
import { readImageFile, readSourceFile } from '../read-image-file.ts'
import { openSource } from '../source.ts'
import { handOver } from './handover.ts'

/** Checking takes time too, so it happens only as often as needed: when the remaining memory could be used up at the fastest growth. */
const memoryCheckMs = 20
const growthBytesPerMs = 5 * 2 ** 20
const collectBytes = 48 * 2 ** 20
const memoryBytesMax = Number(process.argv[2])
const hasHandover = process.argv[3] === 'handover'

const bytesOf = (source: ImageBytes, read: (path: string) => Buffer): Buffer =>
  source instanceof Uint8Array ? Buffer.from(source.buffer, source.byteOffset, source.byteLength) : read(source.path)

function requestOf({ source, layers, ...order }: WorkerTask & { type: 'make' }): ImageRequest {
  const loaded = new Map<string, Buffer>()
  for (const [url, bytes] of layers) loaded.set(url, bytesOf(bytes, readImageFile))
  return { ...order, source: bytesOf(source, readSourceFile), layers: loaded }
}

async function run(task: WorkerTask): Promise<WorkerResult> {
  if (task.type === 'make') return { type: 'image', image: await makeImage(requestOf(task)) }
  const { kind, width, height, frames, hasAlpha } = await openSource(bytesOf(task.source, readSourceFile), task.isSvg)
  return { type: 'info', info: { kind, width, height, frames, hasAlpha } }
}

function resultOf(error: unknown): WorkerResult {
  if (error instanceof ImageError) return { type: 'error', code: error.code, message: error.message }
  // Decoders throw plain errors. JavaScript's own errors, and a missing file, are bugs of ours.
  const isOurs = !(error instanceof Error) || error.constructor !== Error || 'syscall' in error
  if (isOurs)
    return { type: 'error', code: 'engine_failure', message: error instanceof Error ? error.message : 'unknown' }
  if (error.message.includes('pixel limit')) {
    return { type: 'error', code: 'too_large', message: 'The image has more pixels than allowed.' }
  }
  // sharp's message for a side that a format cannot hold.
  if (error.message.startsWith('Processed image is too large')) {
    return { type: 'error', code: 'too_large', message: 'The image is too large for its format.' }
  }
  return {
    type: 'error',
    code: 'unreadable',
    message: 'The image is damaged, or its content does not match its format.',
  }
}

/**
 * Frees memory at once, because the collector finds memory outside of the heap only by searching all of the heap, every few dozen images.
 * Works only for bytes that do not share their memory.
 */
function free({ buffer, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0)
}

function sent(result: WorkerResult): SentAnswer['result'] {
  if (!hasHandover || result.type !== 'image') return result
  const { data, ...image } = result.image
  const { length } = data
  if (!handOver(handoverFile, data)) return result
  free(data)
  return { type: 'handed over', image, length }
}

let watch: NodeJS.Timeout | undefined

function watchMemory(residentBytes: number): void {
  const left = memoryBytesMax - residentBytes
  if (left < 0) process.exit(exitOutOfMemory)
  const wait = Math.max(memoryCheckMs, left / growthBytesPerMs)
  watch = setTimeout(() => watchMemory(process.memoryUsage.rss()), wait)
}

/** Returns the memory that is held after a task. */
function rested(): number {
  const { rss, arrayBuffers } = process.memoryUsage()
  if (arrayBuffers <= collectBytes) return rss
  // Pixels are outside of the heap, and the collector does not run as long as the heap is small.
  globalThis.gc?.()
  return process.memoryUsage.rss()
}

let residentBytes = process.memoryUsage.rss()

async function answer(task: WorkerTask): Promise<void> {
  watchMemory(residentBytes)
  const result = await run(task).catch(resultOf)
  clearTimeout(watch)
  residentBytes = rested()
  process.send?.({ result: sent(result), residentBytes } satisfies SentAnswer)
}

process.on('message', (task: WorkerTask) => void answer(task))
// A worker ends with its service, however that ended; killed, because an exit would first wait for the image that is being made. It ignores signals, so that the service can finish the tasks that it has begun.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
