import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { base62 } from './random-text.ts'
import { hasValidChecksum, hashToken, isEqual, newPublicKey, newToken } from './tokens.ts'

describe('tokens', () => {
  it('have their prefix, 43 random characters and a valid checksum', () => {
    for (const prefix of ['sk_dev_', 'sk_prod_', 'op_', 'a1_']) {
      const token = newToken(prefix)
      assert.ok(token.startsWith(prefix))
      assert.match(token.slice(prefix.length), /^[0-9A-Za-z]{49}$/)
      assert.ok(hasValidChecksum(token))
    }
  })

  it('have the CRC-32 of the preceding characters as checksum', () => {
    // Computed with another implementation of CRC-32.
    assert.ok(hasValidChecksum(`sk_dev_${'0'.repeat(43)}25z9L2`))
  })

  it('become invalid when any character is changed, dropped, added or swapped with its neighbour', () => {
    const token = newToken('sk_dev_')
    for (let index = 0; index < token.length; index++) {
      const [head, character, tail] = [token.slice(0, index), token.charAt(index), token.slice(index + 1)]
      for (const other of `${base62}_- `) {
        if (other !== character) assert.equal(hasValidChecksum(head + other + tail), false)
        if (index > 7) assert.equal(hasValidChecksum(head + other + character + tail), false)
      }
      assert.equal(hasValidChecksum(head + tail), false)
      const next = tail.charAt(0)
      if (next !== '' && next !== character)
        assert.equal(hasValidChecksum(head + next + character + tail.slice(1)), false)
    }
  })

  it('are never valid by accident, whatever the text', () => {
    fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => !hasValidChecksum(text)))
    assert.equal(hasValidChecksum(`${newToken('sk_dev_')}\n`), false)
    assert.equal(hasValidChecksum(`sk_${'a'.repeat(1_000_000)}`), false)
  })

  it('do not repeat', () => {
    assert.equal(new Set(Array.from({ length: 10_000 }, () => newToken('sk_dev_'))).size, 10_000)
    assert.equal(new Set(Array.from({ length: 10_000 }, () => newPublicKey('pk_dev_'))).size, 10_000)
  })

  it('refuse a prefix that they could not be recognised by', () => {
    for (const prefix of ['', 'sk', 'SK_', '_', 'sk-', `${'a'.repeat(40)}_`]) {
      assert.throws(() => newToken(prefix), RangeError)
    }
  })
})

describe('newPublicKey', () => {
  it('has 131 random bits behind its prefix', () => {
    assert.match(newPublicKey('pk_dev_'), /^pk_dev_[0-9A-Za-z]{22}$/)
  })
})

describe('hashToken', () => {
  it('is SHA-256 in hexadecimal', () => {
    assert.equal(hashToken('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})

describe('isEqual', () => {
  it('agrees with ===, on ill-formed texts too', () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('\ud800', '\udc00', 'a', '\ufffd') }))
    fc.assert(fc.property(text, text, (a, b) => isEqual(a, b) === (a === b)))
    fc.assert(fc.property(text, (a) => isEqual(a, `${a} `.slice(0, -1))))
    assert.equal(isEqual('\ud800', '\ud801'), false)
  })
})
