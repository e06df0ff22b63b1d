import {
  UpdateUser,
  type UserStatus,
  canonicalEmail,
  canonicalPhone,
  emailKey,
  emailRule,
  isEmail,
  isPhone,
  isWebUri,
  phoneRule,
  usernameKey,
  webUriRule,
} from '@bailiwick/contract'
import { type ColumnRule, anId, canonical, derived, fieldsOf } from '../../platform/db/accepted.ts'
import { flag, id, json, many, record, text, time } from '../../platform/db/columns.ts'
import { sql } from '../../platform/db/sql.ts'
import { table } from '../../platform/db/table.ts'
import type { EmailAddressId, PhoneNumberId, RoleId, UserId } from '../../platform/ids.ts'
import { roleUsersCounter } from '../../tenancy/roles/tables.ts'
import { nameKeys } from '../search/search-keys.ts'

const ofRole = (status: 'suspended' | 'inactive') => ({
  where: sql`status = ${status} AND role_id IS NOT NULL`,
  by: 'role_id',
  counter: (roleId: string) => `${roleUsersCounter(roleId)}:${status}`,
})

/** The counter of the users who have not signed up yet. */
export const anonymousCounter = 'users:anonymous'

/** That of a picture that the user uploaded is made anew. */
const imageUri: ColumnRule = {
  rule: webUriRule,
  test: (value, row) => typeof row['picture_id'] === 'string' || (typeof value === 'string' && isWebUri(value)),
}

export const users = table(
  'users',
  {
    ...record<UserId>(),
    ...many(text().nullable(), 'name', 'username', 'image_uri', 'first_name', 'last_name', 'timezone', 'locale'),
    /** The key by which a user is found; never shown. */
    ...many(text().nullable(), 'name_key', 'last_word_key', 'username_key'),
    /** The terms by which the user is found beside those keys; null until they are stored. See search/terms.ts. */
    search_terms: text().nullable(),
    /** The file of the picture that the user uploaded, to which `image_uri` leads. */
    picture_id: text().nullable(),
    status: text<UserStatus>(),
    role_id: id<RoleId>().nullable(),
    primary_email_id: id<EmailAddressId>().nullable(),
    primary_phone_id: id<PhoneNumberId>().nullable(),
    ...many(json(), 'public_meta', 'private_meta'),
    /** Personal data in events is sealed under a key that is derived from this salt: once the salt is gone, nobody can read them. */
    personal_salt: text(),
    ...many(time().nullable(), 'last_sign_in_at', 'last_active_at'),
    /** When the user loses the role. Rights are compared with the time. */
    role_expires_at: time().nullable(),
    /** 1 if the user has not signed up yet. */
    is_anonymous: flag().default(0),
  },
  {
    refusals: { users_username_key: 'username_taken' },
    counted: [
      { counter: 'users' },
      { where: sql`status <> 'active'`, by: 'status', counter: (status) => `users:${status}` },
      { where: sql`is_anonymous = 1`, counter: anonymousCounter },
      { where: sql`role_id IS NOT NULL`, by: 'role_id', counter: roleUsersCounter },
      ofRole('suspended'),
      ofRole('inactive'),
    ],
    // A salt is only useful together with the events, which an export does not contain. Terms are stored after an import.
    madeAnew: ['personal_salt', 'search_terms'],
    accepts: {
      ...fieldsOf(UpdateUser),
      name_key: derived('name', (name) => nameKeys(name).name_key),
      last_word_key: derived('name', (name) => nameKeys(name).last_word_key),
      username_key: derived('username', usernameKey),
      picture_id: anId,
      image_uri: imageUri,
    },
  },
)

const contact = {
  user_id: id<UserId>(),
  verified_at: time().nullable(),
  /** 1 if the contact was entered at sign-up and not yet verified, else 0. */
  is_claimed: flag().default(0),
}

export const emailAddresses = table(
  'email_addresses',
  { ...record<EmailAddressId>(), ...contact, email: text(), email_key: text() },
  {
    refusals: { email_addresses_key: 'email_taken' },
    counted: [{ counter: 'email_addresses' }],
    accepts: { email: canonical(emailRule, isEmail, canonicalEmail), email_key: derived('email', emailKey) },
  },
)

export const phoneNumbers = table(
  'phone_numbers',
  { ...record<PhoneNumberId>(), ...contact, phone: text() },
  {
    refusals: { phone_numbers_key: 'phone_taken' },
    counted: [{ counter: 'phone_numbers' }],
    accepts: { phone: canonical(phoneRule, isPhone, canonicalPhone) },
  },
)

export const contactCandidates = table(
  'contact_candidates',
  {
    ...record<string>(),
    user_id: id<UserId>(),
    kind: text<'email' | 'phone'>(),
    ...many(text(), 'value', 'value_key'),
    expires_at: time(),
  },
  { notExported: 'they expire within a day' },
)
