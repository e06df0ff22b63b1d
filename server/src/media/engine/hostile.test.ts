// Files made to do harm: each affects only its own request.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import type { TransformationStep } from '@bailiwick/contract'
import { mutated, random, validFiles } from '../../../test/harness/files/hostile-files.ts'
import { drawn, make, patchwork, png, raw, red } from '../../../test/harness/files/pictures.ts'
import { ImageError } from './image-error.ts'
import { rasterKind } from './source-kind.ts'
import { ImagePool } from './workers/pool.ts'

const pool = new ImagePool({ workers: 2 })
after(() => pool.close())

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const out = Buffer.alloc(body.length + 8)
  out.writeUInt32BE(data.length, 0)
  body.copy(out, 4)
  out.writeUInt32BE(crc32(body), body.length + 4)
  return out
}

/** A PNG whose header claims that size, with as many bytes of pixels as given. */
function pngOf(width: number, height: number, pixelBytes: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const pixels = deflateSync(Buffer.alloc(pixelBytes), { level: 9 })
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

/** A GIF whose frames have one pixel each, on a screen of that size. */
function gifOf(width: number, height: number, frames: number): Buffer {
  const screen = Buffer.from([0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255])
  screen.writeUInt16LE(width, 6)
  screen.writeUInt16LE(height, 8)
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 0x01, 0])
  return Buffer.concat([screen, ...Array.from({ length: frames }, () => frame), Buffer.from([0x3b])])
}

async function refusal(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt
    return 'made'
  } catch (error) {
    assert.ok(error instanceof ImageError, String(error))
    return error.code
  }
}

const outcomeOf = (source: Buffer, changes: Parameters<typeof make>[2] = {}) =>
  Promise.all([refusal(make(pool, source, changes)), refusal(pool.inspect('tenant', source))])

describe('images whose header breaks a limit', () => {
  it('pixel floods, of whatever shape', async () => {
    const flood = pngOf(65_000, 65_000, 4_000_000)
    assert.ok(flood.length < 6000, `${flood.length} bytes`)
    for (const source of [flood, pngOf(16_385, 1, 100), pngOf(1, 2_000_000, 100), pngOf(8000, 6251, 100)]) {
      assert.deepEqual(await outcomeOf(source), ['too_large', 'too_large'])
    }
    await assert.rejects(pool.inspect('tenant', pngOf(8000, 6251, 100)), {
      message: 'The image has 50008000 pixels; the maximum is 50000000.',
    })
  })

  it('JPEG of too long a side, or too many pixels, upright or not', async () => {
    for (const orientation of [undefined, 6]) {
      const picture = raw(drawn(8, 8, () => red))
      const oriented = orientation === undefined ? picture : picture.withMetadata({ orientation })
      const jpeg = await oriented.jpeg().toBuffer()
      const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
      for (const [width, height] of [
        [16_385, 16],
        [16, 16_385],
        [8000, 6251],
      ] as const) {
        const flood = Buffer.from(jpeg)
        flood.writeUInt16BE(height, frame + 5)
        flood.writeUInt16BE(width, frame + 7)
        assert.deepEqual(await outcomeOf(flood), ['too_large', 'too_large'])
      }
    }
  })

  it('animations of too many frames, or of too many pixels in all', async () => {
    for (const source of [gifOf(10, 10, 101), gifOf(10, 10, 5000), gifOf(1000, 1000, 51)]) {
      assert.deepEqual(await outcomeOf(source), ['too_large', 'too_large'])
    }
    assert.equal((await pool.inspect('tenant', gifOf(10, 10, 100))).frames, 100)
  })

  it('files of more bytes than allowed', async () => {
    const padded = Buffer.concat([await png(drawn(4, 4, () => red)), Buffer.alloc(20 * 1024 * 1024)])
    assert.deepEqual(await outcomeOf(padded), ['too_large', 'too_large'])
  })

  it('what is none of the five kinds, whatever libvips could read', async () => {
    const tiff = await raw(drawn(4, 4, () => red))
      .tiff()
      .toBuffer()
    const others = [
      '',
      'P3 1 1 255 0 0 0',
      '%PDF-1.7',
      '<svg/>',
      '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>',
      'BM',
      '\0\0\0\x0cJXL \r\n',
      '#?RADIANCE',
      'push graphic-context',
    ]
    for (const source of [tiff, ...others.map((text) => Buffer.from(text, 'latin1'))]) {
      assert.deepEqual(await outcomeOf(source), ['unsupported', 'unsupported'])
    }
    // libvips itself would refuse these too, as a second line of defence.
    const { sharp: guarded } = await import('./libvips.ts')
    await assert.rejects(guarded(tiff).metadata())
    assert.equal(rasterKind(Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')), undefined)
  })
})

describe('images that break a limit only when they are decoded', () => {
  it('an output, or a step’s, beyond what may be made', async () => {
    const source = await png(drawn(10, 2000, () => red))
    assert.equal(await refusal(make(pool, source, { outputWidth: 8192, outputResizeMode: 'minimum' })), 'too_large')
    assert.equal(
      await refusal(make(pool, source, { outputWidth: 8192, outputHeight: 8192, outputResizeMode: 'stretch' })),
      'too_large',
    )
    const extend = (side: number): TransformationStep => ({
      type: 'extend',
      options: { top: side, left: side, right: side, bottom: side, color: 'red' },
    })
    assert.equal(await refusal(make(pool, source, { steps: [extend(8192)] })), 'too_large')
    const many = Array.from({ length: 17 }, () => extend(1))
    assert.equal(await refusal(make(pool, source, { steps: many })), 'too_large')
    const growing = Array.from({ length: 16 }, (): TransformationStep => ({
      type: 'rotate',
      options: { type: 'manual', degrees: 45 },
    }))
    assert.equal(await refusal(make(pool, source, { steps: growing })), 'too_large')
  })

  it('sides that the format cannot hold, and no others', async () => {
    const source = await png(drawn(16_384, 1, () => red))
    for (const format of ['jpeg', 'png', 'avif', 'gif'] as const) {
      assert.equal((await make(pool, source, {}, { format })).width, 16_384, format)
    }
    assert.equal(await refusal(make(pool, source, {}, { format: 'webp' })), 'too_large')
  })

  it('a file that promises more than it has, or is cut off', async () => {
    assert.deepEqual(await outcomeOf(pngOf(2000, 2000, 10)), ['unreadable', 'made'])
    const jpeg = await raw(drawn(200, 200, patchwork))
      .jpeg()
      .toBuffer()
    assert.deepEqual(await outcomeOf(jpeg.subarray(0, jpeg.length >> 1)), ['unreadable', 'made'])
    assert.deepEqual(await outcomeOf(jpeg.subarray(0, 10)), ['unreadable', 'unreadable'])
  })

  it('a vector that grows out of its size, or refers to files and hosts', async () => {
    const svg = (attributes: string, inside = '') =>
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inside}</svg>`,
      )
    const huge = svg('width="100000" height="100000"')
    assert.equal(await refusal(make(pool, huge, {}, { isSvg: true })), 'too_large')
    const thin = svg('width="1" height="16000"', '<rect width="1" height="9"/>')
    assert.equal(
      await refusal(make(pool, thin, { outputWidth: 8000, outputResizeMode: 'minimum' }, { isSvg: true })),
      'too_large',
    )
    const reading = svg(
      'width="10" height="10"',
      '<image width="10" height="10" xlink:href="file:///etc/hostname"/><image width="10" height="10" href="http://127.0.0.1:1/x.png"/>',
    )
    assert.equal((await make(pool, reading, {}, { isSvg: true })).width, 10)
    const laughs = Buffer.from(
      `<!DOCTYPE s [<!ENTITY a "${'x'.repeat(1000)}">${Array.from({ length: 9 }, (_, index) => `<!ENTITY ${'bcdefghij'[index]} "${`&${'abcdefghi'[index]};`.repeat(10)}">`).join('')}]>` +
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&j;</text></svg>',
    )
    assert.notEqual(await refusal(make(pool, laughs, {}, { isSvg: true })), 'engine_failure')
  })
})

describe('files with a few wrong bytes', () => {
  for (const [index, [kind, valid]] of Object.entries(validFiles).entries()) {
    // Few damaged PNGs make an image, because each part of one has a checksum.
    const count = kind === 'png' ? 500 : 150
    it(`${count} of ${kind} make an image or are refused by name, and the workers stay`, async () => {
      const next = random(index + 1)
      const original = await valid()
      const outcomes = new Map<string, number>()
      const one = async () => {
        const format = kind === 'gif' || kind === 'animated webp' ? 'webp' : 'jpeg'
        const outcome = await refusal(
          make(pool, mutated(original, next), { outputWidth: 20, steps: [{ type: 'flip', options: {} }] }, { format }),
        )
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      }
      for (let done = 0; done < count; done += 50) await Promise.all(Array.from({ length: 50 }, one))
      const summary = JSON.stringify([...outcomes])
      assert.equal(outcomes.get('engine_failure'), undefined, summary)
      assert.ok((outcomes.get('made') ?? 0) > 0 && (outcomes.get('unreadable') ?? 0) > 0, summary)
      assert.equal((await make(pool, original, {})).frames, 1)
    })
  }
})
