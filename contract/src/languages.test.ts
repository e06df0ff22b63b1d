import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { directionOf, languages, matchLanguage } from './languages.ts'

describe('languages', () => {
  it('are canonical tags, each once, in order', () => {
    assert.deepEqual(Intl.getCanonicalLocales([...languages]), [...languages].toSorted())
    assert.equal(new Set(languages).size, 24)
  })

  it('are matched by name and script, whatever the region', () => {
    const read = [
      'de',
      'de-AT',
      'pt',
      'pt-PT',
      'pt-BR',
      'zh',
      'zh-CN',
      'zh-Hans-SG',
      'no',
      'nn-NO',
      'nb',
      'iw',
      'en-GB',
    ]
    assert.deepEqual(
      read.map((tag) => matchLanguage(tag)),
      ['de', 'de', 'pt-BR', 'pt-BR', 'pt-BR', 'zh-Hans', 'zh-Hans', 'zh-Hans', 'nb', 'nb', 'nb', 'he', 'en'],
    )
  })

  it('are not matched by another name, another script or no tag at all', () => {
    for (const tag of ['la', 'zh-TW', 'zh-Hant', 'sr', '*', '', 'constructor', 'de_AT!', 'x'.repeat(500)]) {
      assert.equal(matchLanguage(tag), undefined, tag)
    }
  })

  it('are matched only among the offered ones', () => {
    assert.equal(matchLanguage('de-CH', ['en', 'fr']), undefined)
    assert.equal(matchLanguage('fr-CA', ['en', 'fr']), 'fr')
  })

  it('have a direction', () => {
    assert.deepEqual(
      languages.filter((language) => directionOf(language) === 'rtl'),
      ['ar', 'he'],
    )
  })
})
