import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Texts, compareTexts } from './texts/catalogues.ts'

const english: Texts = {
  title: 'Sign in',
  lead: 'Welcome to {tenant}, <b>{name}</b>',
  tries: { one: '{count} try', other: '{count} tries' },
}
const polish: Texts = {
  title: 'Logowanie',
  lead: 'Witaj w {tenant}, <b>{name}</b>',
  tries: { one: '{count} próba', few: '{count} próby', many: '{count} prób', other: '{count} próby' },
}
const problems = (texts: Texts) => compareTexts('pl', { ...polish, ...texts }, english).problems

describe('the check of the texts', () => {
  it('finds nothing wrong with a language that has every text', () => {
    assert.deepEqual(compareTexts('pl', polish, english), { missing: [], problems: [] })
    assert.deepEqual(compareTexts('en', english, english), { missing: [], problems: [] })
  })

  it('lists missing texts, which are no problem', () => {
    const { title: _title, ...rest } = polish
    assert.deepEqual(compareTexts('pl', rest, english), { missing: ['title'], problems: [] })
  })

  const faults: readonly (readonly [about: string, texts: Texts, problem: RegExp])[] = [
    ['an unknown key', { titel: 'x' }, /^titel is not a key/],
    ['a key of every object', { toString: 'x' }, /^toString is not a key/],
    ['a placeholder that is missing', { lead: 'Witaj, <b>{name}</b>' }, /^lead fills in \{name\}, but/],
    ['a placeholder too many', { title: 'Logowanie {tenant}' }, /^title fills in \{tenant\}, but/],
    ['a placeholder in another spelling', { lead: 'Witaj w {Tenant}, <b>{name}</b>' }, /^lead fills in/],
    ['other markup', { lead: 'Witaj w {tenant}, <i>{name}</i>' }, /^lead has other markup/],
    ['a text in place of plural forms', { tries: '{count}' }, /^tries has no plural forms/],
    ['plural forms in place of a text', { title: { other: 'x' } }, /^title has plural forms/],
    ['a missing plural form', { tries: { one: '{count}', other: '{count}' } }, /^tries lacks the plural form "few"/],
    [
      'a plural form of another language',
      { tries: { ...(polish['tries'] as object), two: '{count}' } },
      /^tries has the plural form "two"/,
    ],
    ['an empty text', { title: '' }, /^title is empty/],
    ['a space at the end', { title: 'Logowanie ' }, /^title is empty, or/],
    ['a letter in two parts', { title: 'O\u0301' }, /^title is not in Unicode/],
    ['a line break', { title: 'a\nb' }, /^title contains a line break/],
  ]
  for (const [about, texts, problem] of faults) {
    it(`finds ${about}`, () => assert.match(problems(texts).join('\n'), problem))
  }
})
