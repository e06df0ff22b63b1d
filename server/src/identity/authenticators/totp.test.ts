import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Secret } from 'otpauth'
import { isTotpShaped, loadTotp } from './totp.ts'

const { newSecret, uriOf, matchingStep } = await loadTotp()

/** RFC 6238 appendix B; apps show the last six of its eight digits. */
const secret = Secret.fromLatin1('12345678901234567890').base32
const vectors = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const

describe('codes of authenticator apps', () => {
  it('are those of RFC 6238', () => {
    for (const [seconds, code] of vectors) {
      assert.equal(matchingStep(secret, code, seconds * 1000, 0), Math.floor(seconds / 30))
    }
  })

  // Guards: asvs-lifetimes, asvs-time
  it('are valid in their step and the next one only, and not once that or a later one was accepted', () => {
    const step = 66_666_666
    const at = (steps: number) => (step + steps) * 30_000
    const code = '279037'
    assert.equal(matchingStep(secret, code, at(0), 0), step)
    assert.equal(matchingStep(secret, code, at(1) + 29_999, 0), step)
    assert.equal(matchingStep(secret, code, at(2), 0), undefined)
    assert.equal(matchingStep(secret, code, at(-1), 0), undefined)
    assert.equal(matchingStep(secret, code, at(0), step - 1), step)
    assert.equal(matchingStep(secret, code, at(0), step), undefined)
    assert.equal(matchingStep(secret, code, at(0), step + 1), undefined)
  })

  it('are six digits', () => {
    for (const code of ['12345', '1234567', '12345a', '１２３４５６', '', ' 12345'])
      assert.ok(!isTotpShaped(code), code)
    assert.ok(isTotpShaped('000000'))
  })
})

describe('a new secret', () => {
  // Guards: asvs-random, asvs-entropy
  it('has 160 bits, differs each time, and has an address that apps understand', () => {
    const made = newSecret()
    assert.equal(Secret.fromBase32(made).bytes.length, 20)
    assert.notEqual(made, newSecret())
    const uri = new URL(uriOf(made, 'Acme: Sons', 'ada@acme.example'))
    assert.equal(uri.protocol, 'otpauth:')
    assert.equal(uri.searchParams.get('secret'), made)
    assert.equal(uri.searchParams.get('issuer'), 'Acme  Sons')
    assert.equal(uri.searchParams.get('digits'), '6')
    assert.equal(uri.searchParams.get('period'), '30')
  })
})
