import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { cssColor, isBrandValue, isColor, isLength } from './brand-value.ts'

const table = (text: string) => text.split(/\n *\||\|/)

describe('isBrandValue', () => {
  it('accepts values that are not colours too', () => {
    for (const value of ['', 'banana', '0.5rem', 'var(--x)', 'calc(1px + 2px)', '#zzz', '家', '😀'.repeat(200)]) {
      assert.equal(isBrandValue(value), true, value)
    }
  })

  it('refuses values that could break out of a style sheet', () => {
    const refused = [
      'red;',
      'red}',
      '{',
      'a<b',
      '</style>',
      'a>b',
      'a\\b',
      '@import',
      '"a"',
      "'a'",
      '`a`',
      '/*',
      '*/',
      'red/**/',
    ]
    const requests = ['url(x)', 'URL(x)', 'uRl(http://x)', 'image-set(url(x))']
    const invisible = ['red\n', 'r\0ed', '\t', '\x7f', '\x85', '\u2028', 'a\ud800']
    for (const value of [...refused, ...requests, ...invisible, 'x'.repeat(201)]) {
      assert.equal(isBrandValue(value), false, JSON.stringify(value))
    }
  })
})

describe('isColor', () => {
  const accepted = table(`#fff|#FFFA|#12ab9f|#12ab9f80|red|RebeccaPurple|transparent|currentColor| teal |rgb(1,2,3)
    |rgba(1, 2, 3, .5)|rgb(10%, 20%, 30%)|rgb(1 2 3)|rgb(1 2 3 / 50%)|RGB( 1 2 3/0.5 )|rgb(none 2 3)|hsl(120, 50%, 50%)
    |hsla(120deg, 50%, 50%, 0.3)|hsl(0.5turn 50% 50%)|hsl(240 10% 3.9%)|hwb(90 10% 10%)|lab(50% 40 -20)|lch(52.2% 72.2 50)
    |oklab(0.4 0.1 -1e-2)|oklch(0.7 0.1 200deg / none)|color(display-p3 1 0.5 0)|color(srgb 10% 20% 30% / 0.4)
    |240 10% 3.9%|0  0%  100%|12.5deg 1% 2%`)
  for (const value of accepted) it(`recognises ${value}`, () => assert.equal(isColor(value), true))

  it('recognises nothing else', () => {
    const refused =
      table(`| |banana|constructor|inherit|var(--x)|0.5rem|#|#ff|#fffff|#ggg|#fffffff|rgb|rgb(|rgb()|rgb(1,2)
      |rgb(1,2,3,4,5)|rgb(1 2 3 4)|rgb(1 2)|rgb(1,2%,3)|rgb(none,2,3)|rgb(1,2,3/4)|rgb(1 2 3 / )|rgb(1,2,3,)
      |rgb(1 2 3 / 1 / 1)|rgb((1) 2 3)|rgb(1. 2 3)|rgb(1\u00a02 3)|hsl(120, 50, 50)|lab(1, 2, 3)|color(banana 1 2 3)
      |color(srgb 1 2)|toString(1 2 3)|constructor(1,2,3)|240 10 3.9|240 10%|240, 10%, 3.9%|red blue|red;`)
    const notEvenValues = ['red\n', `rgb(1,2,3${' '.repeat(200)})`]
    for (const value of [...refused, ...notEvenValues]) assert.equal(isColor(value), false, JSON.stringify(value))
  })
})

describe('cssColor', () => {
  it('writes a bare triplet as hsl() and leaves other colours unchanged', () => {
    assert.equal(cssColor('240 10% 3.9%'), 'hsl(240 10% 3.9%)')
    assert.equal(cssColor(' #fff '), '#fff')
    assert.equal(cssColor('banana'), undefined)
  })

  it('never accepts a value that could end its declaration', () => {
    const pieces = table('rgb(|hsl(|color(|)|1|50%| |,|/|;|}|url(|/*|none|srgb|red|#fff|"|120deg')
    const tokens = fc.constantFrom(...pieces)
    const values = fc.oneof(
      fc.array(tokens, { maxLength: 12 }).map((list) => list.join('')),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(values, (value) => {
        const color = cssColor(value)
        if (color === undefined) return
        assert.match(color, /^(?:#?[a-z0-9]+|[a-z]+\([a-z0-9 .,%/+-]+\))$/i)
        assert.equal(cssColor(color), color)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('isLength', () => {
  it('accepts one length or percentage that is not negative', () => {
    for (const value of table('0|0.5rem|.5em|8px|+8PX| 1em |50%|2dvh|1cqmin|0.0')) assert.ok(isLength(value), value)
    for (const value of table('|8|-1px|1 px|1px 2px|1px;|1px}|calc(1px)|red|1.px|1deg|px'))
      assert.ok(!isLength(value), value)
  })
})
