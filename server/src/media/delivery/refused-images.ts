// Remembers images that cannot be made because of their source, so that a page that shows one does not make a worker try at each view.
import { LRUCache } from 'lru-cache'
import { entriesAtMost } from '../../platform/cache/memory.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Deps } from '../deps.ts'
import { layerUrls } from '../engine/definition.ts'
import { ImageError } from '../engine/image-error.ts'
import type { StorageKey } from '../storage/storage.ts'
import type { ImageChoice } from './image-choice.ts'

const refusedMax = 10_000
/** Bad bytes are refused for ever; bytes that could not be fetched may be available after a while. */
const rememberedMs = 10 * 60 * 1000

type Refusal = Pick<ApiError, 'code' | 'message'>

/** Whether it would fail again: not after a lack of time or memory, or because of another server's answer. */
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

  /** @throws ApiError the earlier refusal */
  assertNotRefused({ key }: ImageChoice): void {
    const refusal = this.#refusals.get(key)
    if (refusal !== undefined) throw new ApiError(refusal.code, { detail: refusal.message })
  }

  remember(choice: ImageChoice, error: unknown): void {
    if (isOfSource(choice, error)) this.#refusals.set(choice.key, { code: error.code, message: error.message })
  }
}
