// Bulk imports and exports of users, and the export of all data about one user.
import type { Static } from 'typebox'
import {
  array,
  boolean,
  id,
  integer,
  metaJson,
  nullableText,
  nullableTimestamp,
  object,
  oneOf,
  optional,
  text,
  timestamp,
} from '../../schema.ts'
import { Type } from '../../type.ts'
import { Grant } from '../application.ts'
import { UserConnection, UserConnectionSignIn } from '../enterprise/connection.ts'
import { ProvisionedUser } from '../enterprise/scim.ts'
import { Event } from '../tenancy/event.ts'
import { SignInAttemptWithFailure, SignUpAttempt } from './attempt.ts'
import { OrganizationMember } from './organization.ts'
import { Session } from './session.ts'
import { SocialConnection, optionalPasskeyFacts } from './sign-in-means.ts'
import { UserApiKey } from './user-api-key.ts'
import { UserDetails, personDetails, personName, userStatuses } from './user.ts'
import { WaitlistEntry } from './waitlist.ts'

export const importedHashAlgorithms = [
  'argon2id',
  'bcrypt',
  'scrypt',
  'firebase-scrypt',
  'pbkdf2-sha256',
  'pbkdf2-sha512',
  'foreign',
] as const
export type ImportedHashAlgorithm = (typeof importedHashAlgorithms)[number]

const positive = (maximum: number, description: string) => optional(integer({ minimum: 1, maximum, description }))
const base64Text = (description: string) => optional(text({ minLength: 1, maxLength: 1024, description }))

/** A password hash from another service. */
export const ImportedPasswordHash = object({
  algorithm: oneOf(importedHashAlgorithms),
  hash: text({
    minLength: 1,
    maxLength: 1024,
    description:
      'The whole string as the other service stored it, such as $2b$10$…. If there is no such string, the bare hash in base64. foreign: any text. A hook at password.migrate checks the password with it at the first sign-in',
  }),
  salt: base64Text('The salt of a bare hash, in base64'),
  params: optional(
    object({
      cost: positive(16_777_216, 'scrypt: the parameter N, a power of two; N·r·p is at most 2,097,152'),
      blockSize: positive(64, 'scrypt: the parameter r'),
      parallelism: positive(64, 'scrypt: the parameter p'),
      iterations: positive(
        3_000_000,
        'pbkdf2: the iterations, at most 3,000,000 with SHA-256 and 2,000,000 with SHA-512. If the hash is longer than one digest, divide by the number of digests',
      ),
      signerKey: base64Text('firebase-scrypt: base64_signer_key'),
      saltSeparator: base64Text('firebase-scrypt: base64_salt_separator'),
      rounds: positive(8, 'firebase-scrypt'),
      memCost: positive(14, 'firebase-scrypt: mem_cost'),
    }),
  ),
})
export type ImportedPasswordHash = Static<typeof ImportedPasswordHash>

/** One line of an import. A repeated line is recognised by its id or e-mail; without either, by its username, or else its phone. */
export const ImportedUser = object({
  id: optional(id()),
  email: optional(text({ format: 'email' })),
  emailVerified: optional(boolean()),
  emailClaimed: optional(
    boolean({ description: 'Entered at sign-up and never verified: the user who verifies it takes over the account' }),
  ),
  phone: optional(text({ format: 'phone', maxLength: 64 })),
  phoneVerified: optional(boolean()),
  phoneClaimed: optional(boolean({ description: 'Likewise' })),
  username: optional(text({ format: 'username' })),
  name: optional(personName()),
  ...personDetails,
  roleName: optional(text({ minLength: 1, maxLength: 64 })),
  roleExpiresAt: optional(
    nullableText({ format: 'cursor', description: 'When the user loses the role; must be in the future' }),
  ),
  status: optional(oneOf(userStatuses, { description: 'Default: active' })),
  publicMeta: optional(metaJson()),
  privateMeta: optional(metaJson()),
  createdAt: optional(
    text({
      format: 'cursor',
      description: 'Must not be in the future. Moved to a later microsecond if another user has the same time',
    }),
  ),
  password: optional(text({ format: 'password' })),
  passwordHash: optional(ImportedPasswordHash),
})
export type ImportedUser = Static<typeof ImportedUser>

/** One line of an export. */
export const ExportedUser = object({
  ...UserDetails.properties,
  claimed: array(text(), {
    description:
      'The ids of the e-mail addresses and phone numbers that were entered at sign-up and never verified; an import marks them with emailClaimed and phoneClaimed',
  }),
})
export type ExportedUser = Static<typeof ExportedUser>

export const importedLineStatuses = ['created', 'exists', 'error'] as const

/** The answer to one line. */
export const ImportedLine = object({
  line: integer({ minimum: 1 }),
  status: oneOf(importedLineStatuses),
  id: optional(text()),
  issues: optional(array(object({ path: text(), code: text(), message: text() }))),
})
export type ImportedLine = Static<typeof ImportedLine>

/** The last line of every complete answer; if it is missing, the import was interrupted. */
export const ImportSummary = object({
  summary: object({ created: integer(), exists: integer(), error: integer() }),
})
export type ImportSummary = Static<typeof ImportSummary>

/** A line of the answer to an import: what became of a user, or the summary. */
export const ImportAnswer = Type.Union([ImportedLine, ImportSummary])

export const importJobStates = ['receiving', 'running', 'completed', 'failed'] as const

/** An import that goes on after its request has been answered. */
export const ImportJob = object({
  id: text(),
  tenantId: text(),
  state: oneOf(importJobStates, { description: '`failed` if the service gave it up before the last line' }),
  linesTotal: integer({ description: 'The lines of the file, blank ones left out' }),
  linesDone: integer(),
  created: integer(),
  exists: integer(),
  error: integer(),
  finishedAt: nullableTimestamp({ description: 'Seven days later the job and its results are removed' }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type ImportJob = Static<typeof ImportJob>

/** A second factor of a user in the export of the user's data. */
export const UserAuthenticator = object({
  id: text(),
  kind: oneOf(['authenticator_code', 'security_key', 'recovery_codes', 'trusted_device']),
  name: nullableText(),
  ...optionalPasskeyFacts,
  left: optional(integer({ description: 'The number of unused recovery codes; missing for other authenticators' })),
  lastUsedAt: nullableTimestamp(),
  createdAt: timestamp(),
})
export type UserAuthenticator = Static<typeof UserAuthenticator>

/** What an export of a person's data contains, whether the tenant or the person requests it. */
export const dataOfPerson = {
  tenantMemberships: array(
    object({
      id: text(),
      tenantId: text(),
      expiresAt: nullableTimestamp(),
      createdAt: timestamp(),
      updatedAt: timestamp(),
    }),
  ),
  socialConnections: array(SocialConnection),
  connections: array(UserConnection, { description: 'Connections of organizations with which the user has signed in' }),
  connectionSignIns: array(UserConnectionSignIn, {
    description: 'The sign-ins with such connections of whose sessions there is still a record',
  }),
  directories: array(ProvisionedUser, { description: 'What directories of organizations say about the user' }),
  sessions: array(Session, { description: 'The last 90 days' }),
  waitlist: array(WaitlistEntry, { description: "Entries of the tenant's waiting list with the user's addresses" }),
  apiKeys: array(UserApiKey, { description: 'Keys for the API of the tenant, without the keys themselves' }),
  authenticators: array(UserAuthenticator, { description: 'Without their secrets' }),
  signInAttempts: array(SignInAttemptWithFailure),
  signUpAttempts: array(SignUpAttempt),
}

/** All data that is stored about one person. */
export const UserDataExport = object({
  exportedAt: timestamp(),
  user: UserDetails,
  organizationMemberships: array(OrganizationMember),
  ...dataOfPerson,
  authorizations: array(Grant, { description: 'The access that the user has given to applications, newest first' }),
  events: array(Event),
})
export type UserDataExport = Static<typeof UserDataExport>
