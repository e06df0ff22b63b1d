// The process in which images are decoded. It knows no secret, takes one task at a time, and ends itself when it has grown
// beyond its memory: what hostile bytes do to a decoder is done here.
import { readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { type ImageRequest, makeImage } from './engine.ts'
import { ImageError } from './image-error.ts'
import { type ImageBytes, type WorkerResult, type WorkerTask, exitOutOfMemory } from './messages.ts'
import { openSource } from './source.ts'

const memoryCheckMs = 20
const collectBytes = 48 * 2 ** 20
const memoryBytesMax = Number(process.argv[2])

/** Nice by so much: answers that need no decoder come first. Pictures share what the service leaves of the cores. */
setPriority(5)

/** At once: nothing else waits here, and in pieces over the thread pool the same takes three times as long. */
function load(source: ImageBytes): Buffer {
  if (source instanceof Uint8Array) return Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  try {
    return readFileSync(source.path)
  } catch (cause) {
    // Deleted while it waited for its turn.
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') {
      throw new ImageError('unreadable', 'The image is not there any more.', { cause })
    }
    throw cause
  }
}

function requestOf({ source, isSvg, plan, format, layers }: WorkerTask & { type: 'make' }): ImageRequest {
  const loaded = new Map<string, Buffer>()
  for (const [url, bytes] of layers) loaded.set(url, load(bytes))
  return { source: load(source), isSvg, plan, format, layers: loaded }
}

async function run(task: WorkerTask): Promise<WorkerResult> {
  if (task.type === 'make') return { type: 'image', image: await makeImage(requestOf(task)) }
  const { kind, width, height, frames, hasAlpha } = await openSource(load(task.source), task.isSvg)
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
  return { type: 'error', code: 'unreadable', message: 'The image is damaged or not what it says it is.' }
}

async function answer(task: WorkerTask): Promise<void> {
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() > memoryBytesMax) process.exit(exitOutOfMemory)
  }, memoryCheckMs)
  const result = await run(task).catch(resultOf)
  clearInterval(watch)
  // Pixels are no part of the heap: the collector does not look for as long as the heap is small.
  if (process.memoryUsage().arrayBuffers > collectBytes) globalThis.gc?.()
  process.send?.({ result, residentBytes: process.memoryUsage.rss() })
}

process.on('message', (task: WorkerTask) => void answer(task))
// A worker ends with its service, however that ended, and not by the signal that lets the service finish what it has begun.
process.on('disconnect', () => process.exit())
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
