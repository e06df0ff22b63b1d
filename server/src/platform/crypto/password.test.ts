import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hash } from '@node-rs/argon2'
import { hashPassword, needsRehash, verifyPassword } from './password.ts'

const cheap = { memoryCost: 64, timeCost: 1, parallelism: 1 }

describe('passwords', () => {
  it('are kept as argon2id with the parameters of today, salted', async () => {
    const [one, other] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
    assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    assert.notEqual(one, other)
    assert.equal(needsRehash(one), false)
    assert.equal(await verifyPassword(one, 'correct horse'), true)
    assert.equal(await verifyPassword(one, 'Correct horse'), false)
    assert.equal(await verifyPassword(one, 'correct horse '), false)
    assert.equal(await verifyPassword(one, ''), false)
  })

  for (const length of [64, 72, 73, 256]) {
    it(`count to the last of ${length} characters`, async () => {
      const password = 'x'.repeat(length)
      const passwordHash = await hashPassword(password)
      assert.equal(await verifyPassword(passwordHash, `${password.slice(0, -1)}y`), false)
      assert.equal(await verifyPassword(passwordHash, password.slice(0, -1)), false)
      assert.equal(await verifyPassword(passwordHash, password), true)
    })
  }

  it('are the same in every form of the same text', async () => {
    const composed = 'caf\u00e9 \ufb01n \uff21'
    const decomposed = 'cafe\u0301 fin A'
    assert.equal(await verifyPassword(await hashPassword(composed), decomposed), true)
    assert.equal(await verifyPassword(await hashPassword(decomposed), composed), true)
  })

  it('do not end at a NUL', async () => {
    assert.equal(await verifyPassword(await hashPassword('before\0after'), 'before\0other'), false)
  })

  it('are refused when ill-formed, because as UTF-8 two of them would be equal', async () => {
    await assert.rejects(hashPassword('pw\ud800'), RangeError)
    assert.equal(await verifyPassword(await hashPassword('pw\ufffd'), 'pw\ud800'), false)
  })

  it('never match a broken hash', async () => {
    for (const broken of ['', 'plain', '$argon2id$v=19$m=19456,t=2,p=1$$']) {
      await assert.rejects(verifyPassword(broken, broken))
    }
  })
})

describe('needsRehash', () => {
  it('asks for it below the parameters of today, and for other algorithms', async () => {
    assert.equal(needsRehash(await hash('password', cheap)), true)
    assert.equal(needsRehash(await hash('password', { memoryCost: 19_456, timeCost: 1, parallelism: 1 })), true)
    assert.equal(
      needsRehash(await hash('password', { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 16 })),
      true,
    )
    assert.equal(needsRehash('$2b$10$abcdefghijklmnopqrstuv'), true)
    assert.equal(needsRehash('$argon2i$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$aGFzaA'), true)
    assert.equal(needsRehash(''), true)
  })

  it('leaves a stronger hash alone', async () => {
    assert.equal(needsRehash(await hash('password', { memoryCost: 20_000, timeCost: 3, parallelism: 1 })), false)
  })
})
