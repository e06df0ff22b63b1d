// Images that cannot be made, because of what their source is: a page that shows one would have a worker try again with each view.
import { LRUCache } from 'lru-cache'
import { entriesAtMost } from '../../platform/cache/memory.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { layerUrls } from '../engine/definition.ts'
import { ImageError } from '../engine/image-error.ts'
import type { StorageKey } from '../storage/storage.ts'
import type { ImageChoice } from './image-choice.ts'

const refusedMax = 10_000
/** The same bytes are refused for ever; that they were not to be had may be over after a while. */
const rememberedMs = 10 * 60 * 1000

type Refusal = Pick<ApiError, 'code' | 'message'>

/** Whether it would be refused again: neither for want of time or memory, nor for what others have answered. */
function isOfSource({ plan }: ImageChoice, error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || layerUrls(plan).length > 0) return false
  if (error.code === 'image_too_large') return true
  return error.cause instanceof ImageError && (error.cause.code === 'unsupported' || error.cause.code === 'unreadable')
}

export class RefusedImages {
  readonly #refusals: LRUCache<StorageKey, Refusal>

  constructor({ clock }: Pick<Deps, 'clock'>) {
    this.#refusals = new LRUCache({
      ...entriesAtMost(refusedMax),
      ttl: rememberedMs,
      perf: { now: () => clock.nowMs() },
    })
  }

  /** @throws ApiError as it was refused before */
  assertNotRefused({ key }: ImageChoice): void {
    const refusal = this.#refusals.get(key)
    if (refusal !== undefined) throw new ApiError(refusal.code, { detail: refusal.message })
  }

  remember(choice: ImageChoice, error: unknown): void {
    if (isOfSource(choice, error)) this.#refusals.set(choice.key, { code: error.code, message: error.message })
  }
}
