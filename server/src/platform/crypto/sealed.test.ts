import assert from 'node:assert/strict'
import { createDecipheriv, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type MasterKey, parseMasterKey } from './master-key.ts'
import { SealError, createSealer, keyIdOf } from './sealed.ts'

const newKey = (): MasterKey => parseMasterKey(randomBytes(32).toString('base64'))
const [older, newer] = [newKey(), newKey()]
const sealer = createSealer([newer, older])
const row = 'social_providers:ctenant:cprovider:sealed_secret'
const wellFormed = fc.string({ unit: 'binary' })

describe('sealed secrets', () => {
  it('opens what it sealed, whatever the text', () => {
    fc.assert(
      fc.property(wellFormed, fc.string(), (text, anyRow) => sealer.open(sealer.seal(text, anyRow), anyRow) === text),
    )
  })

  it('refuses every change of a single byte', () => {
    const sealed = sealer.seal('client secret', row)
    const alphabet = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))
    for (let index = 0; index < sealed.length; index++) {
      for (const character of alphabet) {
        const mutated = sealed.slice(0, index) + character + sealed.slice(index + 1)
        if (mutated !== sealed) assert.throws(() => sealer.open(mutated, row), SealError, mutated)
      }
    }
  })

  it('refuses a text that was cut or extended', () => {
    const sealed = sealer.seal('', row)
    for (let length = 0; length < sealed.length; length++) {
      assert.throws(() => sealer.open(sealed.slice(0, length), row), SealError)
    }
    for (const extra of ['A', 'AA', 'AAAA', '=', '\n', ' '])
      assert.throws(() => sealer.open(sealed + extra, row), SealError)
  })

  it('refuses another row', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        fc.pre(one !== other)
        assert.throws(() => sealer.open(sealer.seal('text', one), other), { name: 'SealError', code: 'refused' })
      }),
    )
  })

  it('never seals the same text the same way', () => {
    assert.equal(new Set(Array.from({ length: 1000 }, () => sealer.seal('text', row))).size, 1000)
  })

  it('seals with the first key, opens with all, and names the key', () => {
    const sealed = createSealer([older]).seal('text', row)
    assert.equal(keyIdOf(sealed), older.id)
    assert.equal(keyIdOf(sealer.seal('text', row)), newer.id)
    assert.equal(sealer.open(sealed, row), 'text')
    assert.throws(() => createSealer([newer]).open(sealed, row), { code: 'unknown_key' })
    assert.throws(() => keyIdOf('v1.junk'), { code: 'malformed' })
  })

  it('refuses a text whose key id was exchanged, even for the same key', () => {
    const [one, other] = [
      { ...newer, id: 'one' },
      { ...newer, id: 'other' },
    ]
    const sealed = createSealer([one, other]).seal('text', row)
    assert.throws(() => createSealer([one, other]).open(sealed.replace('v1.one.', 'v1.other.'), row), {
      code: 'refused',
    })
  })

  it('does not use the master key itself', () => {
    const sealed = createSealer([newer]).seal('text', row)
    const bytes = Buffer.from(sealed.split('.')[2] ?? '', 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', newer.key, bytes.subarray(0, 12), { authTagLength: 16 })
    decipher.setAAD(Buffer.from(`v1\0${newer.id}\0${row}`)).setAuthTag(bytes.subarray(-16))
    decipher.update(bytes.subarray(12, -16))
    assert.throws(() => decipher.final())
  })

  it('refuses to seal a text that would not come back the same', () => {
    assert.throws(() => sealer.seal('lone \ud800', row), { code: 'malformed' })
  })

  it('refuses master keys that are missing, short, doubled or badly named', () => {
    assert.throws(() => createSealer([]), RangeError)
    assert.throws(() => createSealer([{ id: 'short', key: randomBytes(16) }]), RangeError)
    assert.throws(() => createSealer([newer, newer]), RangeError)
    assert.throws(() => createSealer([{ id: 'a.b', key: randomBytes(32) }]), RangeError)
  })

  it('says nothing of the text in its errors', () => {
    const sealed = sealer.seal('text', row)
    assert.throws(
      () => sealer.open(sealed, 'elsewhere'),
      (error: Error) => !error.message.includes(sealed) && !error.message.includes('elsewhere'),
    )
  })
})
