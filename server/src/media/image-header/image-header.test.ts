import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import sharp from 'sharp'
import { avif, gif, jpegHeader, png, svg, webpExtended, webpLossy } from '../../../test/harness/files/images.ts'
import { readImageHeader } from './image-header.ts'

const side = fc.integer({ min: 1, max: 16_383 })
const frames = fc.integer({ min: 1, max: 40 })

describe('the header of an image', () => {
  it('has the size of every kind', () => {
    fc.assert(
      fc.property(side, side, frames, (width, height, count) => {
        const expected: [string, Uint8Array, number][] = [
          ['image/jpeg', jpegHeader(width, height), 1],
          ['image/png', png(width, height), 1],
          ['image/png', png(width, height, { frames: count }), count],
          ['image/gif', gif(width, height, count), count],
          ['image/webp', webpLossy(width, height), 1],
          ['image/webp', webpExtended(width, height, count), count],
          ['image/avif', avif(width, height, count), count],
          ['image/svg+xml', svg('', `width="${width}" height='${height}px'`), 1],
          ['image/svg+xml', svg('', `viewBox="0 0 ${width} ${height}"`), 1],
        ]
        for (const [mime, bytes, framesOf] of expected) {
          assert.deepEqual(readImageHeader(bytes), { mime, width, height, frames: framesOf })
        }
      }),
      { numRuns: 50 },
    )
  })

  it('agrees with a decoder about real images', async () => {
    const source = sharp({
      create: { width: 61, height: 37, channels: 4, background: { r: 9, g: 200, b: 30, alpha: 0.5 } },
    })
    for (const format of ['jpeg', 'png', 'gif', 'webp', 'avif'] as const) {
      const bytes = await source.clone().toFormat(format).toBuffer()
      assert.deepEqual(readImageHeader(bytes), { mime: `image/${format}`, width: 61, height: 37, frames: 1 }, format)
    }
    const lossless = await source.clone().webp({ lossless: true }).toBuffer()
    assert.deepEqual(readImageHeader(lossless), { mime: 'image/webp', width: 61, height: 37, frames: 1 })
    const pages = await Promise.all(
      [0, 80, 160].map((r) =>
        sharp({ create: { width: 20, height: 10, channels: 3, background: { r, g: 0, b: 0 } } })
          .png()
          .toBuffer(),
      ),
    )
    for (const format of ['gif', 'webp'] as const) {
      const animated = await sharp(pages, { join: { animated: true } })
        .toFormat(format)
        .toBuffer()
      assert.deepEqual(readImageHeader(animated), { mime: `image/${format}`, width: 20, height: 10, frames: 3 }, format)
    }
  })

  it('has the size of the upright picture, whichever way it was taken', async () => {
    const taken = sharp({ create: { width: 61, height: 37, channels: 3, background: '#369' } })
    for (const format of ['jpeg', 'png', 'webp', 'avif'] as const) {
      for (let orientation = 1; orientation <= 8; orientation++) {
        const bytes = await taken.clone().withMetadata({ orientation }).toFormat(format).toBuffer()
        const { autoOrient } = await sharp(bytes).metadata()
        const [width, height] = orientation < 5 ? [61, 37] : [37, 61]
        assert.deepEqual(autoOrient, { width, height }, `${format} ${orientation} as decoded`)
        const header = { mime: `image/${format}`, width, height, frames: 1 }
        assert.deepEqual(readImageHeader(bytes), header, `${format} ${orientation}`)
      }
    }
    // As phones write it: big-endian, after the picture's size or before it.
    const exif = Buffer.from(
      '\xff\xe1\0\x22Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0',
      'latin1',
    )
    const plain = await taken.clone().jpeg().toBuffer()
    for (const at of [2, plain.indexOf(Buffer.from('ffc4', 'hex'))]) {
      const bytes = Buffer.concat([plain.subarray(0, at), exif, plain.subarray(at)])
      assert.equal((await sharp(bytes).metadata()).autoOrient.width, 37, `decoded, at ${at}`)
      assert.equal(readImageHeader(bytes)?.width, 37, `at ${at}`)
    }
  })

  it('has the stated size of an SVG, or one that follows from its view box if a side is missing', () => {
    const sizes: [string, number | null, number | null][] = [
      ['width=".6" height="+7px"', 1, 7],
      ['width="40" viewBox="0 0 20 10"', 40, 20],
      ['height="40" width="100%" viewBox="0 0 20 10"', 80, 40],
      ['width="100%" height="100%" viewBox="0,0,20.4,10"', 20, 10],
      ['width="40" height="30" viewBox="0 0 20 10"', 40, 30],
      ['width="-4" height="0" viewBox="0 0 0 10"', null, 10],
      ['width="40"', 40, null],
      ['', null, null],
    ]
    for (const [attributes, width, height] of sizes) {
      const header = readImageHeader(svg('', attributes))
      assert.deepEqual([header?.width, header?.height], [width, height], attributes)
    }
  })

  it('is read from any bytes without throwing, and has only integer sizes', () => {
    const starts = [
      png(5, 5),
      gif(5, 5, 3),
      jpegHeader(5, 5),
      webpExtended(5, 5, 2),
      webpLossy(5, 5),
      avif(5, 5, 3),
      svg('<g/>'),
    ]
    const mutated = fc
      .tuple(fc.constantFrom(...starts), fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 12 }), fc.nat(400))
      .map(([start, changes, length]) => {
        const bytes = Buffer.from(start)
        for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value
        return bytes.subarray(0, length)
      })
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), mutated), (bytes) => {
        const header = readImageHeader(bytes)
        if (header === undefined) return
        for (const value of [header.width, header.height]) {
          assert.ok(value === null || (Number.isSafeInteger(value) && value > 0))
        }
        assert.ok(Number.isSafeInteger(header.frames) && header.frames > 0)
      }),
      { numRuns: 3000 },
    )
  })

  it('is not read from truncated files', () => {
    for (const bytes of [png(5, 5), gif(5, 5, 3), jpegHeader(5, 5), webpLossy(5, 5), avif(5, 5)]) {
      for (let length = 0; length < 10; length++) assert.equal(readImageHeader(bytes.subarray(0, length)), undefined)
    }
    assert.equal(readImageHeader(gif(5, 5, 3).subarray(0, -1)), undefined)
  })

  it('is not read from other documents, nor from an SVG with its own entities', () => {
    const others = [
      '<html><svg xmlns="http://www.w3.org/2000/svg"/></html>',
      '%PDF-1.7',
      '<?php echo 1;',
      'GIF89a/*<script>*/',
      '<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg"/>',
      `<!--${' '.repeat(100_000)}--><svg/>`,
      '<svgx/>',
    ]
    for (const text of others) assert.equal(readImageHeader(Buffer.from(text)), undefined, text.slice(0, 60))
    assert.equal(readImageHeader(Buffer.from([0x3c, 0x73, 0x76, 0x67, 0x20, 0xff])), undefined)
  })

  it('is read from a number of boxes, chunks and blocks that grows with the bytes, not with their claims', () => {
    const boxes = Buffer.concat([
      avif(5, 5),
      Buffer.concat(Array.from({ length: 20_000 }, () => Buffer.from('\0\0\0\x08free', 'latin1'))),
    ])
    assert.equal(readImageHeader(boxes), undefined)
  })
})
