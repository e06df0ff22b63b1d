// The patterns of the contract are run on whatever anybody sends, so each takes a time that grows no faster than the text. The lint rule
// `bailiwick/linear-expressions` says the same of all other expressions, but does not see patterns that are put together.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkSync } from 'recheck'
import { objectsIn, readDocument } from './openapi-document.ts'

function* patternsIn(file: string): Generator<string> {
  for (const [, { pattern, patternProperties }] of objectsIn(JSON.parse(readDocument(file)))) {
    if (typeof pattern === 'string') yield pattern
    if (typeof patternProperties === 'object' && patternProperties !== null) yield* Object.keys(patternProperties)
  }
}

describe('a pattern of the contract', () => {
  const patterns = new Set(['openapi.json', 'openapi-frontend.json'].flatMap((file) => [...patternsIn(file)]))
  for (const pattern of patterns) {
    it(`${pattern} takes linear time`, () => {
      const { status, ...more } = checkSync(pattern, 'u', { timeout: 60_000 })
      assert.equal(status, 'safe', JSON.stringify(more))
    })
  }

  it('that takes the square of the time is noticed', () => {
    assert.equal(checkSync('^(?:a*)*b$|/+$', 'u').status, 'vulnerable')
  })
})
