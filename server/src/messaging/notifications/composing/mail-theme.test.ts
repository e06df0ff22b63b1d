import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { brandProperties } from '@bailiwick/contract'
import fc from 'fast-check'
import { contrast, mailColor, readable } from './mail-colors.ts'
import { darkTheme, lightTheme, radiusOf } from './mail-theme.ts'

describe('a colour of mail', () => {
  it('is written in six digits, whatever the brand is written in', () => {
    for (const [value, color] of [
      ['#4f46e5', '#4f46e5'],
      ['teal', '#008080'],
      ['240 10% 3.9%', '#09090b'],
      ['rgb(255 0 0 / 50%)', '#ff7f7f'],
      ['oklch(1 0 0)', '#ffffff'],
      ['oklch(0.205 0 0)', '#171717'],
      ['oklch(0.577 0.245 27.325)', '#e7000b'],
      ['oklch(57.7% 0.245 27.325deg / 100%)', '#e7000b'],
      ['oklab(0 0 0)', '#000000'],
    ] as const) {
      assert.equal(mailColor(value), color, value)
    }
  })

  it('is undefined for colours that only some screens show, and for other texts', () => {
    for (const value of [undefined, '', 'color(display-p3 1 0 0)', 'lab(50% 0 0)', 'currentcolor', 'no colour', '#12'])
      assert.equal(mailColor(value), undefined, value)
  })

  it('has the contrast that WCAG says', () => {
    assert.equal(contrast('#000000', '#ffffff'), 21)
    assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48')
  })
})

describe('the theme of a mail', () => {
  const channel = fc.integer({ min: 0, max: 255 })
  const color = fc.oneof(
    fc.tuple(channel, channel, channel).map((rgb) => `rgb(${rgb.join(' ')})`),
    fc
      .tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 360 }))
      .map(([lightness, chroma, hue]) => `oklch(${lightness}% ${chroma / 100} ${hue})`),
    fc.constantFrom('white', 'black', 'transparent', 'rgb(0 0 0 / 10%)', 'no colour', 'lab(50% 0 0)'),
  )
  const brand = fc.dictionary(fc.constantFrom(...brandProperties), color)

  it('can be read, whatever the brand is', () => {
    fc.assert(
      fc.property(brand, (each) => {
        for (const theme of [lightTheme(each), darkTheme(each)]) {
          for (const [text, behind] of [
            ['text', 'card'],
            ['quiet', 'card'],
            ['name', 'page'],
            ['footer', 'page'],
            ['link', 'card'],
            ['buttonText', 'button'],
            ['codeText', 'code'],
          ] as const) {
            const found = contrast(theme[text], theme[behind])
            assert.ok(found >= readable, `${text} ${theme[text]} on ${behind} ${theme[behind]}: ${found}`)
          }
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('takes the colours of a brand that can be read', () => {
    const { button, buttonText } = lightTheme({ primary: '#4f46e5', primaryForeground: '#fefefe' })
    assert.deepEqual([button, buttonText], ['#4f46e5', '#fefefe'])
    assert.equal(lightTheme({ primary: '#facc15', primaryForeground: 'white' }).buttonText, '#000000')
    assert.equal(darkTheme({ primary: '#4f46e5', darkPrimary: '#a5b4fc' }).button, '#a5b4fc')
    assert.equal(darkTheme({ card: 'white', cardForeground: 'black' }).card, darkTheme({}).card)
  })

  it('takes a roundness in plain lengths', () => {
    const radii = ['0', '4px', '0.5rem', '1em', '999px', 'calc(1px)', '50%', ''].map((radius) => radiusOf({ radius }))
    assert.deepEqual(radii, [0, 4, 8, 16, 24, 8, 8, 8])
  })
})
