// The process in which images are decoded. It knows no secret, takes one task at a time, and ends itself when it has grown
// beyond its memory: what hostile bytes do to a decoder is done here.
import { type ImageRequest, makeImage } from './engine.ts'
import { ImageError } from './image-error.ts'
import { handOver } from './handover.ts'
import {
  type ImageBytes,
  type SentAnswer,
  type WorkerResult,
  type WorkerTask,
  exitOutOfMemory,
  handoverFile,
} from './messages.ts'
import { openSource } from './source.ts'
import { readImageFile, readSourceFile } from './read-image-file.ts'

/** Looking takes time too: it is done when the memory that is left could be gone, were pages only touched, and no oftener. */
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
  // Decoders throw plain errors; what JavaScript itself throws, and a file that is not there, is a bug of ours.
  const isOurs = !(error instanceof Error) || error.constructor !== Error || 'syscall' in error
  if (isOurs)
    return { type: 'error', code: 'engine_failure', message: error instanceof Error ? error.message : 'unknown' }
  if (error.message.includes('pixel limit')) {
    return { type: 'error', code: 'too_large', message: 'The image has more pixels than allowed.' }
  }
  // As sharp says it of a side that a format cannot hold.
  if (error.message.startsWith('Processed image is too large')) {
    return { type: 'error', code: 'too_large', message: 'The image is larger than its format can hold.' }
  }
  return { type: 'error', code: 'unreadable', message: 'The image is damaged or not what it says it is.' }
}

/**
 * Not left to the collector: what is outside of the heap, it looks for by searching all of it, every few dozen images. Only of
 * bytes that have their memory to themselves.
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

/** What is held when a task is done. */
function rested(): number {
  const { rss, arrayBuffers } = process.memoryUsage()
  if (arrayBuffers <= collectBytes) return rss
  // Pixels are no part of the heap: the collector does not look for as long as the heap is small.
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
// A worker ends with its service, however that ended, and not by the signal that lets the service finish what it has begun.
process.on('disconnect', () => process.exit())
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
