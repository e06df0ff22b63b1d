// Seals a stream piece by piece (STREAM: Hoang, Reyhanitabar, Rogaway, Vizár 2015): each frame's nonce is its number and whether it is the
// last, so that a frame that was changed, moved, left out or cut off does not open.
import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { ArchiveError } from './archive-error.ts'

const algorithm = 'aes-256-gcm'
const frameBytes = 64 * 1024
const tagBytes = 16
const lengthBytes = 4
const framesMax = 2 ** 32

export interface FrameKey {
  readonly key: Uint8Array
  /** The bytes of the header, to which every frame is bound. */
  readonly header: Uint8Array
}

function nonceOf(number: number, isLast: boolean): Buffer {
  if (number >= framesMax) throw new RangeError('there are too many frames for one key')
  const nonce = Buffer.alloc(12)
  nonce.writeUInt32BE(number, 7)
  nonce.writeUInt8(isLast ? 1 : 0, 11)
  return nonce
}

export function sealFrame({ key, header }: FrameKey, number: number, isLast: boolean, plaintext: Uint8Array): Buffer {
  const cipher = createCipheriv(algorithm, key, nonceOf(number, isLast)).setAAD(header)
  const sealed = Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt32BE(sealed.length)
  return Buffer.concat([length, sealed])
}

function openFrame({ key, header }: FrameKey, number: number, isLast: boolean, sealed: Buffer): Buffer {
  const decipher = createDecipheriv(algorithm, key, nonceOf(number, isLast), { authTagLength: tagBytes })
  decipher.setAAD(header).setAuthTag(sealed.subarray(-tagBytes))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()])
  } catch (cause) {
    throw new ArchiveError(
      number === 0 ? 'the passphrase is wrong, or the file was changed' : 'the file was changed, or cut off',
      { cause },
    )
  }
}

/** Yields the text in frames of 64 KiB, the last one marked as such. */
export async function* sealFrames(key: FrameKey, texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let number = 0
  let held: Buffer[] = []
  let bytes = 0
  for await (const text of texts) {
    const piece = Buffer.from(text)
    held.push(piece)
    bytes += piece.length
    if (bytes < frameBytes) continue
    const all = Buffer.concat(held)
    let start = 0
    for (; start + frameBytes <= all.length; start += frameBytes) {
      yield sealFrame(key, number++, false, all.subarray(start, start + frameBytes))
    }
    held = [all.subarray(start)]
    bytes = all.length - start
  }
  yield sealFrame(key, number, true, Buffer.concat(held))
}

async function readExactly(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  let done = 0
  while (done < length) {
    const { bytesRead } = await file.read(buffer, done, length - done, position + done)
    if (bytesRead === 0) throw new ArchiveError('the file was cut off')
    done += bytesRead
  }
  return buffer
}

/**
 * Yields the opened frames from a place in the file to its end.
 * @throws ArchiveError if one of them is not as it was written, or the last is missing.
 */
export async function* openFrames(key: FrameKey, file: FileHandle, start: number): AsyncGenerator<Buffer> {
  const { size } = await file.stat()
  let position = start
  for (let number = 0; ; number++) {
    const length = (await readExactly(file, position, lengthBytes)).readUInt32BE()
    if (length < tagBytes || length > frameBytes + tagBytes) throw new ArchiveError('the file was changed')
    const sealed = await readExactly(file, position + lengthBytes, length)
    position += lengthBytes + length
    const isLast = position === size
    // Nearly empty frames would take far more memory than they contain.
    if (!isLast && length !== frameBytes + tagBytes) throw new ArchiveError('the file was changed')
    yield openFrame(key, number, isLast, sealed)
    if (isLast) return
  }
}
