import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { preferredLanguage } from './preferred-language.ts'

describe('the language that a browser asks for first', () => {
  for (const [header, language] of [
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de-AT'],
    ['en;q=0.8, fr', 'fr'],
    ['en; q=0.2 , pt-br ;Q=0.3', 'pt-BR'],
    ['ZH-hant-tw', 'zh-Hant-TW'],
    ['fr;q=0, en', 'en'],
  ] as const) {
    it(`is ${language} for ${header}`, () => assert.equal(preferredLanguage(header), language))
  }

  for (const header of [
    undefined,
    '',
    '*',
    '*;q=0.5',
    'en;q=0',
    'en;q=x',
    'en;q=7',
    '../../etc',
    'a'.repeat(1001),
    '{{ x }}',
  ])
    it(`is undefined for ${String(header).slice(0, 20) || 'an empty header'}`, () => {
      assert.equal(preferredLanguage(header), undefined)
    })

  it('is a tag or nothing, whatever is sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (header) => {
        const language = preferredLanguage(header)
        assert.ok(language === undefined || /^[A-Za-z0-9-]+$/.test(language))
      }),
    )
  })
})
