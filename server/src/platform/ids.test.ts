import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type OrganizationId, type UserId, newId } from './ids.ts'

const anyMs = fc.integer({ min: 0, max: 36 ** 9 - 1 })

describe('newId', () => {
  it('makes what the interface calls an id: c and 24 lower-case base36 characters', () => {
    fc.assert(
      fc.property(anyMs, (ms) => {
        const id = newId<'UserId'>(ms)
        assert.match(id, /^c[0-9a-z]{24}$/)
        assert.match(id, /^[cC][^\s-]{8,}$/)
        assert.equal(Number.parseInt(id.slice(1, 10), 36), ms)
      }),
    )
  })

  it('sorts by time', () => {
    fc.assert(fc.property(anyMs, anyMs, (a, b) => a === b || newId(a) < newId(b) === a < b))
  })

  it('takes the system time by default', () => {
    const before = Date.now()
    const ms = Number.parseInt(newId().slice(1, 10), 36)
    assert.ok(ms >= before && ms <= Date.now())
  })

  it('makes no id twice within a millisecond', () => {
    assert.equal(new Set(Array.from({ length: 50_000 }, () => newId(1))).size, 50_000)
  })

  it('refuses a time that nine characters cannot hold', () => {
    for (const ms of [Number.NaN, -1, 1.5, 36 ** 9, Number.POSITIVE_INFINITY]) {
      assert.throws(() => newId(ms), RangeError)
    }
  })

  it('takes its kind from where it is put, and the kinds do not mix', () => {
    const user: UserId = newId()
    // @ts-expect-error an organization's id is not a user's
    const wrong: UserId = newId<'OrganizationId'>()
    // @ts-expect-error an id of no kind fits nowhere
    const organization: OrganizationId = newId<string>()
    assert.equal(new Set([user, wrong, organization]).size, 3)
  })
})
