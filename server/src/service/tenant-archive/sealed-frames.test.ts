import assert from 'node:assert/strict'
import { createCipheriv, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { ArchiveError } from './archive-error.ts'
import { type FrameKey, openFrames, sealFrames } from './sealed-frames.ts'

const folder = mkdtempSync(join(tmpdir(), 'bailiwick-frames-'))
after(() => rmSync(folder, { recursive: true }))
const frameKey: FrameKey = { key: randomBytes(32), header: Buffer.from('the first line\n') }
const frameBytes = 64 * 1024

async function gathered(pieces: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const all: Buffer[] = []
  for await (const piece of pieces) all.push(piece)
  return all
}

async function sealed(texts: readonly string[]): Promise<Buffer[]> {
  async function* source() {
    yield* texts
  }
  return gathered(sealFrames(frameKey, source()))
}

async function opened(bytes: Buffer, key = frameKey, start = 0): Promise<string> {
  const path = join(folder, 'frames')
  writeFileSync(path, bytes)
  const file = await open(path, 'r')
  try {
    return Buffer.concat(await gathered(openFrames(key, file, start))).toString()
  } finally {
    await file.close()
  }
}

const refused = (bytes: Buffer, key = frameKey) => assert.rejects(opened(bytes, key), ArchiveError)

describe('sealed frames', () => {
  it('return what was sealed, whatever its length, in frames of 64 KiB at most', async () => {
    for (const length of [0, 1, frameBytes - 1, frameBytes, frameBytes + 1, 3 * frameBytes, 200_000]) {
      const text = 'ü'.repeat(Math.floor(length / 2)) + (length % 2 === 1 ? 'x' : '')
      const frames = await sealed([text])
      for (const frame of frames) assert.ok(frame.length <= frameBytes + 20)
      assert.equal(await opened(Buffer.concat(frames)), text)
      const inPieces = await sealed(text.match(/.{1,777}/gu) ?? [])
      assert.equal(await opened(Buffer.concat(inPieces)), text)
    }
    const behind = Buffer.concat([Buffer.from('abc'), ...(await sealed(['text']))])
    assert.equal(await opened(behind, frameKey, 3), 'text')
  })

  it('do not open if any bit of them is changed', async () => {
    const bytes = Buffer.concat(await sealed(['a short text']))
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      await refused(changed)
    }
  })

  it('do not open if one is missing, moved or doubled, or if something was cut off or added', async () => {
    const frames = await sealed(['a'.repeat(3 * frameBytes + 5)])
    const [one, two, three, last] = frames
    assert.ok(one && two && three && last && frames.length === 4)
    for (const order of [
      [one, two, three],
      [one, three, last],
      [two, three, last],
      [one, three, two, last],
      [one, two, two, three, last],
      [one, two, three, last, last],
      [last],
      [],
    ]) {
      await refused(Buffer.concat(order))
    }
    const bytes = Buffer.concat(frames)
    for (const cut of [1, 16, last.length - 1, last.length + 1]) await refused(bytes.subarray(0, -cut))
    await refused(Buffer.concat([bytes, Buffer.from('x')]))
  })

  // Guards: edited-archives
  it('do not open if one before the last is not full, even if it is empty', async () => {
    for (const text of ['', 'x', 'x'.repeat(frameBytes - 1)]) {
      const short = await sealed([text.padEnd(frameBytes, ' '), 'rest'])
      const [, last] = short
      assert.ok(last && short.length === 2)
      const length = Buffer.alloc(4)
      const cipher = createCipheriv('aes-256-gcm', frameKey.key, Buffer.alloc(12)).setAAD(frameKey.header)
      const bytes = Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()])
      length.writeUInt32BE(bytes.length)
      await refused(Buffer.concat([length, bytes, last]))
    }
  })

  it('do not open with another key, or after another header', async () => {
    const bytes = Buffer.concat(await sealed(['text']))
    await refused(bytes, { ...frameKey, key: randomBytes(32) })
    await refused(bytes, { ...frameKey, header: Buffer.from('another first line\n') })
  })
})
