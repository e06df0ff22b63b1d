// Cheap password hashes for tests that are about something else: Argon2 would take most of their time.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { verifyImportedPassword } from '../../../src/platform/crypto/imported-password.ts'
import { type PasswordAlgorithms, createPasswordPool } from '../../../src/platform/crypto/password-pool.ts'
import { nobodysHash, verifyPassword } from '../../../src/platform/crypto/password.ts'

/** Every salt that is made here begins with this, so that real hashes are verified as such. */
const mark = Buffer.from('of tests')
const form = /^(\$argon2id\$v=19\$m=19456,t=2,p=1\$)([^$]{22})\$([^$]{43})$/
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '')
const digestOf = (salt: Uint8Array, password: string) =>
  createHmac('sha256', salt).update(password.normalize('NFKC')).digest()

/** They look like Argon2 hashes with the usual parameters, but are an HMAC. */
const cheapAlgorithms: PasswordAlgorithms = {
  async hash(password) {
    if (!password.isWellFormed()) throw new RangeError('a password must be well-formed Unicode')
    const salt = Buffer.concat([mark, randomBytes(8)])
    const [, parameters = ''] = form.exec(nobodysHash) ?? []
    return `${parameters}${base64(salt)}$${base64(digestOf(salt, password))}`
  },
  async verify({ kind, encoded }, password) {
    if (kind === 'imported') return verifyImportedPassword(encoded, password)
    if (encoded === nobodysHash) return false
    const [, , saltText = '', digest = ''] = form.exec(encoded) ?? []
    const salt = Buffer.from(saltText, 'base64')
    if (!salt.subarray(0, mark.length).equals(mark)) return verifyPassword(encoded, password)
    return password.isWellFormed() && timingSafeEqual(Buffer.from(digest, 'base64'), digestOf(salt, password))
  },
}

const limits = { concurrency: 3, queueMax: 64 } as const

export const cheapPasswords = () => ({ passwordPool: createPasswordPool({ ...limits, algorithms: cheapAlgorithms }) })

/** For tests of the hashes themselves, which pass it to `startTestService` or `describeService`. */
export const realPasswords = () => ({ passwordPool: createPasswordPool(limits) })
