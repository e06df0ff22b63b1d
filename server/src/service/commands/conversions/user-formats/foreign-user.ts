// A user in the export of another service, and the line of an import that is made from it.
import {
  type ImportedPasswordHash,
  type ImportedUser,
  codePointLength,
  isEmail,
  isPhone,
  isUsername,
} from '@bailiwick/contract'
import { encodeImportedHash } from '../../../../platform/crypto/imported-hash.ts'

const nameLengthMax = 256

/** A password hash that an import accepts, or why this kind of hash cannot be imported. */
export type ForeignPassword = { readonly hash: ImportedPasswordHash } | { readonly unusable: string }

export interface ForeignUser {
  /** The user's id at the other service. It is stored as `previousId` in privateMeta. */
  readonly id: string
  readonly email?: string | undefined
  readonly emailVerified?: boolean
  readonly phone?: string | undefined
  readonly phoneVerified?: boolean
  readonly username?: string | undefined
  readonly name?: string | undefined
  readonly isDisabled?: boolean
  readonly createdAt?: Date | undefined
  /** Stored in privateMeta. */
  readonly meta?: Readonly<Record<string, unknown>>
  /** Undefined for a user who has no password there. */
  readonly password: ForeignPassword | undefined
  /** Data that an import cannot contain, such as `further e-mail addresses`. */
  readonly leftBehind?: readonly string[]
}

export interface ConvertedUser {
  readonly line: ImportedUser
  /** The data that is left behind, in the same words for all users affected. */
  readonly notes: readonly string[]
}

/** Returns the hash if the import will accept it, otherwise the reason. */
function passwordOf(password: ForeignPassword | undefined): ForeignPassword | undefined {
  if (password === undefined || 'unusable' in password) return password
  const result = encodeImportedHash(password.hash)
  return 'issue' in result ? { unusable: `${password.hash.algorithm} ${result.issue.message}` } : password
}

/** Returns the value if a line may contain it; otherwise notes that it is left behind. */
function kept(value: string | undefined, isGood: (value: string) => boolean, what: string, notes: string[]) {
  if (value === undefined || isGood(value)) return value
  notes.push(`${what} that is not valid for this service`)
  return undefined
}

const isName = (value: string) => value.trim() !== '' && codePointLength(value) <= nameLengthMax

/** Makes the line of an import. Values that the import would refuse are left out and noted, so that the user is still imported. */
export function convertUser(foreign: ForeignUser): ConvertedUser {
  const notes = [...(foreign.leftBehind ?? [])]
  const password = passwordOf(foreign.password)
  if (password !== undefined && 'unusable' in password) notes.push(`the password: ${password.unusable}`)
  const email = kept(foreign.email, isEmail, 'an e-mail address', notes)
  const phone = kept(foreign.phone, isPhone, 'a phone number', notes)
  // Services in which people sign in with their address repeat it as the username.
  const ownUsername = foreign.username === foreign.email ? undefined : foreign.username
  const username = kept(ownUsername, isUsername, 'a username', notes)
  const name = kept(foreign.name, isName, 'a name', notes)
  const { createdAt } = foreign
  const line: ImportedUser = {
    ...(email === undefined ? {} : { email, emailVerified: foreign.emailVerified === true }),
    ...(phone === undefined ? {} : { phone, phoneVerified: foreign.phoneVerified === true }),
    ...(username === undefined ? {} : { username }),
    ...(name === undefined ? {} : { name }),
    ...(foreign.isDisabled === true ? { status: 'suspended' } : {}),
    ...(createdAt === undefined ? {} : { createdAt: createdAt.toISOString() }),
    privateMeta: { previousId: foreign.id, ...foreign.meta },
    ...(password !== undefined && 'hash' in password ? { passwordHash: password.hash } : {}),
  }
  return { line, notes }
}
