// Steps that change the look of each pixel, compared with references computed here from published formulas.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { TransformationStep } from '@bailiwick/contract'
import { type Pixel, difference, drawn, patchwork, stepped } from '../../../../test/harness/files/pictures.ts'
import { ImagePool } from '../workers/pool.ts'

const pool = new ImagePool()
after(() => pool.close())

type Triple = readonly [number, number, number]
const source = drawn(24, 16, patchwork)

// IEC 61966-2-1 and CIE 15, D65.
const toLinear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
const toGamma = (value: number) => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055)
const byte = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 255)
const whitePoint: Triple = [0.95047, 1, 1.08883]

function toLab([r, g, b]: Pixel): Triple {
  const [R, G, B] = [toLinear(r / 255), toLinear(g / 255), toLinear(b / 255)]
  const xyz = [
    0.4124 * R + 0.3576 * G + 0.1805 * B,
    0.2126 * R + 0.7152 * G + 0.0722 * B,
    0.0193 * R + 0.1192 * G + 0.9505 * B,
  ]
  const f = (value: number) => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116)
  const [x = 0, y = 0, z = 0] = xyz.map((value, index) => f(value / (whitePoint[index] ?? 1)))
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

function fromLab([L, a, b]: Triple): Triple {
  const y = (L + 16) / 116
  const f = (value: number) => (value ** 3 > 0.008856 ? value ** 3 : (value - 16 / 116) / 7.787)
  const [X = 0, Y = 0, Z = 0] = [y + a / 500, y, y - b / 200].map((value, index) => f(value) * (whitePoint[index] ?? 1))
  return [
    byte(toGamma(3.2406 * X - 1.5372 * Y - 0.4986 * Z)),
    byte(toGamma(-0.9689 * X + 1.8758 * Y + 0.0415 * Z)),
    byte(toGamma(0.0557 * X - 0.204 * Y + 1.057 * Z)),
  ]
}

/** Whether sRGB contains the colour; the conversion of others is the converter's own choice. */
const isInside = (lab: Triple) =>
  toLab([...fromLab(lab), 255]).every((value, i) => Math.abs(value - (lab[i] ?? 0)) < 1.5)

async function assertEach(step: TransformationStep, expected: (pixel: Pixel) => Pixel | undefined, allowed = 0) {
  const actual = await stepped(pool, source, [step])
  let compared = 0
  for (let y = 0; y < source.height; y++) {
    for (let x = 0; x < source.width; x++) {
      const should = expected(source.at(x, y))
      if (should === undefined) continue
      compared++
      assert.equal(
        difference(
          drawn(1, 1, () => actual.at(x, y)),
          drawn(1, 1, () => should),
          allowed,
        ),
        undefined,
        `${source.at(x, y).join(' ')} became ${actual.at(x, y).join(' ')} instead of ${should.join(' ')}`,
      )
    }
  }
  assert.ok(compared > 50, `${compared} pixels were compared`)
}

describe('steps that change colours', () => {
  it('grayscale: the luminance, the alpha kept', async () => {
    const grey = ([r, g, b]: Pixel) =>
      byte(toGamma(0.2126 * toLinear(r / 255) + 0.7152 * toLinear(g / 255) + 0.0722 * toLinear(b / 255)))
    await assertEach({ type: 'grayscale', options: {} }, (pixel) => [grey(pixel), grey(pixel), grey(pixel), 255], 2)
    const half = await stepped(
      pool,
      drawn(2, 2, () => [200, 100, 50, 77]),
      [{ type: 'grayscale', options: {} }],
    )
    assert.equal(half.at(1, 1)[3], 77)
  })

  it('negative: the colours, and the alpha only where it is said', async () => {
    const half = drawn(3, 3, () => [10, 20, 30, 200])
    const negative = (negativeAlpha?: boolean | null) =>
      stepped(pool, half, [{ type: 'negative', options: negativeAlpha === undefined ? {} : { negativeAlpha } }])
    for (const kept of [undefined, null, false]) assert.deepEqual((await negative(kept)).at(1, 1), [245, 235, 225, 200])
    assert.deepEqual((await negative(true)).at(1, 1), [245, 235, 225, 55])
  })

  const modulations = [
    { brightness: -40 },
    { brightness: 20 },
    { saturation: -50 },
    { saturation: -100 },
    { lightness: 10 },
    { lightness: -15 },
    { hue: 90 },
    { hue: -45 },
    { brightness: -20, hue: 30, saturation: -30, lightness: 5 },
  ]
  for (const options of modulations) {
    it(`brightness-hue-saturation-lightness ${JSON.stringify(options)}: as in CIE LCh`, async () => {
      const { brightness = 0, hue = 0, saturation = 0, lightness = 0 } = options
      const expected = (pixel: Pixel): Pixel | undefined => {
        const [L, a, b] = toLab(pixel)
        const chroma = Math.hypot(a, b) * (1 + saturation / 100)
        const angle = Math.atan2(b, a) + (hue * Math.PI) / 180
        const lab: Triple = [L * (1 + brightness / 100) + lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)]
        return isInside(lab) ? [...fromLab(lab), 255] : undefined
      }
      await assertEach({ type: 'brightness-hue-saturation-lightness', options }, expected, 3)
    })
  }

  it('brightness-hue-saturation-lightness: nothing said, next to nothing changed', async () => {
    await assertEach({ type: 'brightness-hue-saturation-lightness', options: {} }, (pixel) => pixel, 1)
  })

  it('tint: the chroma of the colour, less of it towards black and white, mixed by opacity and alpha', async () => {
    const [, tintA, tintB] = toLab([160, 96, 96, 255])
    const tinted = (pixel: Pixel): Triple | undefined => {
      const [L] = toLab(pixel)
      const weight = 1 - 4 * (L / 100 - 0.5) ** 2
      const lab: Triple = [L, weight * tintA, weight * tintB]
      return isInside(lab) ? fromLab(lab) : undefined
    }
    const mixed =
      (share: number) =>
      (pixel: Pixel): Pixel | undefined => {
        const to = tinted(pixel)
        if (to === undefined) return undefined
        const [r = 0, g = 0, b = 0] = to.map((channel, index) => (pixel[index] ?? 0) * (1 - share) + channel * share)
        return [r, g, b, 255]
      }
    await assertEach({ type: 'tint', options: { color: '#a06060' } }, mixed(1), 4)
    await assertEach({ type: 'tint', options: { color: '#a06060', opacity: 25 } }, mixed(0.25), 2)
    await assertEach({ type: 'tint', options: { color: 'rgb(160 96 96 / 50%)', opacity: 50 } }, mixed(0.25), 2)
    await assertEach({ type: 'tint', options: { color: '#a06060', opacity: 0 } }, (pixel) => pixel)
  })
})

/** One white column on black: blurred, it is the kernel itself. */
const line = drawn(121, 9, (x) => (x === 60 ? [255, 255, 255, 255] : [0, 0, 0, 255]))
const edge = drawn(40, 8, (x) => (x < 20 ? [100, 100, 100, 255] : [150, 150, 150, 255]))

describe('steps that look at the neighbours', () => {
  it('blur: an edge becomes the integral of the Gaussian of that sigma, fast or not', async () => {
    const step =
      (sigma: number): Parameters<typeof drawn>[2] =>
      (x) => {
        let sum = 0
        let all = 0
        for (let at = -4 * sigma; at <= 4 * sigma; at++) {
          const weight = Math.exp(-(at ** 2) / (2 * sigma ** 2))
          all += weight
          if (x + at >= 60) sum += weight
        }
        const value = Math.round((sum / all) * 255)
        return [value, value, value, 255]
      }
    const sharpEdge = drawn(121, 9, (x) => (x >= 60 ? [255, 255, 255, 255] : [0, 0, 0, 255]))
    for (const [blurType, strength, allowed] of [
      ['manual', 1, 6],
      ['manual', 5, 6],
      ['manual', 10, 6],
      ['fast', 1, 6],
      ['fast', 5, 6],
      ['fast', 10, 10],
    ] as const) {
      const blurred = await stepped(pool, sharpEdge, [{ type: 'blur', options: { blurType, strength } }])
      assert.equal(difference(blurred, drawn(121, 9, step(strength)), allowed), undefined, `${blurType} ${strength}`)
    }
  })

  it('blur: more strength, a lower and wider peak; what is transparent lends no colour', async () => {
    const peaks = []
    for (const strength of [1, 4, 16]) {
      const blurred = await stepped(pool, line, [{ type: 'blur', options: { blurType: 'fast', strength } }])
      peaks.push(blurred.at(60, 4)[0])
    }
    assert.deepEqual(
      peaks,
      peaks.toSorted((one, other) => other - one),
    )
    const beside = drawn(20, 5, (x) => (x < 10 ? [255, 0, 0, 255] : [0, 255, 0, 0]))
    const [red, green] = (
      await stepped(pool, beside, [{ type: 'blur', options: { blurType: 'manual', strength: 2 } }])
    ).at(9, 2)
    assert.ok(red > 240 && green < 15, `${red} ${green}`)
  })

  it('sharpen fast: by its strength away from the four neighbours', async () => {
    for (const strength of [1, 50, 100]) {
      const by = strength / 100
      const at = (x: number, y: number) =>
        source.at(Math.min(source.width - 1, Math.max(0, x)), Math.min(source.height - 1, Math.max(0, y)))
      const expected = drawn(source.width, source.height, (x, y) => {
        const around = [at(x - 1, y), at(x + 1, y), at(x, y - 1), at(x, y + 1)]
        const [r, g, b] = [0, 1, 2].map((channel) => {
          const own = at(x, y)[channel] ?? 0
          const sum = around.reduce((total, pixel) => total + (own - (pixel[channel] ?? 0)), 0)
          return Math.min(255, Math.max(0, own + by * sum))
        })
        return [r ?? 0, g ?? 0, b ?? 0, 255]
      })
      const sharpened = await stepped(pool, source, [{ type: 'sharpen', options: { sharpenType: 'fast', strength } }])
      assert.equal(difference(sharpened, expected, 1), undefined, `strength ${strength}`)
    }
  })

  it('sharpen manual: flat areas stay, an edge gains contrast with the strength, the hue stays', async () => {
    const contrasts = []
    for (const strength of [1, 50, 100]) {
      const options = { sharpenType: 'manual', strength } as const
      const sharpened = await stepped(pool, edge, [{ type: 'sharpen', options }])
      assert.deepEqual([sharpened.at(2, 4), sharpened.at(37, 4)], [edge.at(2, 4), edge.at(37, 4)])
      const [dark, light] = [sharpened.at(19, 4), sharpened.at(20, 4)]
      assert.ok(Math.max(...dark.slice(0, 3)) - Math.min(...dark.slice(0, 3)) <= 1, 'grey stays grey')
      contrasts.push(light[0] - dark[0])
    }
    const [weak = 0, middle = 0, strong = 0] = contrasts
    assert.ok(weak >= 50 && middle > weak + 5 && strong >= middle, contrasts.join(' '))
  })
})
