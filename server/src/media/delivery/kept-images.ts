// Images that were made once and are stored: up to a number of bytes for each tenant. The least recently used ones make room.
import { LRUCache } from 'lru-cache'
import { entriesAtMost } from '../../platform/cache/memory.ts'
import { addToCounters, readCounters } from '../../platform/db/counters.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { TenantId } from '../../platform/ids.ts'
import { keptBytesCounter } from '../counts.ts'
import type { Deps } from '../deps.ts'
import { mediaTypes } from '../engine/formats.ts'
import { folderOf, removeObjectJob } from '../remove-bytes.ts'
import type { StorageKey } from '../storage/storage.ts'
import type { ImageChoice } from './image-choice.ts'
import * as queries from './kept-image-queries.ts'

type KeptDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'storage' | 'log'>

/** How many bytes may wait to be written. Images beyond this are made again when they are next requested. */
const waitingBytesMax = 64 * 1024 * 1024
/** The time of the last use is not written at each use. */
const useMs = 12 * 60 * 60 * 1000
const usesMax = 20_000
/** Storing an image removes at most this many others; the next one continues. */
const removedAtOnce = 50

/** Deletes the rows of a file's stored images and returns how many bytes they take. The caller's transaction must hold the file's row. */
export async function forgetKeptImages(tx: Transaction, tenantId: TenantId, fileId: string): Promise<number> {
  const kept = (await queries.selectKeptOfFile(tx, tenantId, fileId)).reduce((sum, { size }) => sum + size, 0)
  if (kept > 0) await tx.run(queries.deleteKeptOfFile(tenantId, fileId))
  return kept
}

export class KeptImages {
  readonly #deps: KeptDeps
  readonly #uses: LRUCache<StorageKey, true>
  #line: Promise<void> = Promise.resolve()
  #waitingBytes = 0

  constructor(deps: KeptDeps) {
    this.#deps = deps
    this.#uses = new LRUCache({ ...entriesAtMost(usesMax), ttl: useMs, perf: { now: () => deps.clock.nowMs() } })
  }

  /** Stores the image after those before it, so that the request need not wait for the disk. Resolves when that is done. */
  keepLater(choice: ImageChoice, bytes: Buffer): Promise<void> {
    if (this.#waitingBytes + bytes.length > waitingBytesMax) return Promise.resolve()
    this.#waitingBytes += bytes.length
    const kept = this.#line
      .then(() => this.keep(choice, bytes))
      .finally(() => {
        this.#waitingBytes -= bytes.length
      })
    this.#line = kept
    return kept
  }

  /** Stores the image if there is room for it. Never fails, because the image can be made again. */
  async keep(choice: ImageChoice, bytes: Buffer): Promise<void> {
    const { config, storage, log } = this.#deps
    if (bytes.length > config.media.keptBytesMax) return
    try {
      await storage.put(choice.key, bytes, mediaTypes[choice.format])
      await this.#record(choice, bytes.length)
    } catch (error) {
      log.warn({ err: error }, 'an image could not be kept')
    }
  }

  /** Records that the image was read from the storage. */
  used(choice: ImageChoice, size: number): void {
    if (this.#uses.has(choice.key)) return
    this.#uses.set(choice.key, true)
    const told = this.#record(choice, size).catch((err: unknown) => {
      this.#deps.log.warn({ err }, 'the use of a kept image could not be written')
    })
    this.#line = this.#line.then(() => told)
  }

  /** Resolves when nothing waits to be stored any more. */
  async settled(): Promise<void> {
    let line
    while (line !== this.#line) {
      line = this.#line
      await line
    }
  }

  async #record({ file, key }: ImageChoice, size: number): Promise<void> {
    const { db, clock, storage } = this.#deps
    const isThere = await db.transaction(async (tx) => {
      if ((await queries.selectFileForKeeping(tx, file.tenant_id, file.id)) === undefined) return false
      const at = clock.now()
      const row = { tenant_id: file.tenant_id, file_id: file.id, storage_key: key, size, used_at: at, created_at: at }
      if ((await tx.run(queries.insertKeptImage(row))) === 0) await tx.run(queries.updateUse(row))
      else await this.#makeRoom(tx, row)
      return true
    })
    this.#uses.set(key, true)
    // A file that was deleted meanwhile had its folder removed before this was in it.
    if (!isThere) await storage.deleteAll(folderOf(key))
  }

  async #makeRoom(tx: Transaction, { tenant_id: tenantId, size }: queries.KeptImageRow): Promise<void> {
    const counted = (await readCounters(tx, tenantId, [keptBytesCounter])).get(keptBytesCounter) ?? 0
    let excess = counted + size - this.#deps.config.media.keptBytesMax
    let change = size
    for (const row of excess > 0 ? await queries.selectLeastUsed(tx, tenantId, removedAtOnce) : []) {
      if (excess <= 0) break
      // Another node may have been faster.
      if ((await tx.run(queries.deleteKeptImage(row))) === 0) continue
      excess -= row.size
      change -= row.size
      await tx.run(removeObjectJob(this.#deps, tenantId, row.storage_key))
    }
    if (change !== 0) await tx.run(addToCounters(tx, tenantId, { [keptBytesCounter]: change }))
  }
}
