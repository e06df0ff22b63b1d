import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { suitesOnOneEngine } from './on-one-engine.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const sources = globSync('{server,react}/{src,test}/**/*.test.ts', { cwd: root }).map((file) =>
  readFileSync(join(root, file), 'utf8'),
)
const defined = sources.flatMap((source) =>
  Array.from(source.matchAll(/\bdescribe(?:OnOneEngine|ServiceOnce)\(\s*'([^']+)'/g), ([, title = '']) => title),
)

describe('the list of suites that run on one engine', () => {
  it('names each of them once, and none that is gone', () => {
    assert.deepEqual(defined.toSorted(), suitesOnOneEngine.toSorted())
  })

  it('is the only place where a suite is kept from an engine', () => {
    const picks = sources.filter((source) => /\bdescribeOnEngines\(/.test(source))
    assert.equal(picks.length, 0, 'a suite picks its engine itself')
  })
})
