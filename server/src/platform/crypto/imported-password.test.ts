import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ImportedPasswordHash } from '@bailiwick/contract'
import fc from 'fast-check'
import { encodeImportedHash } from './imported-hash.ts'
import { unmatchable, verifyImportedPassword } from './imported-password.ts'
import { costOf, parametersOf } from './password-cost.ts'

const fromHex = (hex: string) => Buffer.from(hex, 'hex').toString('base64')
const base64 = (text: string) => Buffer.from(text).toString('base64')

/** Published by the authors of the algorithms, not by us. */
const vectors: readonly (readonly [source: string, password: string, ImportedPasswordHash])[] = [
  [
    'argon2id: phc-winner-argon2, src/test.c',
    'password',
    {
      algorithm: 'argon2id',
      hash: '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
    },
  ],
  [
    'bcrypt: openwall, $2a$',
    'U*U*U',
    { algorithm: 'bcrypt', hash: '$2a$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a' },
  ],
  [
    'bcrypt: openwall, 72 bytes of which the 73rd and later never counted',
    '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789chars after 72 are ignored',
    { algorithm: 'bcrypt', hash: '$2a$05$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui' },
  ],
  [
    'scrypt: RFC 7914 §12',
    'pleaseletmein',
    {
      algorithm: 'scrypt',
      hash: fromHex(
        '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887',
      ),
      salt: base64('SodiumChloride'),
      params: { cost: 16384, blockSize: 8, parallelism: 1 },
    },
  ],
  [
    'scrypt: passlib',
    'password',
    {
      algorithm: 'scrypt',
      hash: '$scrypt$ln=10,r=8,p=16$TmFDbA$/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3MWIurzDZLiKjiG/xCSedmDDaxyevuUqD7m2DYMvfoswGQA',
    },
  ],
  [
    'firebase-scrypt: github.com/firebase/scrypt, README',
    'user1password',
    {
      algorithm: 'firebase-scrypt',
      hash: 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
      salt: '42xEC+ixf3L2lw==',
      params: {
        signerKey: 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
        saltSeparator: 'Bw==',
        rounds: 8,
        memCost: 14,
      },
    },
  ],
  [
    'pbkdf2-sha256: RFC 7914 §11',
    'Password',
    {
      algorithm: 'pbkdf2-sha256',
      hash: fromHex(
        '4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d',
      ),
      salt: base64('NaCl'),
      params: { iterations: 80000 },
    },
  ],
  [
    'pbkdf2-sha256: passlib',
    'password',
    {
      algorithm: 'pbkdf2-sha256',
      hash: '$pbkdf2-sha256$8000$XAuBMIYQQogxRg$tRRlz8hYn63B9LYiCd6PRo6FMiunY9ozmMMI3srxeRE',
    },
  ],
  [
    'pbkdf2-sha256: Django, tests/auth_tests/test_hashers.py',
    'lètmein',
    {
      algorithm: 'pbkdf2-sha256',
      hash: 'pbkdf2_sha256$260000$seasalt$YlZ2Vggtqdc61YjArZuoApoBh9JNGYoDRBUGu6tcJQo=',
    },
  ],
  [
    'pbkdf2-sha512',
    'password',
    {
      algorithm: 'pbkdf2-sha512',
      hash: fromHex(
        '867f70cf1ade02cff3752599a3a53dc4af34c7a669815ae5d513554e1c8cf252c02d470a285a0501bad999bfe943c08f050235d7d68b1da55e63f73b60a57fce',
      ),
      salt: base64('salt'),
      params: { iterations: 1 },
    },
  ],
]

function encoded(given: ImportedPasswordHash): string {
  const result = encodeImportedHash(given)
  assert.ok('encoded' in result, JSON.stringify(result))
  return result.encoded
}

const bcryptHash = '$2a$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a'
const key = fromHex('00'.repeat(32))

describe('imported passwords', () => {
  for (const [source, password, given] of vectors) {
    it(`verifies the published vector of ${source}`, async () => {
      const stored = encoded(given)
      assert.equal(await verifyImportedPassword(stored, password), true)
      for (const wrong of [
        `x${password}`,
        password.slice(1),
        password.toUpperCase() + password.toLowerCase(),
        'pw\ud800',
      ]) {
        assert.equal(await verifyImportedPassword(stored, wrong), false, wrong)
      }
    })
  }

  it('tries what was typed first, then its NFKC form', async () => {
    const decomposed = 'le\u0300tmein'
    const composed = 'l\u00e8tmein'
    const stored = encoded({
      algorithm: 'pbkdf2-sha256',
      hash: 'pbkdf2_sha256$260000$seasalt$YlZ2Vggtqdc61YjArZuoApoBh9JNGYoDRBUGu6tcJQo=',
    })
    assert.equal(await verifyImportedPassword(stored, composed), true)
    assert.equal(await verifyImportedPassword(stored, decomposed), true)
  })

  it('answers many at once, even if some are wrong', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => verifyImportedPassword(bcryptHash, n % 2 === 0 ? 'U*U*U' : `U*U*U${n}`)),
    )
    assert.deepEqual(
      answers,
      answers.map((_, n) => n % 2 === 0),
    )
  })

  const refused: readonly (readonly [what: string, given: ImportedPasswordHash, path: string])[] = [
    [
      'argon2i',
      { algorithm: 'argon2id', hash: '$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6' },
      '/hash',
    ],
    ['bcrypt cut short', { algorithm: 'bcrypt', hash: bcryptHash.slice(0, -1) }, '/hash'],
    ['the broken $2x$', { algorithm: 'bcrypt', hash: bcryptHash.replace('$2a$', '$2x$') }, '/hash'],
    ['scrypt without its cost', { algorithm: 'scrypt', hash: key, salt: 'AAAA' }, '/params/cost'],
    ['scrypt of an odd cost', { algorithm: 'scrypt', hash: key, salt: 'AAAA', params: { cost: 1000 } }, '/params'],
    ['scrypt without a salt', { algorithm: 'scrypt', hash: key, params: { cost: 1024 } }, '/salt'],
    ['pbkdf2 without iterations', { algorithm: 'pbkdf2-sha256', hash: key, salt: 'AAAA' }, '/params/iterations'],
    [
      'a hash of another digest than named',
      { algorithm: 'pbkdf2-sha512', hash: '$pbkdf2-sha256$6400$0ZrzXitFSGltTQnBWOsdeQ$Y11AchqV4b0sUisdZd0Xr9' },
      '/hash',
    ],
    [
      'a hash of 8 bytes',
      { algorithm: 'pbkdf2-sha256', hash: 'AAAAAAAAAAA', salt: 'AAAA', params: { iterations: 1 } },
      '/hash',
    ],
    [
      'what is not base64',
      { algorithm: 'pbkdf2-sha256', hash: `${key}!`, salt: 'AAAA', params: { iterations: 1 } },
      '/hash',
    ],
    [
      'firebase-scrypt without a signer key',
      { algorithm: 'firebase-scrypt', hash: key, salt: 'AAAA', params: { rounds: 8, memCost: 14 } },
      '/params/signerKey',
    ],
  ]
  for (const [what, given, path] of refused) {
    it(`refuses ${what}`, () => {
      const result = encodeImportedHash(given)
      assert.ok('issue' in result, JSON.stringify(result))
      assert.deepEqual([result.issue.path, result.issue.code], [path, 'invalid_hash'])
    })
  }

  const argon2 = (m: number, t: number): ImportedPasswordHash => ({
    algorithm: 'argon2id',
    hash: `$argon2id$v=19$m=${m},t=${t},p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc`,
  })
  const ofBcrypt = (cost: number): ImportedPasswordHash => ({
    algorithm: 'bcrypt',
    hash: bcryptHash.replace('$05$', `$${cost}$`),
  })
  const scrypt = (cost: number, blockSize: number, parallelism: number): ImportedPasswordHash => ({
    algorithm: 'scrypt',
    hash: key,
    salt: 'AAAA',
    params: { cost, blockSize, parallelism },
  })
  const scryptText = (ln: number, r: number, p: number): ImportedPasswordHash => ({
    algorithm: 'scrypt',
    hash: `$scrypt$ln=${ln},r=${r},p=${p}$AAAA$${key}`,
  })
  const pbkdf2 = (digest: 'sha256' | 'sha512', iterations: number, bytes: number): ImportedPasswordHash => ({
    algorithm: `pbkdf2-${digest}`,
    hash: fromHex('00'.repeat(bytes)),
    salt: 'AAAA',
    params: { iterations },
  })
  const django = (iterations: number): ImportedPasswordHash => ({
    algorithm: 'pbkdf2-sha256',
    hash: `pbkdf2_sha256$${iterations}$seasalt$${key}`,
  })
  /** The most expensive hash that is accepted, and the next one, which is not. */
  const bounds: readonly (readonly [ImportedPasswordHash, ImportedPasswordHash, path: string, rule: string])[] = [
    [argon2(262_144, 8), argon2(262_145, 1), '/hash', 'm must be at most 262144'],
    [argon2(65_536, 32), argon2(65_536, 33), '/hash', 'm·t must be at most 2097152'],
    [ofBcrypt(14), ofBcrypt(15), '/hash', 'cost must be at most 14'],
    [ofBcrypt(14), ofBcrypt(31), '/hash', 'cost must be at most 14'],
    [scrypt(2 ** 18, 8, 1), scrypt(2 ** 19, 8, 1), '/params', 'N·r·p must be at most 2097152'],
    [scrypt(2 ** 14, 8, 16), scrypt(2 ** 14, 8, 17), '/params', 'N·r·p must be at most 2097152'],
    [scryptText(17, 8, 2), scryptText(17, 8, 3), '/hash', 'N·r·p must be at most 2097152'],
    [pbkdf2('sha256', 3_000_000, 32), pbkdf2('sha256', 3_000_001, 32), '/params', 'iterations must be at most 3000000'],
    [pbkdf2('sha256', 1_500_000, 33), pbkdf2('sha256', 1_500_001, 33), '/params', 'iterations must be at most 1500000'],
    [pbkdf2('sha512', 2_000_000, 64), pbkdf2('sha512', 2_000_001, 64), '/params', 'iterations must be at most 2000000'],
    [
      pbkdf2('sha512', 1_000_000, 128),
      pbkdf2('sha512', 1_000_001, 128),
      '/params',
      'iterations must be at most 1000000',
    ],
    [django(1_200_000), django(3_000_001), '/hash', 'iterations must be at most 3000000'],
  ]
  for (const [dearest, tooDear, path, rule] of bounds) {
    it(`takes ${dearest.algorithm} up to the bound on its cost, and says of more that ${rule}: ${JSON.stringify(tooDear.params ?? tooDear.hash.slice(0, 30))}`, () => {
      encoded(dearest)
      const message = `takes too long to verify: ${rule}`
      assert.deepEqual(encodeImportedHash(tooDear), { issue: { path, code: 'hash_too_expensive', message } })
    })
  }

  // Guards: slow-hashes
  it('takes about a second to verify at most, as estimated', () => {
    for (const [dearest, tooDear] of bounds) {
      const { ms, memoryKib } = costOf(parametersOf(encoded(dearest)))
      assert.ok(ms > 0 && ms <= 1100 && memoryKib <= 262_144, `${JSON.stringify(tooDear)}: ${ms}`)
    }
  })

  it('has for each form a hash of the same parameters and length that no password matches', async () => {
    for (const [source, password, given] of vectors) {
      const stored = encoded(given)
      const nobodys = unmatchable(stored)
      assert.notEqual(nobodys, stored, source)
      assert.equal(nobodys.length, stored.length, source)
      assert.deepEqual(parametersOf(nobodys), parametersOf(stored), source)
      assert.equal(await verifyImportedPassword(nobodys, password), false, source)
    }
  })

  it('never throws, whatever is sent as a hash', () => {
    const algorithms = ['argon2id', 'bcrypt', 'scrypt', 'firebase-scrypt', 'pbkdf2-sha256', 'pbkdf2-sha512'] as const
    fc.assert(
      fc.property(fc.constantFrom(...algorithms), fc.string({ minLength: 1 }), fc.string(), (algorithm, hash, salt) => {
        const result = encodeImportedHash({ algorithm, hash, salt })
        assert.ok('issue' in result || 'encoded' in result)
      }),
    )
  })
})
