// Takes in a body to its end before anything of it is used, so that the answer begins after the request has ended: a proxy stalls when it
// gets an answer while it still sends. What is too large for memory waits in a file that has no name and is encrypted with a key that only
// this process knows, so nothing of it can be read later, however the process ends.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { type FileHandle, statfs } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { isDiskFull } from '../../db/sqlite/disk-full.ts'
import { makeFolder } from '../../make-folder.ts'
import { openUnnamed } from '../../unnamed-file.ts'
import { ApiError } from '../api-error.ts'

const algorithm = 'aes-256-ctr'
const inMemoryBytesMax = 1024 * 1024
/** Left free on the disk, for the database and everything else. */
const reservedBytes = 256 * 1024 * 1024
const retryAfterSeconds = 10

/** A body that has arrived. */
export interface WholeBody {
  /** Yields its bytes once. */
  readonly bytes: AsyncIterable<Uint8Array>
  /** Gives its room back. It may be called again. */
  close(): Promise<void>
}

export interface WholeBodyLimits {
  /** The largest body. */
  readonly bytesMax: number
  /** How many bytes of bodies this process keeps. */
  readonly totalBytesMax: number
  /** How many of them may belong to one owner. */
  readonly ownerBytesMax: number
}

/** The bodies that a process keeps, in files of one folder. */
export class WholeBodies {
  readonly #folder: string
  readonly #limits: WholeBodyLimits
  readonly #bytesOf = new Map<string, number>()
  #bytes = 0

  constructor(folder: string, limits: WholeBodyLimits) {
    this.#folder = folder
    this.#limits = limits
  }

  /** How many bytes are kept now. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * Reads a body to its end.
   * @param owner whose share of the room it takes.
   * @throws ApiError payload_too_large, too_many_streams when there is no room, or malformed_request for a sender that hangs up.
   */
  async receive(source: Readable, owner: string): Promise<WholeBody> {
    const kept: Buffer[] = []
    const key = randomBytes(32)
    const iv = randomBytes(16)
    const cipher = createCipheriv(algorithm, key, iv)
    let file: FileHandle | undefined
    let size = 0
    const close = async () => {
      this.#take(owner, -size)
      size = 0
      kept.length = 0
      await file?.close()
      file = undefined
    }
    try {
      // The connection must outlive a refusal, which is sent on it.
      for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        if (size + chunk.length > this.#limits.bytesMax) throw this.#tooLarge()
        this.#take(owner, chunk.length)
        size += chunk.length
        kept.push(chunk)
        if (file === undefined && size > inMemoryBytesMax) file = await this.#openFile()
        if (file !== undefined) await file.writeFile(cipher.update(Buffer.concat(kept.splice(0))))
      }
    } catch (error) {
      await close()
      if (error instanceof ApiError) throw error
      if (isDiskFull(error)) throw new ApiError('too_many_streams', { retryAfterSeconds, cause: error })
      throw new ApiError('malformed_request', { detail: 'The body is shorter than its Content-Length.', cause: error })
    }
    const decrypt = async function* (encrypted: FileHandle) {
      const decipher = createDecipheriv(algorithm, key, iv)
      const chunks = encrypted.createReadStream({ start: 0, autoClose: false }) as AsyncIterable<Buffer>
      for await (const chunk of chunks) yield decipher.update(chunk)
    }
    const fromMemory = async function* () {
      yield* kept
    }
    return { bytes: file === undefined ? fromMemory() : decrypt(file), close }
  }

  #tooLarge() {
    return new ApiError('payload_too_large', {
      detail: `A body can have at most ${this.#limits.bytesMax} bytes. Send it in several parts.`,
    })
  }

  #take(owner: string, bytes: number) {
    const ownBytes = (this.#bytesOf.get(owner) ?? 0) + bytes
    const { totalBytesMax, ownerBytesMax } = this.#limits
    if (bytes > 0 && (this.#bytes + bytes > totalBytesMax || ownBytes > ownerBytesMax)) {
      throw new ApiError('too_many_streams', { retryAfterSeconds })
    }
    this.#bytes += bytes
    if (ownBytes === 0) this.#bytesOf.delete(owner)
    else this.#bytesOf.set(owner, ownBytes)
  }

  async #openFile(): Promise<FileHandle> {
    makeFolder(this.#folder)
    const { bavail, bsize } = await statfs(this.#folder)
    if (bavail * bsize - reservedBytes < this.#limits.bytesMax) {
      throw new ApiError('too_many_streams', { retryAfterSeconds })
    }
    return openUnnamed(this.#folder)
  }
}
