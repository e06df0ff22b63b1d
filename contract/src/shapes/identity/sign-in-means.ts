import type { Static } from 'typebox'
import { nullableText, nullableTimestamp, object, oneOf, text, timestamp } from '../../schema.ts'
import { anyProviderKey } from '../tenancy/custom-provider.ts'

/** A second factor of a user as the tenant sees it, without its secret. */
export const Authenticator = object({
  id: text(),
  type: oneOf(['passkey', 'totp', 'recovery_codes', 'trusted_device'], {
    description:
      'totp: an authenticator app. All recovery codes of a user together count as one authenticator. trusted_device: no factor, but a device on which the user is not asked for one.',
  }),
  name: nullableText(),
  createdAt: timestamp(),
  lastUsedAt: nullableTimestamp(),
})
export type Authenticator = Static<typeof Authenticator>

/** An account at a social provider that signs its user in. */
export const SocialConnection = object({
  id: text(),
  providerKey: anyProviderKey(),
  email: nullableText({ description: 'The value that the provider sent last' }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type SocialConnection = Static<typeof SocialConnection>
