import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { tokenPrefixes } from './token-prefixes.ts'

const prefixes = Object.values(tokenPrefixes)

describe('the prefixes of tokens', () => {
  it('tell every kind from all others', () => {
    for (const one of prefixes) {
      assert.match(one, /^[a-z]+_$/)
      assert.deepEqual(
        prefixes.filter((other) => other.startsWith(one)),
        [one],
      )
    }
  })

  it('are written nowhere else in the server', () => {
    const sources = new URL('../../server/src/', import.meta.url)
    const literal = new RegExp(`['"\`](?:${prefixes.join('|')})(?:['"\`]|[$][{])`)
    const found = globSync('**/*.ts', { cwd: sources, exclude: ['**/*.test.ts'] }).filter((name) =>
      literal.test(readFileSync(new URL(name, sources), 'utf8')),
    )
    assert.deepEqual(found, [])
  })
})
