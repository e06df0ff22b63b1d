import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { languages as known } from '@bailiwick/contract'
import type { Plural } from './catalogue.ts'
import { catalogueOf, languages } from './languages.ts'
import { textOf } from './text-of.ts'

const english = await catalogueOf({ tag: 'en' })
const catalogues = await Promise.all(languages.map(async ({ tag }) => ({ tag, texts: await catalogueOf({ tag }) })))
const isPlural = (entry: string | Plural): entry is Plural => typeof entry !== 'string'
const namesIn = (entry: unknown) => [...new Set(JSON.stringify(entry).match(/\{\w+\}/g) ?? [])].toSorted()

describe('the languages of the pages', () => {
  it('are those that a tenant can choose, English first', () => {
    assert.deepEqual(languages.map(({ tag }) => tag).toSorted(), [...known])
    assert.equal(languages[0]?.tag, 'en')
  })

  it('have the name that their speakers give them, and the direction of their script', () => {
    for (const { tag, name, direction } of languages) {
      const own = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? ''
      assert.equal(name.toLocaleLowerCase(tag), own.toLocaleLowerCase(tag))
      assert.equal(
        direction,
        ['Arab', 'Hebr'].includes(new Intl.Locale(tag).maximize().script ?? '') ? 'rtl' : 'ltr',
        tag,
      )
    }
  })

  for (const { tag, texts } of catalogues) {
    describe(tag, () => {
      const entries = Object.entries(texts)

      it('fills in what the English texts fill in', () => {
        for (const [key, entry] of entries) {
          assert.deepEqual(namesIn(entry), namesIn(english[key as keyof typeof english]), key)
        }
      })

      it('has a form for every number, and none that its grammar does not have', () => {
        const rules = new Intl.PluralRules(tag)
        // Of whole numbers. Arabic could tell none from many, which reads well without.
        const needed = new Set(Array.from({ length: 1000 }, (_, index) => rules.select(index + 1)))
        const possible: readonly string[] = [...rules.resolvedOptions().pluralCategories, 'other']
        for (const [key, entry] of entries) {
          if (!isPlural(entry)) continue
          assert.deepEqual(
            Object.keys(entry).filter((category) => !possible.includes(category)),
            [],
            key,
          )
          assert.deepEqual(
            [...needed].filter((category) => entry[category] === undefined),
            [],
            key,
          )
        }
      })

      it('is translated throughout', { skip: tag === 'en' }, () => {
        const written = (entry: string | Plural) => JSON.stringify(entry)
        const same = entries.filter(([key, entry]) => written(entry) === written(english[key as keyof typeof english]))
        // Words that are the same in both, such as "Code" and "Passkey".
        assert.ok(same.length <= entries.length / 10, same.map(([key]) => key).join())
        assert.deepEqual(
          entries.filter(([, entry]) => written(entry).includes('""')),
          [],
        )
      })
    })
  }

  it('choose the form by the number, and write it as the language does', () => {
    const uk = catalogues.find(({ tag }) => tag === 'uk')?.texts ?? english
    const text = textOf('uk', uk)
    const shown = [1, 3, 5, 21].map((count) => text('field.passwordHint', { count }).replace(/\s+/g, ' '))
    assert.deepEqual(shown, [
      'Щонайменше 1 символ',
      'Щонайменше 3 символи',
      'Щонайменше 5 символів',
      'Щонайменше 21 символ',
    ])
  })
})
