import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { plainKey, searchKey } from './search-keys.ts'
import { beginnings, divideTerms, termsInAddress, termsInName, termsMax, wordsIn } from './terms.ts'

describe('the key without accents', () => {
  it('is the same when it is made again, and for every normal form of the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const key = plainKey(text)
        assert.equal(plainKey(key), key)
        for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const) assert.equal(plainKey(text.normalize(form)), key)
        assert.equal(plainKey(searchKey(text)), key)
      }),
    )
  })

  it('leaves accents and strokes out, and signs that make another letter in', () => {
    for (const [text, key] of [
      ['Björn ÅKESSON', 'bjorn akesson'],
      ['Łódź', 'lodz'],
      ['Æsir Þór', 'aesir thor'],
      ['İstanbul ılık', 'istanbul ilik'],
      ['Straße', 'strasse'],
      ['がく', 'がく'],
      ['한글', '한글'],
      ['हिन्दी', 'हिन्दी'],
    ] as const) {
      assert.equal(plainKey(text), plainKey(key), text)
      assert.equal(plainKey(text), key.normalize('NFKC'), text)
    }
  })
})

describe('terms', () => {
  it('begin at each part of a name or address', () => {
    assert.deepEqual(termsInName("Mary-Ann  O'Neill"), ['mary-ann', 'ann', "o'neill", 'neill'])
    assert.deepEqual(termsInName('李小龍'), ['李小龍', '小龍', '龍'])
    assert.deepEqual(termsInAddress('ada.l@mail.contoso.example'), [
      '@mail.contoso.example',
      'ada.l@mail.contoso.example',
      'l@mail.contoso.example',
      'contoso.example',
    ])
    assert.deepEqual(
      [termsInName(null), termsInName(' '), termsInAddress('a@localhost')],
      [[], [], ['@localhost', 'a@localhost']],
    )
  })

  it('are not stored if a key or another term begins with them, and are few and short', () => {
    assert.deepEqual(divideTerms(['@b.example', 'ada', 'king', 'kin', 'love'], ['ada lovelace', 'lovelace', null]), {
      stored: ['@b.example', 'king'],
      others: ['b.example', 'ada', 'love'],
    })
    assert.deepEqual(divideTerms(['x1', 'y', 'x1@b.example', 'x'], []).stored, ['x1@b.example', 'y'])
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
        const { stored } = divideTerms(termsInName(name), [])
        assert.ok(stored.length <= termsMax)
        for (const term of stored) assert.ok(term.length <= 64 && term.isWellFormed() && !/\s/.test(term))
        for (const term of stored) assert.equal(stored.filter((other) => other.startsWith(term)).length, 1)
      }),
    )
  })

  it('of domains are also found without their @', () => {
    assert.deepEqual([beginnings('contoso'), beginnings('@contoso')], [['contoso', '@contoso'], ['@contoso']])
    assert.deepEqual(wordsIn('  Björn  bjorn ADA '), ['bjorn', 'ada'])
  })
})
