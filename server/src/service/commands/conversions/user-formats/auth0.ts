// Auth0: the file with password hashes that its support sends on request, one JSON object a line (https://support.auth0.com, "How to Use
// the Password Hashes Export from Auth0"). Other exports of Auth0 contain no passwords.
import type { ForeignPassword, ForeignUser } from './foreign-user.ts'
import { type Json, assertRecords, fullName, isRecord, isTrueAt, recordsOf, textAt } from './records.ts'

/** `{"_id": {"$oid": "…"}}`, a text, or the id that the user was given by its database. */
function idOf(record: Json): string {
  const { _id: id } = record
  const objectId = isRecord(id) ? textAt(id, '$oid') : textAt(record, '_id')
  return `auth0|${textAt(record, 'alt_id') ?? objectId ?? ''}`
}

/** Users of connections with flexible identifiers have their addresses only in a list. */
function identifierOf(record: Json, type: string): Json | undefined {
  const { identifiers } = record
  return Array.isArray(identifiers)
    ? assertRecords(identifiers, 'identifiers').find((identifier) => identifier['type'] === type)
    : undefined
}

function passwordOf(record: Json): ForeignPassword | undefined {
  const hash = textAt(record, 'passwordHash')
  if (hash !== undefined) return { hash: { algorithm: 'bcrypt', hash } }
  return 'custom_password_hash' in record
    ? { unusable: 'a custom_password_hash cannot be converted; the user has not signed in since the import into Auth0' }
    : undefined
}

function userOf(record: Json): ForeignUser {
  const email = identifierOf(record, 'email')
  const phone = identifierOf(record, 'phone')
  return {
    id: idOf(record),
    email: textAt(record, 'email') ?? (email && textAt(email, 'value')),
    emailVerified: isTrueAt(record, 'email_verified') || (email !== undefined && isTrueAt(email, 'verified')),
    phone: textAt(record, 'phone_number') ?? (phone && textAt(phone, 'value')),
    phoneVerified: isTrueAt(record, 'phone_verified') || (phone !== undefined && isTrueAt(phone, 'verified')),
    username: textAt(record, 'username'),
    name: textAt(record, 'name') ?? fullName(textAt(record, 'given_name'), textAt(record, 'family_name')),
    isDisabled: isTrueAt(record, 'blocked'),
    password: passwordOf(record),
    leftBehind: 'mfa_factors' in record ? ['further factors'] : [],
  }
}

export const auth0Users = (text: string): readonly ForeignUser[] => recordsOf(text).map(userOf)
