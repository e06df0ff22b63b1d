import assert from 'node:assert/strict'
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { describe, it } from 'node:test'
import { generateSigningKey, keyIdOfPublicKey } from './signing-keys.ts'

const message = Buffer.from('header.claims')

describe('generateSigningKey', () => {
  it('makes a P-256 pair whose halves belong together', async () => {
    const { publicPem, privatePem } = await generateSigningKey()
    assert.match(publicPem, /^-----BEGIN PUBLIC KEY-----\n/)
    assert.match(privatePem, /^-----BEGIN PRIVATE KEY-----\n/)
    assert.equal(createPrivateKey(privatePem).asymmetricKeyDetails?.namedCurve, 'prime256v1')
    const signature = sign('sha256', message, { key: privatePem, dsaEncoding: 'ieee-p1363' })
    assert.equal(signature.length, 64)
    assert.ok(verify('sha256', message, { key: publicPem, dsaEncoding: 'ieee-p1363' }, signature))
  })

  it('names it by its thumbprint and makes another one each time', async () => {
    const [one, other] = await Promise.all([generateSigningKey(), generateSigningKey()])
    assert.match(one.kid, /^[\w-]{43}$/)
    assert.equal(one.kid, keyIdOfPublicKey(one.publicPem))
    assert.notEqual(one.kid, other.kid)
    assert.notEqual(one.privatePem, other.privatePem)
  })
})

describe('keyIdOfPublicKey', () => {
  it('is the RFC 7638 thumbprint: the key of RFC 9449 §4.1 has the one of its §6.1', () => {
    const x = 'l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs'
    const y = '9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA'
    const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
    const publicPem = key.export({ type: 'spki', format: 'pem' }).toString()
    assert.equal(keyIdOfPublicKey(publicPem), '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I')
  })

  it('refuses keys of another kind', () => {
    for (const pair of [generateKeyPairSync('ed25519'), generateKeyPairSync('ec', { namedCurve: 'P-384' })]) {
      const publicPem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()
      assert.throws(() => keyIdOfPublicKey(publicPem), RangeError)
    }
  })
})
