// The header reader agrees with the decoder.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mutated, random } from '../../../test/harness/files/hostile-files.ts'
import { drawn, patchwork, raw } from '../../../test/harness/files/pictures.ts'
import { exifOrientation } from './exif-orientation.ts'
import { readJpegHeader } from './jpeg-header.ts'
import { sharp } from './libvips.ts'

const picture = () => raw(drawn(40, 30, patchwork))
const plain = () => picture().jpeg().toBuffer()
const turned = (orientation: number) => picture().withMetadata({ orientation }).jpeg().toBuffer()

interface Entry {
  readonly tag?: number
  readonly type?: number
  readonly count?: number
  readonly value: number
}

/** A TIFF structure with one directory. */
function tiff(order: 'II' | 'MM', entries: readonly Entry[], directory = 8): Buffer {
  const bytes = Buffer.alloc(directory + 2 + entries.length * 12 + 4)
  const u16 = (value: number, at: number) =>
    order === 'II' ? bytes.writeUInt16LE(value, at) : bytes.writeUInt16BE(value, at)
  const u32 = (value: number, at: number) =>
    order === 'II' ? bytes.writeUInt32LE(value, at) : bytes.writeUInt32BE(value, at)
  bytes.write(order, 0, 'latin1')
  u16(42, 2)
  u32(directory, 4)
  u16(entries.length, directory)
  for (const [index, { tag = 0x0112, type = 3, count = 1, value }] of entries.entries()) {
    const at = directory + 2 + index * 12
    u16(tag, at)
    u16(type, at + 2)
    u32(count, at + 4)
    u16(value, at + 8)
  }
  return bytes
}

function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

const exif = (content: Buffer) => segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), content]))

/** Inserts segments after the start of the image. */
const having = (jpeg: Buffer, ...segments: Buffer[]) =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])

describe('readJpegHeader', () => {
  it('returns size and orientation, or undefined if there is none', async () => {
    assert.deepEqual(readJpegHeader(await plain()), { width: 40, height: 30, orientation: undefined })
    const others = [
      picture().grayscale().jpeg(),
      picture().jpeg({ progressive: true }),
      picture().keepIccProfile().jpeg(),
    ]
    for (const other of others) {
      assert.deepEqual(readJpegHeader(await other.toBuffer()), { width: 40, height: 30, orientation: undefined })
    }
    for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
      assert.deepEqual(readJpegHeader(await turned(orientation)), { width: 40, height: 30, orientation })
    }
  })

  it('leaves ambiguous and truncated files to the decoder', async () => {
    const jpeg = await plain()
    const [six, three] = [exif(tiff('II', [{ value: 6 }])), exif(tiff('MM', [{ value: 3 }]))]
    assert.equal(readJpegHeader(having(jpeg, six))?.orientation, 6)
    assert.equal(readJpegHeader(having(jpeg, six, three)), undefined)
    assert.equal(readJpegHeader(having(jpeg, exif(tiff('II', [{ value: 9 }])))), undefined)
    assert.equal(readJpegHeader(having(jpeg, Buffer.from([0, 0]))), undefined)
    assert.equal(readJpegHeader(await picture().toColourspace('cmyk').jpeg().toBuffer()), undefined)
    const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
    for (let end = 2; end < frame + 10; end++) assert.equal(readJpegHeader(jpeg.subarray(0, end)), undefined)
  })

  it('agrees with the decoder or returns nothing for 1500 files with a few wrong bytes', async () => {
    const next = random(7)
    const files = await Promise.all([plain(), turned(1), turned(3), turned(6)])
    let agreed = 0
    for (let index = 0; index < 1500; index++) {
      const file = mutated(files[index % files.length] ?? Buffer.alloc(0), next)
      const header = readJpegHeader(file)
      const found = await sharp(file, { failOn: 'error' })
        .metadata()
        .catch(() => undefined)
      if (header === undefined || found === undefined) continue
      const { width, height, orientation = 1, hasAlpha } = found
      assert.deepEqual(
        { width, height, orientation, hasAlpha },
        { orientation: 1, hasAlpha: false, ...defined(header) },
      )
      agreed++
    }
    assert.ok(agreed > 300, `${agreed} read by both`)
  })
})

const defined = ({ orientation, ...size }: NonNullable<ReturnType<typeof readJpegHeader>>) =>
  orientation === undefined ? size : { ...size, orientation }

describe('exifOrientation', () => {
  it('reads both byte orders, wherever the directory is', () => {
    for (const order of ['II', 'MM'] as const) {
      assert.equal(exifOrientation(tiff(order, [{ tag: 0x010f, value: 3 }, { value: 8 }])), 8)
      assert.equal(exifOrientation(tiff(order, [{ value: 5 }], 30)), 5)
      assert.equal(exifOrientation(tiff(order, [{ tag: 0x010f, value: 3 }])), 1)
      assert.equal(exifOrientation(tiff(order, [])), 1)
    }
  })

  it('returns nothing for structures that violate the specification', () => {
    const odd: Entry[][] = [
      [{ value: 0 }],
      [{ value: 9 }],
      [{ value: 6, type: 4 }],
      [{ value: 6, count: 2 }],
      [{ value: 6 }, { value: 6 }],
      Array.from({ length: 101 }, () => ({ tag: 0x010f, value: 1 })),
    ]
    for (const entries of odd) assert.equal(exifOrientation(tiff('II', entries)), undefined)
    const whole = tiff('MM', [{ value: 6 }])
    assert.equal(exifOrientation(whole), 6)
    for (let end = 0; end < whole.length - 4; end++) assert.equal(exifOrientation(whole.subarray(0, end)), undefined)
    const [far, other] = [Buffer.from(whole), Buffer.from(whole)]
    far.writeUInt32BE(0xffff_fff0, 4)
    other.write('IM', 'latin1')
    assert.deepEqual([exifOrientation(far), exifOrientation(other)], [undefined, undefined])
  })
})
