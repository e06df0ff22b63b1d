// Text is measured by the place of its pixels; the shape of letters is up to the font.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { TransformationStep } from '@bailiwick/contract'
import { type Picture, black, difference, drawn, make, png, stepped } from '../../../../test/harness/files/pictures.ts'
import { ImagePool } from '../workers/pool.ts'

const pool = new ImagePool()
after(() => pool.close())

type TextOptions = Extract<TransformationStep, { type: 'text' }>['options']
const base = drawn(200, 120, () => black)
const solid = { text: 'HIM', color: 'white', fontSize: 40 }

const written = (options: Partial<TextOptions>, on: Picture = base) =>
  stepped(pool, on, [{ type: 'text', options: { ...solid, ...options } }])

interface Ink {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
  readonly weight: number
}

/** Returns where there is anything but black, and how much of it. */
function inkOf(picture: Picture): Ink {
  let [left, top, right, bottom, weight] = [picture.width, picture.height, -1, -1, 0]
  for (let y = 0; y < picture.height; y++) {
    for (let x = 0; x < picture.width; x++) {
      const [r, g, b] = picture.at(x, y)
      if (r + g + b === 0) continue
      weight += (r + g + b) / 765
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
    }
  }
  return { left, top, right, bottom, weight }
}

const inkWith = async (options: Partial<TextOptions>) => inkOf(await written(options))
const widthOf = ({ left, right }: Ink) => right - left
const heightOf = ({ top, bottom }: Ink) => bottom - top

describe('text: what is drawn', () => {
  it('letters in the colour, with its alpha and the opacity', async () => {
    const brightest = async (options: Partial<TextOptions>) => {
      const picture = await written(options)
      let most = [0, 0, 0]
      for (let y = 0; y < 60; y++)
        for (let x = 0; x < 120; x++) {
          const [r, g, b] = picture.at(x, y)
          if (r + g + b > most.reduce((sum, each) => sum + each, 0)) most = [r, g, b]
        }
      return most
    }
    assert.deepEqual(await brightest({ color: '#ff8000' }), [255, 128, 0])
    const near = (actual: number[], expected: number[]) =>
      assert.ok(
        actual.every((value, index) => Math.abs(value - (expected[index] ?? 0)) <= 2),
        actual.join(' '),
      )
    near(await brightest({ color: '#ff800080' }), [128, 64, 0])
    near(await brightest({ color: '#ff8000', opacity: 50 }), [128, 64, 0])
  })

  it('is never markup: it is as wide as its characters, not as what they would mean', async () => {
    const plain = await inkWith({ text: 'b', fontSize: 10 })
    for (const text of ['<b>b</b>', '&lt;b', '<span size="90pt">b</span>', '<!--b-->', ']]>b', '&#98;', '<![CDATA[b']) {
      assert.ok(widthOf(await inkWith({ text, fontSize: 10 })) > widthOf(plain) * 2, text)
    }
    const quoted = await inkWith({ text: `"'>`, fontSize: 20 })
    assert.ok(quoted.weight > 5)
  })

  it('takes any text: control characters, lone surrogates, what the font lacks, nothing but blanks', async () => {
    for (const text of ['a\u0000b', 'a\u0008\u001f\u007fb', 'a\ud800b', 'a\ufffeb', '漢字', '😀', 'שלום', '\r\n']) {
      await written({ text })
    }
    for (const unseen of [' \n ', '\u0007', '\u200b', '\u00ad\u2060', '\u202e', '\ufe0f', '\u{e0001}']) {
      assert.equal(difference(await written({ text: unseen }), base), undefined, JSON.stringify(unseen))
    }
  })

  it('size, weight and letter spacing in their units', async () => {
    const usual = await inkWith({})
    const double = await inkWith({ fontSize: 80 })
    // A capital of Inter is 0.727 em high.
    assert.ok(Math.abs(heightOf(usual) - 0.727 * 40) < 2, `${heightOf(usual)}`)
    assert.ok(Math.abs(heightOf(double) - 0.727 * 80) < 2, `${heightOf(double)}`)
    const spaced = await inkWith({ letterSpacing: 10 })
    assert.ok(Math.abs(widthOf(spaced) - widthOf(usual) - 20) <= 10, `${widthOf(spaced) - widthOf(usual)}`)
    const weights = []
    for (const fontWeight of [100, 400, 700, 900]) weights.push((await inkWith({ fontWeight })).weight)
    assert.deepEqual(
      weights,
      weights.toSorted((one, other) => one - other),
    )
    assert.ok((weights[3] ?? 0) > (weights[0] ?? 0) * 2, weights.join(' '))
  })

  it('leans in italics, and has a line under it where it is underlined', async () => {
    const upright = await written({ text: 'I' })
    const leaning = await written({ text: 'I', fontStyle: 'italic' })
    const firstInRow = (picture: Picture, y: number) => {
      for (let x = 0; x < picture.width; x++) if (picture.at(x, y)[0] > 100) return x
      return -1
    }
    const { top, bottom } = inkOf(upright)
    assert.equal(firstInRow(upright, top + 2), firstInRow(upright, bottom - 2))
    assert.ok(firstInRow(leaning, top + 3) > firstInRow(leaning, bottom - 3) + 2)
    const underlined = await inkWith({ underline: true })
    assert.ok(underlined.bottom > (await inkWith({})).bottom + 1)
  })

  it('lines wrap at the width, stand as far apart as said, and are cut at the height', async () => {
    const one = await inkWith({ text: 'HH HH', fontSize: 20 })
    const wrapped = await inkWith({ text: 'HH HH', fontSize: 20, width: 50 })
    assert.ok(heightOf(wrapped) > heightOf(one) * 2 && widthOf(wrapped) <= 50)
    const far = await inkWith({ text: 'HH HH', fontSize: 20, width: 50, lineHeight: 2 })
    assert.ok(heightOf(far) > heightOf(wrapped) + 15)
    assert.ok((await inkWith({ text: 'HH HH', fontSize: 20, width: 50, height: 20 })).bottom < 20)
    const room = await inkWith({ text: 'HHH HHH HHH HHH HHH', fontSize: 20, paddingLeft: 60, paddingRight: 60 })
    assert.ok(room.left >= 60 && room.right < 140 && heightOf(room) > 40)
  })

  it('justified, every line but the last is as wide as the text', async () => {
    const text = 'HH HH HH HHHHH'
    const lineEnd = (picture: Picture) => inkOf(drawn(200, 20, (x, y) => picture.at(x, y))).right
    const ragged = await written({ text, fontSize: 20, width: 130 })
    const justified = await written({ text, fontSize: 20, width: 130, justify: true })
    assert.ok(lineEnd(justified) > lineEnd(ragged) + 5, `${lineEnd(justified)} ${lineEnd(ragged)}`)
  })
})

describe('text: where it is drawn', () => {
  it('by alignments, paddings, x and y', async () => {
    const usual = await inkWith({})
    const moved = await inkWith({ x: 30, y: 20 })
    assert.deepEqual([moved.left - usual.left, moved.top - usual.top], [30, 20])
    const corner = await inkWith({
      horizontalAlignment: 'right',
      verticalAlignment: 'bottom',
      paddingRight: 7,
      paddingBottom: 9,
    })
    assert.ok(Math.abs(199 - 7 - corner.right) <= 4 && 119 - 9 - corner.bottom < 14, JSON.stringify(corner))
    const middle = await inkWith({ horizontalAlignment: 'center', verticalAlignment: 'center' })
    assert.ok(Math.abs(middle.left - (199 - middle.right)) <= 3 && Math.abs(middle.top - (119 - middle.bottom)) <= 12)
  })

  it('turned, repeated and blended like a layer', async () => {
    const upright = await inkWith({})
    const turned = await inkWith({ rotate: 90 })
    assert.ok(Math.abs(heightOf(turned) - widthOf(upright)) <= 2)
    const repeated = await inkWith({ repeat: true, paddingRight: 10, paddingBottom: 10 })
    assert.ok(repeated.weight > upright.weight * 2 && repeated.right > 150 && repeated.bottom > 100)
    const onWhite = drawn(200, 120, () => [255, 255, 255, 255])
    const inverted = await written({ blendMode: 'difference' }, onWhite)
    const direct = await written({})
    const complement = drawn(200, 120, (x, y) => {
      const [r, g, b] = direct.at(x, y)
      return [255 - r, 255 - g, 255 - b, 255]
    })
    assert.equal(difference(inverted, complement, 2), undefined)
  })

  it('is drawn where a single character of it is wider than the picture', async () => {
    const narrow = drawn(8, 1000, () => black)
    const { top, bottom } = inkOf(await written({ text: 'I', fontSize: 1000 }, narrow))
    assert.ok(bottom - top > 500, `${top} to ${bottom}`)
  })

  it('is refused where it would be too large to draw', async () => {
    for (const text of ['W'.repeat(1000), '\n'.repeat(999) + 'W']) {
      const steps: TransformationStep[] = [
        { type: 'text', options: { text, color: 'red', fontSize: 1000, width: 8000 } },
      ]
      await assert.rejects(make(pool, await png(base), { steps }), { code: 'too_large' })
    }
    // Higher, or wider, than any picture to draw on.
    for (const options of [{ width: 1 }, { letterSpacing: -100 }]) {
      const steps: TransformationStep[] = [
        { type: 'text', options: { text: 'a'.repeat(1000), color: 'red', ...options } },
      ]
      await assert.rejects(make(pool, await png(base), { steps }), { code: 'too_large' }, JSON.stringify(options))
    }
  })
})
