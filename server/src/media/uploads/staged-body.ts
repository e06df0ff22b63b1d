// Collects the bytes of a large upload on disk while they arrive, so that slow senders take no memory.
import { open, rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { ApiError, invalid } from '../../platform/http/api-error.ts'

/** An upload has five minutes, and must not trickle. */
const durationMsMax = 300_000
const bytesPerSecondMin = 1024
const graceMs = 10_000
const lookEveryMs = 1000

/** Rejects once the sender is too slow; `count` records what has arrived. */
export interface Pace {
  count(bytes: number): void
  readonly tooSlow: Promise<never>
  stop(): void
}

export function watchPace(): Pace {
  const startedAt = performance.now()
  let received = 0
  let timer: NodeJS.Timeout | undefined
  const tooSlow = new Promise<never>((_resolve, reject) => {
    timer = setInterval(() => {
      const ms = performance.now() - startedAt
      const isTrickling = ms > graceMs && received < ((ms - graceMs) / 1000) * bytesPerSecondMin
      if (ms > durationMsMax || isTrickling) reject(new ApiError('request_timeout'))
    }, lookEveryMs)
  })
  // Nothing may be waiting for it at the moment.
  tooSlow.catch(() => undefined)
  return {
    count: (bytes) => void (received += bytes),
    tooSlow,
    stop: () => clearInterval(timer),
  }
}

/** @throws ApiError payload_too_large */
export function checkRoom(received: number, size: number) {
  if (received > size) throw new ApiError('payload_too_large', { detail: `${size} bytes were announced.` })
}

/** @throws ApiError validation_failed */
export function checkComplete(received: number, size: number) {
  if (received < size) throw invalid('/size', 'wrong_size', `was announced as ${size} bytes and is ${received}`)
}

/**
 * Writes the body into a new file, which is removed if that fails.
 * @throws ApiError payload_too_large for more than `size` bytes, validation_failed for fewer, request_timeout,
 * malformed_request for a sender that hangs up
 */
export async function stageBody(path: string, source: Readable, size: number, pace: Pace): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  let received = 0
  try {
    // The connection must outlive a refusal, which is sent on it.
    const chunks = source.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>
    for (;;) {
      const { done, value } = await Promise.race([nextOf(chunks), pace.tooSlow])
      if (done === true) break
      received += value.length
      pace.count(value.length)
      checkRoom(received, size)
      await file.write(value)
    }
    checkComplete(received, size)
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

async function nextOf(chunks: AsyncIterator<Buffer>) {
  try {
    return await chunks.next()
  } catch (cause) {
    if (cause instanceof ApiError) throw cause
    throw new ApiError('malformed_request', { detail: 'The body is shorter than its Content-Length.', cause })
  }
}
