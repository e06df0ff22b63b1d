// How many answers that nothing bounds may be under way, so that callers who open many cannot keep a node from the others.
import type { Readable } from 'node:stream'
import { streamOf } from '../answer.ts'
import { ApiError } from '../api-error.ts'

const retryAfterSeconds = 10

export class StreamPlaces {
  readonly #perOwnerMax: number
  readonly #perNodeMax: number
  readonly #taken = new Map<string, number>()
  #total = 0

  constructor({ perOwnerMax, perNodeMax }: { readonly perOwnerMax: number; readonly perNodeMax: number }) {
    this.#perOwnerMax = perOwnerMax
    this.#perNodeMax = perNodeMax
  }

  /**
   * Makes a stream of texts, which keeps its place until it is closed.
   * @throws ApiError too_many_streams
   */
  open(owner: string, texts: AsyncIterable<string>): Readable {
    const mine = this.#taken.get(owner) ?? 0
    if (mine >= this.#perOwnerMax || this.#total >= this.#perNodeMax) {
      throw new ApiError('too_many_streams', { retryAfterSeconds })
    }
    this.#taken.set(owner, mine + 1)
    this.#total++
    return streamOf(texts).once('close', () => this.#leave(owner))
  }

  #leave(owner: string): void {
    const others = (this.#taken.get(owner) ?? 0) - 1
    if (others > 0) this.#taken.set(owner, others)
    else this.#taken.delete(owner)
    this.#total--
  }
}
