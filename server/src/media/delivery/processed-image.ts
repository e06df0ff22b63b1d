// An image made by a definition: out of memory, out of the storage, or made now, by one for all who ask at the same time.
import { LRUCache } from 'lru-cache'
import type { Deps } from '../../deps.ts'
import { ApiError } from '../../http/api-error.ts'
import { layerUrls } from '../engine/definition.ts'
import { mediaTypes } from '../engine/formats.ts'
import { ImageError } from '../engine/image-error.ts'
import type { ImagePool } from '../engine/pool.ts'
import { selectFile } from '../queries.ts'
import { folderOf } from '../remove-bytes.ts'
import type { StorageKey } from '../storage/storage.ts'
import { type ImageChoice, kindOf } from './image-choice.ts'
import { layerBytes } from './layer-bytes.ts'
import { imageBytes, readStored } from './read-stored.ts'

const memoryBytes = 32 * 1024 * 1024
/** Larger ones are left to the storage. */
const memoryBytesOfOne = 1024 * 1024

/** As the caller may hear of it. */
function apiErrorOf(error: unknown): unknown {
  if (!(error instanceof ImageError)) return error
  switch (error.code) {
    case 'too_large':
      return new ApiError('image_too_large', { detail: error.message })
    case 'pool_busy':
    case 'pool_closed':
      return new ApiError('unavailable', { cause: error, retryAfterSeconds: 2 })
    case 'engine_failure':
      return error
    case 'unsupported':
    case 'unreadable':
    case 'time_out':
    case 'out_of_memory':
    case 'worker_lost':
      return new ApiError('image_unprocessable', { detail: error.message, cause: error })
  }
}

export class ProcessedImages {
  readonly #deps: Deps
  readonly #pool: ImagePool
  readonly #underWay = new Map<StorageKey, Promise<Buffer>>()
  readonly #memory = new LRUCache<StorageKey, Buffer>({
    maxSize: memoryBytes,
    maxEntrySize: memoryBytesOfOne,
    sizeCalculation: (bytes) => Math.max(1, bytes.length),
  })

  constructor(deps: Deps, pool: ImagePool) {
    this.#deps = deps
    this.#pool = pool
  }

  /** The bytes of an image that is in memory. */
  known({ key }: ImageChoice): Buffer | undefined {
    return this.#memory.get(key)
  }

  /**
   * The bytes of the image.
   * @param isKept whether it is worth its place in the storage: not what anybody could ask for in any number of sizes.
   * @param beforeMaking refuses where too much has been made for somebody already.
   * @throws ApiError image_too_large, image_unprocessable, unavailable
   */
  async get(choice: ImageChoice, isKept: boolean, beforeMaking?: () => void): Promise<Buffer> {
    const { file, key, isVector } = choice
    const known = this.#memory.get(key) ?? (await this.#stored(isVector ? file.storage_key : key, isVector || isKept))
    // Looked at again: meanwhile somebody may have begun, or ended.
    const found = known ?? this.#memory.get(key) ?? this.#underWay.get(key)
    if (found !== undefined) return found
    beforeMaking?.()
    const making = this.#make(choice)
      .then(async (bytes) => {
        if (isKept) await this.#keep(choice, bytes)
        this.#memory.set(key, bytes)
        return bytes
      })
      .finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, making)
    return making
  }

  /**
   * Made anew, and not kept.
   * @throws ApiError as `get`
   */
  async preview(choice: ImageChoice): Promise<Buffer> {
    const { file, isVector } = choice
    return (isVector ? await readStored(this.#deps.storage, file.storage_key) : undefined) ?? this.#make(choice)
  }

  async #make({ file, plan, format }: ImageChoice): Promise<Buffer> {
    const { tenant_id: tenantId } = file
    try {
      const load = async () => {
        const source = await imageBytes(this.#deps.storage, file.storage_key)
        if (source === undefined) throw new ImageError('unreadable', 'The image is not there any more.')
        return { source, layers: await layerBytes(this.#deps, tenantId, layerUrls(plan)) }
      }
      const isSvg = kindOf(file) === 'svg'
      return (await this.#pool.make(tenantId, { isSvg, plan, format, load })).data
    } catch (error) {
      throw apiErrorOf(error)
    }
  }

  async #keep({ file, format, key }: ImageChoice, bytes: Buffer) {
    const { db, storage, log } = this.#deps
    try {
      await storage.put(key, bytes, mediaTypes[format])
    } catch (error) {
      // Whoever asked has the image all the same; the next one has it made again.
      log.warn({ err: error }, 'an image could not be kept')
    }
    // One that was deleted meanwhile has had its folder removed before this was in it.
    if ((await selectFile(db, file.tenant_id, file.id)) === undefined) await storage.deleteAll(folderOf(key))
  }

  async #stored(key: StorageKey, isWorthALook: boolean): Promise<Buffer | undefined> {
    if (!isWorthALook) return undefined
    return readStored(this.#deps.storage, key)
  }
}
