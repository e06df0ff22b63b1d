import type { Static } from 'typebox'
import { nullableText, nullableTimestamp, object, oneOf, text, timestamp } from '../schema.ts'

/** What a user proves more than a password with, as the tenant sees it: without its secret. */
export const Authenticator = object({
  id: text(),
  type: oneOf(['passkey', 'totp', 'recovery_codes'], {
    description: 'totp: an authenticator app. The recovery codes of a user are one of them, all together.',
  }),
  name: nullableText(),
  createdAt: timestamp(),
  lastUsedAt: nullableTimestamp(),
})
export type Authenticator = Static<typeof Authenticator>
