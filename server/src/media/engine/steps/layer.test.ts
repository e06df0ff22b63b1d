// Pictures laid over pictures; blending is compared with the formulas of W3C Compositing and Blending Level 1.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { type TransformationStep, blendModes } from '@bailiwick/contract'
import {
  type Picture,
  type Pixel,
  animation,
  black,
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
  stepped,
  white,
} from '../../../../test/harness/files/pictures.ts'
import { ImagePool } from '../workers/pool.ts'

const pool = new ImagePool()
after(() => pool.close())

type LayerOptions = Extract<TransformationStep, { type: 'layer' }>['options']
const url = 'https://images.example/layer'
const base = drawn(12, 10, patchwork)
const stamp = drawn(3, 2, (x, y) => [200 + x, 100 + y, 50, 255])

async function laid(options: Partial<LayerOptions>, layer: Picture = stamp, on: Picture = base): Promise<Picture> {
  const step: TransformationStep = { type: 'layer', options: { url, ...options } }
  return stepped(pool, on, [step], new Map([[url, await png(layer)]]))
}

/** Shows the stamp at that place, and the base elsewhere. */
const stampedAt = (left: number, top: number) =>
  drawn(base.width, base.height, (x, y) => {
    const [u, v] = [x - left, y - top]
    return u >= 0 && v >= 0 && u < stamp.width && v < stamp.height ? stamp.at(u, v) : base.at(x, y)
  })

async function assertAt(options: Partial<LayerOptions>, left: number, top: number) {
  assert.equal(difference(await laid(options), stampedAt(left, top)), undefined, JSON.stringify(options))
}

describe('layer: where it is laid', () => {
  it('at the upper left, moved by x and y', async () => {
    await assertAt({}, 0, 0)
    await assertAt({ x: 4, y: 5 }, 4, 5)
  })

  it('by its alignments, in what the paddings leave', async () => {
    await assertAt({ horizontalAlignment: 'left', verticalAlignment: 'bottom' }, 0, 8)
    await assertAt({ horizontalAlignment: 'right', verticalAlignment: 'top' }, 9, 0)
    await assertAt({ horizontalAlignment: 'right', verticalAlignment: 'center' }, 9, 4)
    await assertAt(
      { horizontalAlignment: 'right', paddingRight: 2, verticalAlignment: 'bottom', paddingBottom: 3 },
      7,
      5,
    )
    await assertAt({ paddingLeft: 2, paddingTop: 3 }, 2, 3)
    await assertAt({ horizontalAlignment: 'center', paddingLeft: 3, verticalAlignment: 'bottom', y: -1 }, 6, 7)
  })

  it('cut where it goes beyond the edge, and gone where it is beyond', async () => {
    await assertAt({ x: -1, y: -1 }, -1, -1)
    await assertAt({ x: 11, y: 9 }, 11, 9)
    await assertAt({ x: 12 }, 12, 0)
    await assertAt({ x: -8000, y: 8000 }, -8000, 8000)
    const large = drawn(30, 30, patchwork)
    assert.equal(
      difference(
        await laid({ x: -3, y: -2 }, large),
        drawn(12, 10, (x, y) => patchwork(x + 3, y + 2)),
      ),
      undefined,
    )
  })

  it('over and over where it is to repeat, its paddings between', async () => {
    const modulo = (value: number, by: number) => ((value % by) + by) % by
    const tiled = (left: number, top: number, across: number, down: number) =>
      drawn(base.width, base.height, (x, y) => {
        const [u, v] = [modulo(x - left, across), modulo(y - top, down)]
        return u < stamp.width && v < stamp.height ? stamp.at(u, v) : base.at(x, y)
      })
    assert.equal(difference(await laid({ repeat: true }), tiled(0, 0, 3, 2)), undefined)
    const spaced = { repeat: true, x: 1, y: 1, paddingLeft: 1, paddingRight: 1, paddingBottom: 2 }
    assert.equal(difference(await laid(spaced), tiled(2, 1, 5, 4)), undefined)
  })
})

describe('layer: how it is laid', () => {
  it('brought to its box by its own resize mode, never enlarged where none is said', async () => {
    const plain = (width: number, height: number) => drawn(width, height, () => green)
    const sizes: readonly [Partial<LayerOptions>, number, number][] = [
      [{ width: 4, height: 8 }, 4, 2],
      [{ width: 4 }, 4, 2],
      [{ width: 40, height: 8 }, 8, 4],
      [{ width: 4, height: 8, resizeMode: 'stretch' }, 4, 8],
      [{ width: 4, height: 4, resizeMode: 'crop' }, 4, 4],
      [{ width: 4, height: 4, resizeMode: 'minimum' }, 8, 4],
    ]
    for (const [options, width, height] of sizes) {
      const expected = drawn(12, 10, (x, y) => (x < width && y < height ? green : base.at(x, y)))
      assert.equal(difference(await laid(options, plain(8, 4)), expected), undefined, JSON.stringify(options))
    }
  })

  it('turned, on nothing', async () => {
    const turned = drawn(12, 10, (x, y) => (x < 2 && y < 3 ? stamp.at(y, 1 - x) : base.at(x, y)))
    assert.equal(difference(await laid({ rotation: 90 }), turned), undefined)
    const tilted = await laid(
      { rotation: 45 },
      drawn(6, 6, () => green),
    )
    assert.deepEqual([tilted.at(0, 0), tilted.at(4, 4)], [base.at(0, 0), green])
  })

  it('as strongly as its opacity says', async () => {
    const half = await laid(
      { opacity: 50 },
      drawn(4, 4, () => red),
      drawn(4, 4, () => blue),
    )
    assert.equal(
      difference(
        half,
        drawn(4, 4, () => [128, 0, 127, 255]),
        1,
      ),
      undefined,
    )
    assert.equal(difference(await laid({ opacity: 0 }), base), undefined)
  })

  it('upright, in sRGB and as its first frame, whatever file it is', async () => {
    const step: TransformationStep = { type: 'layer', options: { url } }
    const lying = await raw(drawn(8, 4, (x) => (x < 4 ? red : blue)))
      .jpeg({ chromaSubsampling: '4:4:4' })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    const onBlack = await png(drawn(8, 8, () => black))
    const made = await decoded((await make(pool, onBlack, { steps: [step] }, { layers: new Map([[url, lying]]) })).data)
    const upright = drawn(8, 8, (x, y) => (x >= 4 ? black : y < 4 ? red : blue))
    assert.equal(difference(made, upright, 6), undefined)
    const moving = await animation([drawn(2, 2, () => green), drawn(2, 2, () => red)])
      .gif()
      .toBuffer()
    const still = await decoded(
      (await make(pool, onBlack, { steps: [step] }, { layers: new Map([[url, moving]]) })).data,
    )
    assert.equal(
      difference(
        still,
        drawn(8, 8, (x, y) => (x < 2 && y < 2 ? green : black)),
      ),
      undefined,
    )
  })

  it('is refused where its bytes are no image', async () => {
    const layers = new Map([[url, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')]])
    const steps: TransformationStep[] = [{ type: 'layer', options: { url } }]
    await assert.rejects(make(pool, await png(base), { steps }, { layers }), {
      code: 'unsupported',
      message: /^A layer /,
    })
    const whole = await raw(drawn(200, 200, (x, y) => [x, y, (x * y) % 256, 255]))
      .jpeg()
      .toBuffer()
    layers.set(url, whole.subarray(0, whole.length >> 1))
    await assert.rejects(make(pool, await png(base), { steps }, { layers }), {
      code: 'unreadable',
      message: /^A layer /,
    })
  })
})

/** The fractions of source and backdrop that remain (§9.1), by their alphas. */
const porterDuff: Record<string, (source: number, backdrop: number) => readonly [number, number]> = {
  clear: () => [0, 0],
  source: () => [1, 0],
  over: (source) => [1, 1 - source],
  in: (_, backdrop) => [backdrop, 0],
  out: (_, backdrop) => [1 - backdrop, 0],
  atop: (source, backdrop) => [backdrop, 1 - source],
  dest: () => [0, 1],
  'dest-over': (_, backdrop) => [1 - backdrop, 1],
  'dest-in': (source) => [0, source],
  'dest-out': (source) => [0, 1 - source],
  'dest-atop': (source, backdrop) => [1 - backdrop, source],
  xor: (source, backdrop) => [1 - backdrop, 1 - source],
  add: () => [1, 1],
  saturate: (source, backdrop) => [source === 0 ? 0 : Math.min(1, (1 - backdrop) / source), 1],
}

const hardLight = (b: number, s: number) => (s <= 0.5 ? b * 2 * s : b + (2 * s - 1) - b * (2 * s - 1))
const dodge = (b: number, s: number) => (b === 0 ? 0 : s === 1 ? 1 : Math.min(1, b / (1 - s)))
const burn = (b: number, s: number) => (b === 1 ? 1 : s === 0 ? 0 : 1 - Math.min(1, (1 - b) / s))
const softBase = (b: number) => (b <= 0.25 ? ((16 * b - 12) * b + 4) * b : Math.sqrt(b))

/** The blend functions of backdrop and source (§10.1). */
const blending: Record<string, (backdrop: number, source: number) => number> = {
  multiply: (b, s) => b * s,
  screen: (b, s) => b + s - b * s,
  overlay: (b, s) => hardLight(s, b),
  darken: Math.min,
  lighten: Math.max,
  'colour-dodge': dodge,
  'color-dodge': dodge,
  'colour-burn': burn,
  'color-burn': burn,
  'hard-light': hardLight,
  'soft-light': (b, s) => (s <= 0.5 ? b - (1 - 2 * s) * b * (1 - b) : b + (2 * s - 1) * (softBase(b) - b)),
  difference: (b, s) => Math.abs(b - s),
  exclusion: (b, s) => b + s - 2 * b * s,
}

function blended(mode: string, backdrop: Pixel, source: Pixel): Pixel {
  const [as, ab] = [source[3] / 255, backdrop[3] / 255]
  const duff = porterDuff[mode]
  const mix = blending[mode]
  const [fs, fb] = duff?.(as, ab) ?? [1, 1 - as]
  const alpha = mix === undefined ? Math.min(1, as * fs + ab * fb) : as + ab - as * ab
  const channel = (index: number) => {
    const [cs, cb] = [(source[index] ?? 0) / 255, (backdrop[index] ?? 0) / 255]
    const own = mix === undefined ? cs : (1 - ab) * cs + ab * mix(cb, cs)
    return alpha === 0 ? 0 : Math.min(255, Math.round(((as * fs * own + ab * fb * cb) / alpha) * 255))
  }
  return [channel(0), channel(1), channel(2), Math.round(alpha * 255)]
}

const backdrops: readonly Pixel[] = [white, black, [200, 100, 50, 255], [30, 180, 220, 128], clear]
const sources: readonly Pixel[] = [white, black, [90, 210, 140, 255], [240, 60, 20, 100], clear]

describe('layer: blend modes', () => {
  for (const blendMode of blendModes) {
    it(`${blendMode}: as W3C says, for any colours and alphas, also where the layer is not`, async () => {
      const [columns, rows] = [backdrops.length, sources.length]
      const under = drawn(columns, rows + 1, (x) => backdrops[x] ?? clear)
      const over = drawn(columns, rows, (_, y) => sources[y] ?? clear)
      const expected = drawn(columns, rows + 1, (x, y) => blended(blendMode, under.at(x, y), sources[y] ?? clear))
      const actual = await laid({ blendMode }, over, under)
      assert.equal(difference(actual, expected, 1), undefined)
    })
  }
})
