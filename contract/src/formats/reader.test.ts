import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { languages } from '../languages.ts'
import { canonicalLocale, isOfferedLocale, isTimezone } from './reader.ts'

describe('a time zone', () => {
  it('is a name of the IANA database', () => {
    for (const zone of [
      ...Intl.supportedValuesOf('timeZone'),
      'UTC',
      'Etc/GMT+5',
      'Europe/Kiev',
      'America/Argentina/Ushuaia',
    ])
      assert.ok(isTimezone(zone), zone)
  })

  it('is no offset, no other name and no text around one', () => {
    for (const text of [
      '',
      '+01:00',
      '-05',
      'Mars/Olympus',
      'Europe',
      'Europe/Vienna ',
      ' UTC',
      '../../etc/localtime',
      'Europe/Vienna\n',
    ])
      assert.ok(!isTimezone(text), JSON.stringify(text))
  })
})

describe('a locale', () => {
  it('is a tag of a language that messages are written in', () => {
    for (const tag of [...languages, 'de-AT', 'DE-at', 'pt-PT', 'nn', 'zh-CN', 'en-GB-oxendict'])
      assert.ok(isOfferedLocale(tag), tag)
    assert.equal(canonicalLocale('DE-at'), 'de-AT')
  })

  it('is no other language and no other text', () => {
    for (const text of ['', 'tlh', 'zh-TW', 'de_AT', 'deutsch', '*', 'de,en', `de-${'a'.repeat(40)}`, 'de\n'])
      assert.ok(!isOfferedLocale(text), JSON.stringify(text))
  })
})
