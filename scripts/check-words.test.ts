import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findForbiddenWords } from './texts/glossary.ts'
import { findTooManyNames, vagueNames } from './texts/names.ts'

const words = (source: string, name = 'screen.tsx') => findForbiddenWords(name, source).map(({ found }) => found)

describe('the check of the glossary', () => {
  const refused: readonly (readonly [source: string, found: string])[] = [
    ['<p>Why somebody can sign in</p>', 'somebody'],
    [`title: 'Nobody is signed in'`, 'Nobody'],
    ['const about = `The person gets an e-mail`', 'person'],
    [`label="Take back"`, 'Take back'],
    ['<summary>Act in the place of this user</summary>', 'in the place of this user'],
    ['hint: "Your email address"', 'email address'],
  ]
  for (const [source, found] of refused) {
    it(`refuses ${found} in ${source}`, () => assert.deepEqual(words(source), [found]))
  }

  for (const source of [
    `import { personName } from '../../parts/person-name.ts'`,
    `if (caller === 'nobody') return`,
    '// what somebody may not do',
    '/* nobody\n   at all */',
    '<p>Your e-mail address</p>',
  ]) {
    it(`accepts ${source}`, () => assert.deepEqual(words(source), []))
  }

  it('reads the texts of a JSON file, not its keys', () => {
    assert.deepEqual(words('{\n  "askSomebody": "Ask somebody",\n  "people": "Users"\n}', 'en.json'), ['somebody'])
  })
})

describe('the check of names', () => {
  const [functions, nouns] = vagueNames
  for (const [source, names] of [
    ['function rowsOf() {}\n', functions],
    ['const nameOf = 1\n', functions],
    ['const given = 1\n', nouns],
    ['use((shown: string) => shown)\n', nouns],
    ['const { held } = state\n', undefined],
    ['// what rowsOf has given\n', undefined],
    ['const profile = readRows()\n', undefined],
  ] as const) {
    it(`${names === undefined ? 'accepts' : 'counts'} ${source.trim()}`, () => {
      const found = findTooManyNames([source.repeat(1000)])
      assert.deepEqual(
        found.map(({ count, what }) => [count, what]),
        names === undefined ? [] : [[1000, names.what]],
      )
    })
  }
})
