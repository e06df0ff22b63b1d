import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { describeConfig, readConfig } from './config.ts'

describe('describeConfig', () => {
  it('describes every variable once, in a sentence', () => {
    const described = describeConfig()
    assert.equal(new Set(described.map(({ name }) => name)).size, described.length)
    for (const { name, description } of described) {
      assert.match(name, /^(?:PORT|HOST|DATABASE_URL|(?:BAILIWICK|OTEL)_[A-Z0-9_]+)$/)
      assert.match(description, /^[A-Zd].*\.$/)
    }
  })

  it('names defaults that are taken when given', () => {
    const env = Object.fromEntries(
      describeConfig()
        .filter((each) => each.default !== '' && !/PORT\/|in development/.test(each.default))
        .map((each) => [each.name, each.default]),
    )
    assert.ok(Object.keys(env).length > 10)
    assert.deepEqual(readConfig(env), readConfig({}))
  })
})
