import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { codePointLength, foldCase, hasControlCharacters, isWellFormedText } from './text.ts'

const anyText = fc.string({ unit: 'binary' })

describe('isWellFormedText', () => {
  it('refuses NUL and lone surrogates, which databases and UTF-8 cannot keep or distinguish', () => {
    for (const text of ['a\0b', 'pw\ud800', 'pw\udfff', '\udc00\ud800']) assert.equal(isWellFormedText(text), false)
    for (const text of ['', 'a\nb', '😀', '\ufffd']) assert.equal(isWellFormedText(text), true)
  })
})

describe('hasControlCharacters', () => {
  it('finds C0, DEL, C1 and the line separators', () => {
    for (const text of ['a\rb', '\n', '\t', '\x7f', '\x85', '\u2028', '\u2029', '\0']) {
      assert.equal(hasControlCharacters(text), true, JSON.stringify(text))
    }
    assert.equal(hasControlCharacters('Zoë & 家 😀\u00a0'), false)
  })
})

describe('codePointLength', () => {
  it('counts as string iteration does', () => {
    const anyUnits = fc.array(fc.integer({ min: 0xd7f0, max: 0xe010 })).map((units) => String.fromCharCode(...units))
    fc.assert(fc.property(fc.oneof(anyText, anyUnits), (text) => codePointLength(text) === Array.from(text).length))
  })
})

describe('foldCase', () => {
  const same: [string, string][] = [
    ['\u212Aate', 'kate'],
    ['ſam', 'SAM'],
    ['STRASSE', 'straße'],
    ['ẞ', 'ss'],
    ['ﬃ', 'FFI'],
    ['ＡＢＣ', 'abc'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['İ', 'i\u0307'],
    ['e\u0301', 'É'],
    ['①', '1'],
  ]
  for (const [one, other] of same) {
    it(`treats ${one} and ${other} as the same`, () => assert.equal(foldCase(one), foldCase(other)))
  }

  it('keeps different letters apart', () => {
    for (const [one, other] of [
      ['a', 'а'],
      ['e', 'é'],
      ['o', '0'],
      ['i', 'İ'],
    ] as const) {
      assert.notEqual(foldCase(one), foldCase(other))
    }
  })

  it('is idempotent and ignores case for every code point', () => {
    for (let code = 0; code <= 0x10ffff; code++) {
      const character = String.fromCodePoint(code)
      const folded = foldCase(character)
      if (foldCase(folded) !== folded || foldCase(character.toUpperCase()) !== folded) {
        assert.fail(`U+${code.toString(16)}`)
      }
    }
  })

  // Guards: alike-names
  it('is idempotent and ignores compatibility forms for every text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const folded = foldCase(text)
        assert.equal(foldCase(folded), folded)
        assert.equal(foldCase(text.normalize('NFKC')), folded)
        assert.equal(foldCase(text.normalize('NFD')), folded)
      }),
    )
  })
})
