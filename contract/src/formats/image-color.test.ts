import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isColor } from './brand-value.ts'
import { isImageColor, parseImageColor } from './image-color.ts'

const components: Record<string, readonly number[]> = {
  red: [255, 0, 0, 255],
  RebeccaPurple: [102, 51, 153, 255],
  transparent: [0, 0, 0, 0],
  '#0f8': [0, 255, 136, 255],
  '#0f8c': [0, 255, 136, 204],
  '#4f46e5': [79, 70, 229, 255],
  '#4F46E580': [79, 70, 229, 128],
  'rgb(255 128 0)': [255, 128, 0, 255],
  'rgb(100% 50% 0% / 50%)': [255, 128, 0, 128],
  'rgba(1, 2, 3, .2)': [1, 2, 3, 51],
  'rgb(300 -20 none)': [255, 0, 0, 255],
  'hsl(120 100% 25%)': [0, 128, 0, 255],
  'hsl(-240deg, 100%, 25%)': [0, 128, 0, 255],
  'hsl(0.5turn 100 50)': [0, 255, 255, 255],
  '240 10% 3.9%': [9, 9, 11, 255],
  'hwb(0 40% 80%)': [85, 85, 85, 255],
  'hwb(120 20% 20%)': [51, 204, 51, 255],
}

describe('the colour of an image step', () => {
  it('has the components defined by CSS Color 4', () => {
    for (const [text, expected] of Object.entries(components)) assert.deepEqual(parseImageColor(text), expected, text)
  })

  it('is not a text that only looks like a colour, or that cannot be used for drawing', () => {
    for (const text of [
      '',
      'banana',
      '#12345',
      'rgb(1 2)',
      'currentcolor',
      'oklch(0.7 0.1 200)',
      'red;',
      'constructor',
    ]) {
      assert.equal(parseImageColor(text), undefined, text)
    }
  })

  it('is always accepted for brands too, and has integer components of 0 to 255', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom(...Object.keys(components))), (text) => {
        if (!isImageColor(text)) return
        assert.equal(isColor(text), true)
        const parsed = parseImageColor(text) ?? []
        assert.equal(parsed.length, 4)
        for (const component of parsed) assert.ok(Number.isInteger(component) && component >= 0 && component <= 255)
      }),
    )
  })
})
