// Checks docs/security-tests.md against the tests that it names.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const page = 'docs/security-tests.md'

interface Guard {
  readonly section: string
  readonly text: string
  readonly tests: readonly string[]
}

/** Returns every entry of the page, with the lines of its tests. A line that is none of these belongs to the one before it. */
function guardsOf(text: string): readonly Guard[] {
  return text
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const [title = '', ...rest] = section.split('\n')
      const entries = rest.join('\n').split(/^- /m).slice(1)
      return entries.map((entry) => {
        const [guard = '', ...tests] = entry.split(/^ {2}- /m).map((part) => part.replaceAll(/\s+/g, ' ').trim())
        return { section: title, text: guard, tests }
      })
    })
}

/** Returns the titles of a file's suites and tests, with … for what is filled in. */
function titlesOf(source: string): ReadonlySet<string> {
  const titles = source.matchAll(/\b(?:describe\w*|it)\(\s*(['"`])((?:\\.|\$\{[^}]*\}|(?!\1)[^\\])*)\1/g)
  return new Set(
    Array.from(titles, ([, , title = '']) =>
      title.replaceAll(/\$\{(?:[^{}`]|`[^`]*`|\{[^}]*\})*\}/g, '…').replaceAll(/\\(.)/g, '$1'),
    ),
  )
}

const guards = guardsOf(readFileSync(join(root, page), 'utf8'))

describe(page, () => {
  it('says in each entry what is guarded, and by which tests unless it does not apply', () => {
    assert.ok(guards.length > 0)
    for (const { section, text, tests } of guards) {
      const where = `${section}: ${text.slice(0, 60)}`
      assert.match(text, /^\*\*[^*]+\.\*\* \S/, `${where} says no more than what is guarded`)
      assert.equal(tests.length === 0, text.startsWith('**Does not apply'), `${where} has ${tests.length} tests`)
    }
  })

  it('has entries in every section', () => {
    const sections = new Set(guards.map(({ section }) => section.slice(0, 3)))
    assert.deepEqual([...sections], ['2.1', '2.2', '2.3', '2.4', '2.5', '2.6', '2.7'])
  })

  it('names tests that exist', () => {
    const titles = new Map<string, ReadonlySet<string>>()
    for (const test of guards.flatMap((guard) => guard.tests)) {
      const [, file = '', names = ''] = /^`([\w./-]+\.test\.ts)` › (\S.*)$/.exec(test) ?? []
      assert.ok(file !== '' && existsSync(join(root, file)), `${test}: there is no such file`)
      const known = titles.get(file) ?? titlesOf(readFileSync(join(root, file), 'utf8'))
      titles.set(file, known)
      for (const name of names.split(' › ')) assert.ok(known.has(name), `${file} has no test "${name}"`)
    }
  })
})
