// Keeps the bytes of a small upload in memory, because writing them to disk would cost more than everything else. Slow senders could fill
// the memory, so the total is limited.
import type { Readable } from 'node:stream'
import { ApiError } from '../../platform/http/api-error.ts'
import { type Pace, checkComplete, checkRoom } from './staged-body.ts'

const bytesOfOneMax = 256 * 1024
const bytesMax = 16 * 1024 * 1024

/** Counts the bytes that are held. */
export class HeldBodies {
  #bytes = 0

  /** Reserves room for so many bytes, which must be given back, and returns whether there was room. */
  take(size: number): boolean {
    if (size > bytesOfOneMax || this.#bytes + size > bytesMax) return false
    this.#bytes += size
    return true
  }

  giveBack(size: number): void {
    this.#bytes -= size
  }
}

const endedEarly = (cause?: Error) =>
  new ApiError('malformed_request', { detail: 'The body is shorter than its Content-Length.', cause })

const ignore = () => undefined

/**
 * Reads the whole body.
 * @throws ApiError payload_too_large for more than `size` bytes, validation_failed for fewer, request_timeout,
 * malformed_request for a sender that hangs up
 */
export function holdBody(source: Readable, size: number, pace: Pace): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let received = 0
    const settle = (end: () => void) => {
      source.off('data', take).off('end', finish).off('close', hungUp).off('error', fail)
      // The connection must outlive a refusal, which is sent on it; its later errors are ignored.
      source.on('error', ignore).pause()
      end()
    }
    const fail = (error: Error) => settle(() => reject(error instanceof ApiError ? error : endedEarly(error)))
    const hungUp = () => fail(endedEarly())
    const attempt = (step: () => void) => {
      try {
        step()
      } catch (error) {
        fail(error as Error)
      }
    }
    const take = (chunk: Buffer) =>
      attempt(() => {
        received += chunk.length
        pace.count(chunk.length)
        checkRoom(received, size)
        chunks.push(chunk)
      })
    const finish = () =>
      attempt(() => {
        checkComplete(received, size)
        const [first] = chunks
        settle(() => resolve(first?.length === received ? first : Buffer.concat(chunks)))
      })
    if (source.readableEnded) return finish()
    if (source.destroyed) return hungUp()
    pace.tooSlow.catch(fail)
    source.on('error', fail).on('close', hungUp).on('end', finish).on('data', take)
  })
}
