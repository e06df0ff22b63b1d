import type { Deps as MessagingDeps } from '../messaging/deps.ts'
import type { KeptImages } from './delivery/kept-images.ts'
import type { ImagePool } from './engine/workers/pool.ts'
import type { Storage } from './storage/storage.ts'

export interface Deps extends MessagingDeps {
  /** The storage of files' bytes. */
  readonly storage: Storage
  /** The workers that decode and make images. */
  readonly imagePool: ImagePool
  readonly keptImages: KeptImages
}
