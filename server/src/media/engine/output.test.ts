// The engine's output: size, format, colours, and nothing else.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { ResizeMode, TransformationStep } from '@bailiwick/contract'
import sharp from 'sharp'
import {
  type Pixel,
  animation,
  blue,
  clear,
  decoded,
  difference,
  drawn,
  green,
  make,
  patchwork,
  png,
  raw,
  red,
  white,
} from '../../../test/harness/files/pictures.ts'
import { type EncodedFormat, mediaTypes } from './formats.ts'
import { ImagePool } from './workers/pool.ts'

const pool = new ImagePool()
after(() => pool.close())

const box = (outputWidth: number, outputHeight: number, outputResizeMode: ResizeMode) => ({
  outputWidth,
  outputHeight,
  outputResizeMode,
})
/** Left half red, right half blue. */
const halves = (width: number, height: number) => drawn(width, height, (x) => (x < width / 2 ? red : blue))

describe('the output size', () => {
  const sizes: readonly [ResizeMode, number, number, string][] = [
    ['minimum', 20, 20, '40x20'],
    ['minimum', 160, 20, '160x80'],
    ['minimum', 20, 0, '20x10'],
    ['maximum', 20, 20, '20x10'],
    ['maximum', 0, 20, '40x20'],
    ['maximum', 400, 400, '80x40'],
    ['stretch', 20, 30, '20x30'],
    ['stretch', 160, 10, '160x10'],
    ['stretch', 0, 20, '40x20'],
    ['crop', 20, 20, '20x20'],
    ['crop', 100, 100, '100x100'],
    ['crop', 20, 0, '20x10'],
    ['stretch', 0, 0, '80x40'],
  ]
  for (const [mode, width, height, expected] of sizes) {
    it(`${mode} into ${width}x${height}: 80x40 becomes ${expected}`, async () => {
      const made = await make(pool, await png(halves(80, 40)), box(width, height, mode))
      assert.equal(`${made.width}x${made.height}`, expected)
      const picture = await decoded(made.data)
      assert.equal(`${picture.width}x${picture.height}`, expected)
      if (mode !== 'crop' || height === 0) {
        assert.deepEqual(picture.at(1, 1), red)
        assert.deepEqual(picture.at(picture.width - 2, picture.height - 2), blue)
      }
    })
  }

  it('crop keeps what the eye goes to', async () => {
    const spot = drawn(300, 100, (x, y) =>
      x >= 230 && x < 290 && y > 20 && y < 80 ? patchwork(x * 5, y * 3) : [90, 90, 90, 255],
    )
    const cut = await decoded((await make(pool, await png(spot), box(100, 100, 'crop'))).data)
    const isGrey = ([r, g, b]: Pixel) => r === g && g === b
    let colourful = 0
    for (let y = 0; y < 100; y++) for (let x = 0; x < 100; x++) if (!isGrey(cut.at(x, y))) colourful++
    assert.ok(colourful > 2500, `${colourful}`)
  })

  it('is that of the output also where steps add to it or turn it', async () => {
    const source = await png(halves(80, 40))
    const extend: TransformationStep = {
      type: 'extend',
      options: { left: 5, right: 5, top: 3, bottom: 7, color: 'lime' },
    }
    const turn: TransformationStep = { type: 'rotate', options: { type: 'manual', degrees: 90 } }
    const tilt: TransformationStep = { type: 'rotate', options: { type: 'manual', degrees: 45 } }
    for (const mode of ['stretch', 'crop'] as const) {
      const sequences: readonly TransformationStep[][] = [[extend], [turn], [turn, extend], [extend, turn], [tilt]]
      for (const steps of sequences) {
        const made = await make(pool, source, { ...box(60, 50, mode), steps })
        assert.equal(`${made.width}x${made.height}`, '60x50', `${mode} ${steps.map(({ type }) => type).join()}`)
      }
    }
    const bordered = await decoded((await make(pool, source, { ...box(60, 50, 'stretch'), steps: [extend] })).data)
    assert.deepEqual([bordered.at(4, 25), bordered.at(6, 25), bordered.at(30, 43)], [green, red, green])
    const turned = await make(pool, source, { ...box(0, 40, 'maximum'), steps: [turn] })
    assert.equal(`${turned.width}x${turned.height}`, '20x40')
  })
})

const photo = drawn(64, 48, (x, y) => [x * 4, y * 5, 255 - x * 2 - y, 255])

describe('the output format', () => {
  const formats: readonly [EncodedFormat, number][] = [
    ['png', 0],
    ['jpeg', 12],
    ['webp', 12],
    ['avif', 12],
    ['gif', 40],
    ['svg', 0],
  ]
  for (const [format, allowed] of formats) {
    it(`${format}: is one, and looks like the source`, async () => {
      const made = await make(pool, await png(photo), { outputQuality: 100 }, { format })
      assert.deepEqual(
        [made.format, made.mediaType, made.width, made.height, made.frames],
        [format, mediaTypes[format], 64, 48, 1],
      )
      const { format: found, compression } = await sharp(made.data).metadata()
      assert.equal(found, format === 'avif' ? 'heif' : format)
      if (format === 'avif') assert.equal(compression, 'av1')
      assert.equal(difference(await decoded(made.data), photo, allowed), undefined)
    })
  }

  for (const format of ['png', 'webp', 'avif', 'gif', 'svg'] as const) {
    it(`${format} keeps what is transparent, JPEG gets white below it`, async () => {
      const half = drawn(32, 32, (x) => (x < 16 ? red : clear))
      const kept = await decoded((await make(pool, await png(half), {}, { format })).data)
      assert.deepEqual([kept.at(4, 4)[3], kept.at(28, 4)[3]], [255, 0])
      const flat = await decoded((await make(pool, await png(half), {}, { format: 'jpeg' })).data)
      assert.ok(flat.at(28, 4).every((channel) => channel > 250))
    })
  }

  it('quality makes lossy formats larger, and does not touch PNG', async () => {
    const source = await png(drawn(128, 128, patchwork))
    const bytes = async (format: EncodedFormat, outputQuality: number) =>
      (await make(pool, source, { outputQuality }, { format })).data.length
    for (const format of ['jpeg', 'webp', 'avif', 'gif'] as const) {
      const [least, middle, most] = [await bytes(format, 0), await bytes(format, 50), await bytes(format, 100)]
      assert.ok(least < middle && (format === 'gif' || middle < most), `${format} ${least} ${middle} ${most}`)
    }
    assert.equal(await bytes('png', 0), await bytes('png', 100))
    assert.equal(
      difference(await decoded((await make(pool, source, { outputQuality: 0 })).data), drawn(128, 128, patchwork)),
      undefined,
    )
  })

  it('compression makes the same picture smaller', async () => {
    const source = await png(drawn(160, 120, (x, y) => [(x * y) % 256, x % 256, (y * 2) % 256, 255]))
    const bytes = async (format: EncodedFormat, outputCompression: number) =>
      (await make(pool, source, { outputCompression, outputQuality: 80 }, { format })).data.length
    for (const format of ['png', 'jpeg', 'webp', 'gif', 'avif'] as const) {
      const [least, most] = [await bytes(format, 0), await bytes(format, 100)]
      assert.ok(format === 'png' ? most < least * 0.8 : most !== least, `${format} ${least} ${most}`)
    }
  })

  it('svg from a raster holds the processed picture, and reads as an image', async () => {
    const made = await make(
      pool,
      await png(halves(40, 20)),
      { steps: [{ type: 'flush', options: {} }] },
      { format: 'svg' },
    )
    const text = made.data.toString()
    assert.match(text, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="40" height="20"/)
    const [, inner = ''] = /data:image\/png;base64,([^"]+)"/.exec(text) ?? []
    assert.deepEqual((await decoded(Buffer.from(inner, 'base64'))).at(2, 2), blue)
  })

  it('a vector is drawn as finely as the output is large', async () => {
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="5" height="10" fill="red"/></svg>',
    )
    const made = await make(pool, svg, box(400, 400, 'stretch'), { isSvg: true })
    const picture = await decoded(made.data)
    assert.equal(
      difference(
        picture,
        drawn(400, 400, (x) => (x < 200 ? red : clear)),
      ),
      undefined,
    )
    await assert.rejects(make(pool, svg, {}), { code: 'unsupported' })
  })
})

describe('animations', () => {
  const colours = [red, green, blue, white]
  const frames = colours.map((colour) => drawn(16, 12, (x) => (x < 4 ? colour : [40, 40, 40, 255])))
  const timing = { delay: [100, 200, 300, 400], loop: 3 }
  const sources = {
    gif: () => animation(frames).gif(timing).toBuffer(),
    webp: () =>
      animation(frames)
        .webp({ ...timing, lossless: true })
        .toBuffer(),
  }
  for (const from of ['gif', 'webp'] as const) {
    for (const to of ['gif', 'webp'] as const) {
      it(`${from} to ${to}: every frame, resized and stepped, with its time`, async () => {
        const steps: TransformationStep[] = [{ type: 'flush', options: {} }]
        for (const [changes, flushed, width] of [
          [box(8, 0, 'maximum'), false, 8],
          [{ steps }, true, 16],
          [{ ...box(12, 12, 'crop'), steps }, undefined, 12],
          [box(12, 12, 'crop'), undefined, 12],
        ] as const) {
          const made = await make(
            pool,
            await sources[from](),
            { ...changes, outputQuality: 100 },
            {
              format: to,
            },
          )
          const { pages, delay, loop, pageHeight } = await sharp(made.data, { animated: true }).metadata()
          assert.deepEqual([pages, delay, loop], [4, timing.delay, timing.loop])
          assert.deepEqual([made.frames, made.width, made.height], [4, width, pageHeight])
          if (flushed === undefined) continue
          for (const [page, colour] of colours.entries()) {
            const frame = await decoded(made.data, { page })
            const near = frame.at(flushed ? width - 2 : 1, 2)
            assert.ok(
              near.every((channel, index) => Math.abs(channel - (colour[index] ?? 0)) < 80),
              `${page}: ${near.join(' ')}`,
            )
          }
        }
      })
    }
  }

  it('that rest longer, or go round oftener, than can be written do so as long and as often as can be', async () => {
    const gif = await sources.gif()
    // Encoders write an endless loop in 16 bits like this; then comes the time of the first frame, in hundredths of a second.
    gif.writeUInt16LE(65_535, gif.indexOf('NETSCAPE2.0') + 13)
    gif.writeUInt16LE(65_535, gif.indexOf('\x21\xf9\x04', 0, 'latin1') + 4)
    const webp = await sources.webp()
    webp.writeUIntLE(16_777_215, webp.indexOf('ANMF') + 20, 3)
    for (const [source, rounds] of [
      [gif, 65_535],
      [webp, timing.loop],
    ] as const) {
      assert.ok(((await sharp(source).metadata()).delay?.[0] ?? 0) > 65_535)
      for (const [format, first] of [
        ['gif', 65_540],
        ['webp', 65_535],
      ] as const) {
        const made = await make(pool, source, {}, { format })
        const { pages, delay, loop } = await sharp(made.data, { animated: true }).metadata()
        assert.deepEqual([pages, delay, loop], [4, [first, ...timing.delay.slice(1)], rounds])
      }
    }
  })

  it('come out as their first frame in formats that hold one', async () => {
    for (const format of ['png', 'jpeg', 'avif', 'svg'] as const) {
      const made = await make(pool, await sources.gif(), { outputQuality: 100 }, { format })
      const { pages = 1 } = await sharp(made.data).metadata()
      assert.deepEqual([pages, made.frames, made.height], [1, 1, 12])
      const first = (await decoded(made.data)).at(1, 6)
      assert.ok(first[0] > 200 && first[1] < 60, first.join(' '))
    }
  })
})

describe('what a file says about itself', () => {
  /** The pixel of the upright picture that is stored at x,y (EXIF 2.32, tag 0x0112), for a picture of 8 by 4. */
  const stored: Record<number, (x: number, y: number) => readonly [number, number]> = {
    1: (x, y) => [x, y],
    2: (x, y) => [7 - x, y],
    3: (x, y) => [7 - x, 3 - y],
    4: (x, y) => [x, 3 - y],
    5: (x, y) => [y, x],
    6: (x, y) => [7 - y, x],
    7: (x, y) => [7 - y, 3 - x],
    8: (x, y) => [y, 3 - x],
  }
  const corner = (x: number, y: number): Pixel => {
    if (y < 2) return x < 4 ? red : green
    return x < 4 ? blue : white
  }
  for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
    it(`EXIF orientation ${orientation}: the picture stands upright, also under steps, and the tag is gone`, async () => {
      const [width, height] = orientation > 4 ? [4, 8] : [8, 4]
      const lying = drawn(width, height, (x, y) => corner(...(stored[orientation]?.(x, y) ?? [0, 0])))
      const tagged = raw(lying).withMetadata({ orientation })
      const exactly = { quality: 100, chromaSubsampling: '4:4:4' }
      const files = [[tagged.clone().png(), 0] as const, [tagged.clone().jpeg(exactly), 3] as const]
      const upright = drawn(8, 4, corner)
      const flip: TransformationStep = { type: 'flip', options: {} }
      for (const [pipeline, allowed] of files) {
        const file = await pipeline.toBuffer()
        for (const steps of [[], [flip, flip]]) {
          const made = await make(pool, file, { steps })
          assert.equal(difference(await decoded(made.data), upright, allowed), undefined)
          assert.equal((await sharp(made.data).metadata()).orientation, undefined)
        }
        const { width: inspected, height: high } = await pool.inspect('tenant', file)
        assert.deepEqual([inspected, high], [8, 4])
      }
    })
  }

  it('position, names and comments do not leave: no EXIF, XMP, IPTC or profile in any format', async () => {
    const canary = 'CANARY-48.2082N'
    const exif = {
      IFD0: { Copyright: canary, ImageDescription: canary },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1 12/1 29/1' },
    }
    const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>${canary}</a></x:xmpmeta>`
    const file = await raw(photo).withExif(exif).withXmp(xmp).withIccProfile('p3').jpeg().toBuffer()
    assert.ok(file.includes(canary))
    for (const format of ['jpeg', 'png', 'webp', 'avif', 'gif', 'svg'] as const) {
      for (const steps of [[], [{ type: 'flip', options: {} }]] as TransformationStep[][]) {
        const { data } = await make(pool, file, { steps }, { format })
        assert.ok(!data.includes(canary) && !data.includes('GPS'), format)
        const { exif: left, xmp: more, iptc, icc } = await sharp(data).metadata()
        assert.deepEqual([left, more, iptc, icc], [undefined, undefined, undefined, undefined], format)
      }
    }
  })

  it('colours of other spaces become sRGB: Display P3, CMYK, grey, sixteen bits', async () => {
    const flat = (colour: Pixel) => raw(drawn(16, 16, () => colour))
    const first = async (file: Buffer, steps: TransformationStep[] = []) =>
      (await decoded((await make(pool, file, { steps })).data)).at(8, 8)
    const near = (actual: Pixel, expected: readonly number[], allowed: number) =>
      assert.ok(
        expected.every((channel, index) => Math.abs(channel - (actual[index] ?? 0)) <= allowed),
        actual.join(' '),
      )
    // Stored as P3 by sharp: other numbers, but the same colour.
    const p3 = await flat([200, 60, 60, 255]).withIccProfile('p3').png().toBuffer()
    assert.notDeepEqual((await sharp(p3).pipelineColourspace('srgb').keepIccProfile().raw().toBuffer())[0], 200)
    near(await first(p3), [200, 60, 60], 3)
    near(await first(p3, [{ type: 'flip', options: {} }]), [200, 60, 60], 3)
    const cmyk = await flat([200, 60, 60, 255])
      .toColourspace('cmyk')
      .withIccProfile('cmyk')
      .jpeg({ quality: 100 })
      .toBuffer()
    assert.equal((await sharp(cmyk).metadata()).space, 'cmyk')
    near(await first(cmyk), [200, 60, 60], 25)
    const grey = await flat([120, 120, 120, 255]).removeAlpha().toColourspace('b-w').png().toBuffer()
    assert.equal((await sharp(grey).metadata()).channels, 1)
    for (const steps of [[], [{ type: 'flip', options: {} }]] as TransformationStep[][]) {
      assert.deepEqual(await first(grey, steps), [120, 120, 120, 255])
    }
    const deep = await flat([200, 60, 60, 255]).toColourspace('rgb16').png().toBuffer()
    assert.equal((await sharp(deep).metadata()).depth, 'ushort')
    near(await first(deep, [{ type: 'flip', options: {} }]), [200, 60, 60], 1)
  })
})
