// Better Auth: users of its database with the password of their account `credential`, one JSON object a line, as the query in
// docs/importing-users.md writes them.
import type { ForeignPassword, ForeignUser } from './foreign-user.ts'
import { type Json, isTrueAt, recordsOf, textAt, timeAt } from './records.ts'

/** The parameters of its hashes: scrypt with the salt's hexadecimal text as the salt (better-auth, crypto/password). */
const params = { cost: 16_384, blockSize: 16, parallelism: 1 } as const
const ownHash = /^([0-9a-f]{32}):([0-9a-f]{128})$/i

function passwordOf(record: Json): ForeignPassword | undefined {
  const text = textAt(record, 'password')
  if (text === undefined) return undefined
  const [, salt, key] = ownHash.exec(text) ?? []
  if (salt !== undefined && key !== undefined) {
    const hash = Buffer.from(key, 'hex').toString('base64')
    return { hash: { algorithm: 'scrypt', hash, salt: Buffer.from(salt).toString('base64'), params } }
  }
  // A program may configure its own hash with Better Auth; these two forms identify themselves.
  if (text.startsWith('$argon2id$')) return { hash: { algorithm: 'argon2id', hash: text } }
  if (/^\$2[aby]\$/.test(text)) return { hash: { algorithm: 'bcrypt', hash: text } }
  return { unusable: 'the hash has an unknown format' }
}

function userOf(record: Json): ForeignUser {
  return {
    // If the database numbers its rows, ids are numbers.
    id: textAt(record, 'id') ?? JSON.stringify(record['id'] ?? ''),
    email: textAt(record, 'email'),
    emailVerified: isTrueAt(record, 'emailVerified'),
    phone: textAt(record, 'phoneNumber'),
    phoneVerified: isTrueAt(record, 'phoneNumberVerified'),
    username: textAt(record, 'username'),
    name: textAt(record, 'name'),
    isDisabled: isTrueAt(record, 'banned'),
    createdAt: timeAt(record, 'createdAt'),
    password: passwordOf(record),
    leftBehind: isTrueAt(record, 'twoFactorEnabled') ? ['the authenticator app'] : [],
  }
}

export const betterAuthUsers = (text: string): readonly ForeignUser[] => recordsOf(text).map(userOf)
