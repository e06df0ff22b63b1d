// Images that were made once and are kept in the storage: so many bytes for each tenant; what has not been used for longest
// makes room.
import { LRUCache } from 'lru-cache'
import { entriesAtMost } from '../../platform/cache/memory.ts'
import { addToCounters, readCounters } from '../../platform/db/counters.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Deps } from '../deps.ts'
import type { TenantId } from '../../platform/ids.ts'
import { keptBytesCounter } from '../counts.ts'
import { mediaTypes } from '../engine/formats.ts'
import { folderOf, removeObjectJob } from '../remove-bytes.ts'
import type { StorageKey } from '../storage/storage.ts'
import type { ImageChoice } from './image-choice.ts'
import * as queries from './kept-image-queries.ts'

type KeptDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'storage' | 'log'>

/** How much may wait to be written; what does not find room is made again when it is next asked for. */
const waitingBytesMax = 64 * 1024 * 1024
/** When something was used last is not written with each use. */
const useMs = 12 * 60 * 60 * 1000
const usesMax = 20_000
/** One that is kept makes room by removing so many at most: the next goes on. */
const removedAtOnce = 50

/** Forgets the images that are kept of a file, which the caller's transaction holds; returns how many bytes they take. */
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

  /** Keeps it when those before it are kept: whoever asked need not wait for the disk. Resolves when that is done. */
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

  /** Keeps it, where there is room for it. Does not fail: who comes next has it made again. */
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

  /** Says that it was read out of the storage. */
  used(choice: ImageChoice, size: number): void {
    if (this.#uses.has(choice.key)) return
    this.#uses.set(choice.key, true)
    const told = this.#record(choice, size).catch((err: unknown) => {
      this.#deps.log.warn({ err }, 'the use of a kept image could not be written')
    })
    this.#line = this.#line.then(() => told)
  }

  /** Resolves when nothing waits to be kept any more. */
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
    // One that was deleted meanwhile has had its folder removed before this was in it.
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
