// Returns images made by a definition: from memory, from the storage, or newly made, once for all simultaneous requests.
import { LRUCache } from 'lru-cache'
import type { Deps } from '../deps.ts'
import { mediaTypes } from '../engine/formats.ts'
import { readImageHeader } from '../image-header/image-header.ts'
import type { StorageKey } from '../storage/storage.ts'
import type { ImageChoice } from './image-choice.ts'
import { makeImage } from './make-image.ts'
import { readOriginal, readStored } from './read-stored.ts'
import { RefusedImages } from './refused-images.ts'

const memoryBytes = 32 * 1024 * 1024
/** Larger images are only stored, not kept in memory. */
const memoryBytesOfOne = 1024 * 1024

export class ProcessedImages {
  readonly #deps: Deps
  readonly #refused: RefusedImages
  readonly #underWay = new Map<StorageKey, Promise<Buffer>>()
  readonly #reading = new Map<StorageKey, Promise<Buffer | undefined>>()
  readonly #memory = new LRUCache<StorageKey, Buffer>({
    maxSize: memoryBytes,
    maxEntrySize: memoryBytesOfOne,
    sizeCalculation: (bytes) => Math.max(1, bytes.length),
  })

  constructor(deps: Deps) {
    this.#deps = deps
    this.#refused = new RefusedImages(deps)
  }

  /** Returns the bytes of an image that is in memory. */
  known({ key }: ImageChoice): Buffer | undefined {
    return this.#memory.get(key)
  }

  /**
   * Returns the bytes of the image.
   * @param isKept whether to store the image: not if anybody could request it in any number of sizes.
   * @param beforeMaking throws if too many images have been made for this caller already.
   * @throws ApiError image_too_large, image_unprocessable, unavailable
   */
  async get(choice: ImageChoice, isKept: boolean, beforeMaking?: () => void): Promise<Buffer> {
    const { key } = choice
    this.#refused.assertNotRefused(choice)
    const known = this.#memory.get(key) ?? (await this.#storedOnce(choice, isKept))
    // Checked again, because another request may have started or finished meanwhile.
    const found = known ?? this.#memory.get(key) ?? this.#underWay.get(key)
    if (found !== undefined) return found
    beforeMaking?.()
    const making = makeImage(this.#deps, choice)
    this.#underWay.set(key, making)
    void this.#keepOnce(choice, making, isKept)
    return making
  }

  /**
   * Makes the image again without storing it.
   * @throws ApiError as `get`
   */
  async preview(choice: ImageChoice): Promise<Buffer> {
    const { file, isVector } = choice
    return (isVector ? await readOriginal(this.#deps.storage, file) : undefined) ?? makeImage(this.#deps, choice)
  }

  /** Holds the image until it is stored, so that requests meanwhile do not make it twice. */
  async #keepOnce(choice: ImageChoice, making: Promise<Buffer>, isKept: boolean): Promise<void> {
    try {
      const bytes = await making
      this.#memory.set(choice.key, bytes)
      if (isKept) await this.#deps.keptImages.keepLater(choice, bytes)
    } catch (error) {
      // The caller gets the error.
      this.#refused.remember(choice, error)
    } finally {
      this.#underWay.delete(choice.key)
    }
  }

  /** Reads an image once for all who ask for it meanwhile: a large one would take as much memory for each. */
  #storedOnce(choice: ImageChoice, isKept: boolean): Promise<Buffer | undefined> {
    const { key, isVector } = choice
    if (!isKept && !isVector) return Promise.resolve(undefined)
    const reading = this.#reading.get(key) ?? this.#stored(choice).finally(() => this.#reading.delete(key))
    this.#reading.set(key, reading)
    return reading
  }

  async #stored(choice: ImageChoice): Promise<Buffer | undefined> {
    const { file, key, format, isVector } = choice
    if (isVector) return readOriginal(this.#deps.storage, file)
    const bytes = await readStored(this.#deps.storage, key)
    // An answer from something other than the storage is not the stored image.
    if (bytes === undefined || readImageHeader(bytes)?.mime !== mediaTypes[format]) return undefined
    this.#deps.keptImages.used(choice, bytes.length)
    return bytes
  }
}
