// Finds the texts of sources and wraps them, as the build does for the other languages of the console.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readRule, translateMessage } from '../src/api/service-messages.ts'
import { readTexts, readTranslations, translationModule } from '../src/node/console-texts.ts'
import { findTexts, wrapTexts } from '../src/node/find-texts.ts'
import { readServiceTexts } from '../src/node/service-texts.ts'
import { textKey } from '../src/texts/text-key.ts'
import { translate } from '../src/texts/translate.ts'

const listTexts = (code: string) => findTexts(code, 'a.tsx').map(({ text }) => text)

/** Runs a wrapped source that sets `result`, with upper case for a translation. */
function run(code: string): unknown {
  const wrapped = wrapTexts(code, 'a.ts', './translate.ts') ?? code
  const body = wrapped.replace(/^import [^;]*;/, '')
  const shout = (text: string, ...values: readonly unknown[]) =>
    text.toUpperCase().replaceAll(/\{(\d)\}/g, (_match, index: string) => String(values[Number(index)]))
  // oxlint-disable-next-line no-implied-eval, no-new-func -- the code of this test
  return new Function('translateText', `${body}; return result`)(shout) as unknown
}

describe('the texts of a source', () => {
  it('are what stands between tags, in labels, and in what is said, and not names, classes or comparisons', () => {
    assert.deepEqual(
      listTexts(`
        import { A } from 'Some package'
        const kind = isOn ? 'on' : 'off'
        const view = (
          <Page title="users" className="Big letters" about={isOn ? 'is on' : \`\${count} are off\`}>
            You have{' '}
            <b>{count} new</b> &amp; old {isOn ? 'one' : 'two'}
            {name === 'Not a text' ? null : <Time at={x} />}
          </Page>
        )
        toast('It is saved.')
        const rows = [['Name', user.name], { title: 'State', operation: 'readUser' }]
      `),
      ['users', 'is on', '{0} are off', 'You have', 'new', '& old', 'one', 'two', 'It is saved.', 'Name', 'State'],
    )
  })

  it('are translated where the source runs, with the values and the spaces around them', () => {
    assert.equal(run('const n = 2; const result = `There are ${n} of ${n + 1} users.`'), 'THERE ARE 2 OF 3 USERS.')
    assert.equal(run("const result = 'a' + ' It is on. '"), 'a IT IS ON. ')
    assert.equal(
      run("const n = 1; const result = `Found ${n === 1 ? 'One user' : 'None'} here`"),
      'FOUND ONE USER HERE',
    )
    assert.equal(run("const result = { title: 'name', key: 'name' }.title"), 'NAME')
    assert.equal(wrapTexts("const result = 'name'", 'a.ts', './translate.ts'), undefined)
  })

  it('are English where there is no translation', () => {
    assert.equal(translate('{0} of {1}', 1, 2), '1 of 2')
  })
})

describe('the German texts', () => {
  it('have a key each, and fill in the values that the English ones fill in', () => {
    const translations = readTranslations('de')
    const whole = translationModule('de', 0) + translationModule('de', 1)
    assert.ok(whole.includes(textKey('Users')))
    const values = (text: string) => (text.match(/\{\d\}/g) ?? []).toSorted()
    for (const [english, german] of Object.entries(translations))
      assert.deepEqual(values(german), values(english), english)
    const texts = readTexts()
    // Texts that were added since are English until they are translated, as npm run texts says.
    assert.ok(texts.filter((text) => translations[text] !== undefined).length > 1500)
    // What was reworded in English only, or is not written as the source has it, would never be shown.
    assert.deepEqual(
      Object.keys(translations).filter((text) => !texts.includes(text)),
      [],
    )
  })

  it('have the errors of the service and the rules of its fields, whatever values these name', () => {
    const translations = readTranslations('de')
    assert.ok(readServiceTexts().filter((text) => translations[text] !== undefined).length > 120)
    const known: readonly (readonly [said: string, values: readonly string[]])[] = [
      ['must have at least 12 characters', ['12']],
      ['must be at most 16,384', ['16,384']],
      ['must be one of email, sms', ['email, sms']],
      ['must match ^[a-z]{2,4}$', ['^[a-z]{2,4}$']],
      ['must be a known event type: "a \\"b\\" 1" does not exist; did you mean "c"?', ['"a \\"b\\" 1"', '"c"']],
    ]
    for (const [said, values] of known) {
      const { rule, values: found } = readRule(said)
      assert.deepEqual([found, rule in translations, translateMessage(said)], [values, true, said])
    }
  })
})
