import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { languages as known } from '@bailiwick/contract'
import type { Plural } from './catalogue.ts'
import { catalogueOf, languages, readTranslation, withEnglish } from './languages.ts'
import { panelTexts } from './panel-texts.ts'
import { textOf } from './text-of.ts'

const english = await catalogueOf({ tag: 'en' })
const catalogues = await Promise.all(languages.map(async ({ tag }) => ({ tag, texts: await catalogueOf({ tag }) })))

describe('the texts of embedded panels', () => {
  it('are there in every language, and fill in the values that the English ones do', async () => {
    const { words, forms, keys } = await panelTexts('en')
    const placeholders = (texts: Readonly<Record<string, string>>) =>
      Object.entries(texts).map(([name, text]) => [name, [...text.matchAll(/\{\w+\}/g)].flat().toSorted()])
    for (const language of known) {
      const own = await panelTexts(language)
      assert.deepEqual(placeholders(own.words), placeholders(words), language)
      assert.deepEqual(placeholders(own.forms), placeholders(forms), language)
      assert.deepEqual(placeholders(own.keys), placeholders(keys), language)
      const untold = language === 'en' ? [] : Object.keys(words).filter((name) => own.words[name] === words[name])
      // Some words are the same in several languages.
      assert.ok(untold.length < 12, `${language}: ${untold.join(', ')}`)
      assert.ok(Object.values({ ...own.words, ...own.forms }).every((text) => text !== '' && !text.includes('[object')))
    }
  })
})

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
      // The set-up pages are for administrators, and show English where a language lacks them.
      const entries = Object.entries(texts).filter(([key]) => !key.startsWith('setup.'))

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

  it('show the English text where a language has none', async () => {
    const { default: german } = await import('./de.json', { with: { type: 'json' } })
    const { 'signIn.title': title, ...rest } = german
    const texts = withEnglish(rest)
    assert.equal(textOf('de', texts)('signIn.title'), 'Sign in')
    assert.equal(textOf('de', withEnglish({ ...rest, 'signIn.title': title }))('signIn.title'), title)
    assert.equal(textOf('de', texts)('signIn.signUp'), german['signIn.signUp'])
  })

  it('are the same without their keys, as they are published', async () => {
    const { default: french } = await import('./fr.json', { with: { type: 'json' } })
    const texts: Readonly<Record<string, unknown>> = french
    const unkeyed = Object.keys(english).map((key) => texts[key] ?? 0)
    assert.deepEqual(readTranslation(unkeyed as Parameters<typeof readTranslation>[0]), french)
    assert.equal(readTranslation(french), french)
  })

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
