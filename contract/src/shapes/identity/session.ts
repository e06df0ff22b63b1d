import type { Static } from 'typebox'
import { nullable, nullableText, object, text, timestamp } from '../../schema.ts'
import { UserSummary } from './user.ts'

/** Values that the user agent did not state clearly are null. */
export const Session = object({
  id: text(),
  tenantId: text(),
  userId: text(),
  browser: nullableText(),
  device: nullableText({ description: 'desktop, mobile or tablet' }),
  engine: nullableText(),
  os: nullableText(),
  cpu: nullableText(),
  ua: nullableText(),
  ip: nullableText(),
  signInAttemptId: nullableText(),
  signUpAttemptId: nullableText(),
  expiresAt: timestamp({ description: 'When the session ends if it is not used before; each use can extend it' }),
  lastActiveAt: timestamp(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type Session = Static<typeof Session>

/** A session as a tenant sees it: with its user, so that a list can be shown without a request for each user. */
export const SessionRecord = object({ ...Session.properties, user: nullable(UserSummary) })
export type SessionRecord = Static<typeof SessionRecord>

/** Why an administrator acts as a user. */
export const ImpersonateUser = object({
  reason: text({
    minLength: 1,
    maxLength: 500,
    format: 'text',
    pattern: '\\S',
    description: 'Recorded in the audit log',
  }),
})
export type ImpersonateUser = Static<typeof ImpersonateUser>

/** A new session with its token, which is shown only here. */
export const NewSession = object({ session: SessionRecord, sessionToken: text({ description: 'Shown only here' }) })
export type NewSession = Static<typeof NewSession>
