// Large answers whose bytes are in memory until their readers have taken them. The readers of one thing share its bytes, what waits for all of
// them is bounded, and a reader that takes nothing is cut off: otherwise anybody could fill a node's memory by asking and not reading.
import type { ServerResponse } from 'node:http'
import { ApiError } from '../api-error.ts'

/** The system's own buffers hold about as much for a reader. */
export const largeBytesMin = 64 * 1024
const stalledMsDefault = 60_000
const retryAfterSeconds = 2

/** Cuts off the reader of a large answer once it takes nothing for so long. */
export function cutIfUnread(response: ServerResponse, bytes: number, stalledMs = stalledMsDefault): void {
  if (bytes >= largeBytesMin) response.setTimeout(stalledMs, () => response.destroy())
}

interface Unread {
  readonly owner: string
  readonly bytes: Buffer
  readers: number
}

export class UnreadAnswers {
  readonly #limits: { readonly perOwnerMax: number; readonly perNodeMax: number; readonly stalledMs?: number }
  readonly #unread = new Map<string, Unread>()
  readonly #byOwner = new Map<string, number>()
  #total = 0

  /** @param limits in bytes. */
  constructor(limits: { readonly perOwnerMax: number; readonly perNodeMax: number; readonly stalledMs?: number }) {
    this.#limits = limits
  }

  /** Returns bytes that are being sent to others under that name. */
  find(name: string): Buffer | undefined {
    return this.#unread.get(name)?.bytes
  }

  /**
   * Counts the bytes until the answer has been handed over or is cut off.
   * @returns the bytes to send: those of an earlier answer of that name if one is under way.
   * @throws ApiError unavailable if too many wait already
   */
  hold(owner: string, name: string, bytes: Buffer, response: ServerResponse): Buffer {
    if (bytes.length < largeBytesMin) return bytes
    const entry = this.#unread.get(name) ?? this.#add(owner, name, bytes)
    entry.readers++
    let isHeld = true
    const release = () => {
      if (isHeld) this.#release(name, entry)
      isHeld = false
    }
    response.once('finish', release).once('close', release)
    cutIfUnread(response, bytes.length, this.#limits.stalledMs)
    return entry.bytes
  }

  #add(owner: string, name: string, bytes: Buffer): Unread {
    const own = (this.#byOwner.get(owner) ?? 0) + bytes.length
    const { perOwnerMax, perNodeMax } = this.#limits
    if (own > perOwnerMax || this.#total + bytes.length > perNodeMax) {
      throw new ApiError('unavailable', { retryAfterSeconds })
    }
    this.#byOwner.set(owner, own)
    this.#total += bytes.length
    const entry = { owner, bytes, readers: 0 }
    this.#unread.set(name, entry)
    return entry
  }

  #release(name: string, entry: Unread): void {
    entry.readers--
    if (entry.readers > 0) return
    const { owner, bytes } = entry
    this.#unread.delete(name)
    const left = (this.#byOwner.get(owner) ?? 0) - bytes.length
    if (left > 0) this.#byOwner.set(owner, left)
    else this.#byOwner.delete(owner)
    this.#total -= bytes.length
  }
}
