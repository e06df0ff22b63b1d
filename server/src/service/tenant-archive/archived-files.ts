// Files inside an archive: the bytes of each come in pieces before its row, so that no row is written whose bytes are missing.
import { createHash } from 'node:crypto'
import { type ImageMime, uploadBytesMax } from '@bailiwick/contract'
import { type Storage, type StorageKey, storageKey, tenantPrefix } from '../../media/storage/storage.ts'
import { withCheckedImage } from '../../media/uploads/check-image.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { ArchiveError } from './archive-error.ts'
import { type ArchiveLine, type ArchiveRow, lineText } from './archive-lines.ts'
import type { Archive } from './read-archive.ts'

export const filesTable = 'media_files'

/** What a file's row must contain for its bytes to be read from the storage, or written to it. */
interface FileColumns {
  readonly id: string
  readonly mime: string
  readonly size: number
  readonly sha256: string
  readonly storage_key: string
}

function columnsOf(row: ArchiveRow): FileColumns {
  const { id, mime, size, sha256, storage_key } = row
  const isFile =
    [id, mime, sha256, storage_key].every((each) => typeof each === 'string') && typeof size === 'number' && size > 0
  if (!isFile) throw new ArchiveError('the row of a file does not say what it is')
  return { id, mime, size, sha256, storage_key } as FileColumns
}

/** A name of this service's making within the tenant's own folder: any other would reach files of others. */
export function ownKey(tenantId: string, text: unknown): StorageKey {
  const parts = typeof text === 'string' ? text.split('/') : []
  try {
    const key = storageKey(...parts)
    if (parts.length > 2 && parts[0] === tenantPrefix(tenantId)) return key
  } catch (cause) {
    throw new ArchiveError('a file of the archive lies where none can', { cause })
  }
  throw new ArchiveError('a file of the archive lies where none of this tenant can')
}

/**
 * Yields the lines of a file's bytes.
 * @returns false if they are not in the storage: then nothing was yielded.
 * @throws Error if they differ from what the row says.
 */
export async function* bytesLines(storage: Storage, row: ArchiveRow): AsyncGenerator<string, boolean> {
  const { id, sha256, storage_key: key } = columnsOf(row)
  const content = await storage.get(key as StorageKey)
  if (content === undefined) return false
  const sum = createHash('sha256')
  for await (const chunk of content.stream) {
    const data = chunk as Buffer
    sum.update(data)
    yield lineText({ kind: 'bytes', of: id, data })
  }
  if (sum.digest('hex') !== sha256)
    throw new Error(`the bytes of file ${id} in the storage are not those that were kept`)
  return true
}

export interface ArrivedFile {
  readonly key: StorageKey
  readonly mime: string
  readonly bytes: Buffer
}

/** Roughly what a piece takes in memory besides its bytes. */
const pieceOverhead = 256
/** A storage returns a file in pieces of kilobytes. */
const heldBytesMax = 2 * uploadBytesMax

class ArrivingFile {
  #of: string | undefined
  #pieces: Buffer[] = []
  #length = 0

  get hasBegun(): boolean {
    return this.#of !== undefined
  }

  add({ of, data }: ArchiveLine & { kind: 'bytes' }): void {
    // Pieces without bytes would take memory without ever reaching the limit.
    if (data.length === 0) throw new ArchiveError('the file holds an empty piece of a picture')
    this.#length += data.length
    if ((this.#of ??= of) !== of) throw new ArchiveError('the file holds bytes whose row is missing')
    if (this.#length > uploadBytesMax) throw new ArchiveError('the file holds a picture larger than any may be')
    if (this.#length + this.#pieces.length * pieceOverhead > heldBytesMax) {
      throw new ArchiveError('the file holds a picture in too many pieces')
    }
    this.#pieces.push(data)
  }

  complete(tenantId: string, row: ArchiveRow): ArrivedFile {
    const { id, mime, size, sha256, storage_key: key } = columnsOf(row)
    const bytes = Buffer.concat(this.#pieces)
    const isIts =
      this.#of === id && bytes.length === size && createHash('sha256').update(bytes).digest('hex') === sha256
    if (!isIts) throw new ArchiveError('the file lacks the bytes of a picture, or holds others')
    this.#of = undefined
    this.#pieces = []
    this.#length = 0
    return { key: ownKey(tenantId, key), mime, bytes }
  }
}

export type WholeLine =
  | { readonly kind: 'row'; readonly table: string; readonly row: ArchiveRow; readonly file?: ArrivedFile }
  | (ArchiveLine & { readonly kind: 'counter' })

/**
 * Yields the lines of an archive, each file's row together with its bytes; one file at a time is in memory.
 * @throws ArchiveError as `Archive.lines` does, and if bytes and rows do not belong together
 */
export async function* wholeLines(archive: Archive): AsyncGenerator<WholeLine> {
  const arriving = new ArrivingFile()
  for await (const line of archive.lines()) {
    if (line.kind === 'bytes') {
      arriving.add(line)
      continue
    }
    if (line.kind === 'row' && line.table === filesTable) {
      yield { ...line, file: arriving.complete(archive.header.tenantId, line.row) }
      continue
    }
    if (arriving.hasBegun) throw new ArchiveError('the file holds bytes whose row is missing')
    yield line
  }
  if (arriving.hasBegun) throw new ArchiveError('the file holds bytes whose row is missing')
}

/**
 * Holds an image to what an upload is held to.
 * @returns what is to be stored: an SVG as the sanitiser leaves it, everything else as it arrived.
 * @throws ArchiveError for bytes that are no such image
 */
export async function acceptedFile(tenantId: string, row: ArchiveRow, file: ArrivedFile) {
  const { id, mime, size } = columnsOf(row)
  let accepted = { row, file }
  try {
    await withCheckedImage({ tenantId, mime: mime as ImageMime, size, load: async () => file.bytes }, async (image) => {
      const bytes = Buffer.from(image.bytes)
      accepted = { row: { ...row, size: bytes.length, sha256: image.sha256 }, file: { ...file, bytes } }
    })
  } catch (error) {
    if (!(error instanceof ApiError) || error.statusCode >= 500) throw error
    throw new ArchiveError(`the bytes of ${filesTable} ${id} are no image of the type in its mime`, { cause: error })
  }
  return accepted
}
