// Clerk: the CSV of "Export users" in the dashboard's settings. The forms of digests are those of `password_digest` in
// https://clerk.com/docs/reference/backend-api, "Create a new user".
import type { ForeignPassword, ForeignUser } from './foreign-user.ts'
import { csvRecords, fullName } from './records.ts'

type Row = ReturnType<typeof csvRecords>[number]

const hexToBase64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64')
const textToBase64 = (text: string) => Buffer.from(text).toString('base64')

/** `pbkdf2_sha256$iterations$salt$hash`: both in base64 with SHA-256, a plain salt and a hexadecimal hash with SHA-512. */
function pbkdf2(digest: string, hasher: 'pbkdf2_sha256' | 'pbkdf2_sha512' | 'pbkdf2_sha512_hex'): ForeignPassword {
  const [, iterations = '', salt = '', hash = ''] = digest.split('$')
  const params = { iterations: Number(iterations) }
  if (hasher === 'pbkdf2_sha256') return { hash: { algorithm: 'pbkdf2-sha256', hash, salt, params } }
  const encodedSalt = hasher === 'pbkdf2_sha512_hex' ? hexToBase64(salt) : textToBase64(salt)
  return { hash: { algorithm: 'pbkdf2-sha512', hash: hexToBase64(hash), salt: encodedSalt, params } }
}

/** `hash$salt$signer key$salt separator$rounds$memory cost`. */
function scryptFirebase(digest: string): ForeignPassword {
  const [hash = '', salt = '', signerKey = '', saltSeparator = '', rounds = '', memCost = ''] = digest.split('$')
  const params = { signerKey, saltSeparator, rounds: Number(rounds), memCost: Number(memCost) }
  return { hash: { algorithm: 'firebase-scrypt', hash, salt, params } }
}

/** `scrypt:N:r:p$salt$hash`, the salt plain, the hash hexadecimal. */
function scryptWerkzeug(digest: string): ForeignPassword {
  const [method = '', salt = '', hash = ''] = digest.split('$')
  const [, cost, blockSize, parallelism] = method.split(':').map(Number)
  const params = { cost: cost ?? 0, blockSize: blockSize ?? 0, parallelism: parallelism ?? 0 }
  return { hash: { algorithm: 'scrypt', hash: hexToBase64(hash), salt: textToBase64(salt), params } }
}

function passwordOf({ password_digest: digest, password_hasher: hasher = '' }: Row): ForeignPassword | undefined {
  if (digest === undefined) return undefined
  switch (hasher) {
    case 'bcrypt':
    case 'argon2id':
      return { hash: { algorithm: hasher, hash: digest } }
    case 'pbkdf2_sha256_django':
      return { hash: { algorithm: 'pbkdf2-sha256', hash: digest } }
    case 'pbkdf2_sha256':
    case 'pbkdf2_sha512':
    case 'pbkdf2_sha512_hex':
      return pbkdf2(digest, hasher)
    case 'scrypt_firebase':
      return scryptFirebase(digest)
    case 'scrypt_werkzeug':
      return scryptWerkzeug(digest)
    default:
      return { unusable: `hashes made by ${hasher} cannot be imported` }
  }
}

const listOf = (value: string | undefined) => (value ?? '').split(/[|,;]/).flatMap((each) => each.trim() || [])

/** The data of one kind of address in a row: the primary one, whether it is verified, and whether there are more. */
function contactOf(primary: string | undefined, verified: readonly string[], unverified: readonly string[]) {
  const value = primary ?? verified[0] ?? unverified[0]
  const isVerified = value !== undefined && verified.includes(value)
  return { value, isVerified, hasMore: new Set([...verified, ...unverified, ...(primary ? [primary] : [])]).size > 1 }
}

function userOf(row: Row): ForeignUser {
  const email = contactOf(
    row['primary_email_address'],
    listOf(row['verified_email_addresses']),
    listOf(row['unverified_email_addresses']),
  )
  const phone = contactOf(
    row['primary_phone_number'],
    listOf(row['verified_phone_numbers']),
    listOf(row['unverified_phone_numbers']),
  )
  return {
    id: row['id'] ?? '',
    email: email.value,
    emailVerified: email.isVerified,
    phone: phone.value,
    phoneVerified: phone.isVerified,
    username: row['username'],
    name: fullName(row['first_name'], row['last_name']),
    password: passwordOf(row),
    leftBehind: [
      ...(email.hasMore ? ['further e-mail addresses'] : []),
      ...(phone.hasMore ? ['further phone numbers'] : []),
      ...(row['totp_secret'] === undefined ? [] : ['the authenticator app']),
    ],
  }
}

export const clerkUsers = (text: string): readonly ForeignUser[] => csvRecords(text).map(userOf)
