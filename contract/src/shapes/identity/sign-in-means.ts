import type { Static } from 'typebox'
import {
  boolean,
  nullable,
  nullableText,
  nullableTimestamp,
  object,
  oneOf,
  optional,
  text,
  timestamp,
} from '../../schema.ts'
import { anyProviderKey } from '../tenancy/custom-provider.ts'
import { ProviderAccess } from './provider-access.ts'

/** What is known of a passkey beside its name. */
export const passkeyFacts = {
  provider: nullableText({
    description:
      'The password manager or device that keeps the passkey, such as iCloud Keychain; null if it is unknown',
  }),
  backupEligible: boolean({
    description: 'Whether the passkey can be on several devices; otherwise it never leaves the one that made it',
  }),
  backedUp: boolean({ description: 'Whether the passkey is stored on more than one device' }),
  secondFactor: boolean({
    description:
      'Whether every sign-in asks for a second factor because of it. Otherwise it was offered after a sign-in, and only signs its user in.',
  }),
}

/** The same for records of which some are no passkeys. */
export const optionalPasskeyFacts = {
  provider: optional(passkeyFacts.provider),
  backupEligible: optional(passkeyFacts.backupEligible),
  backedUp: optional(passkeyFacts.backedUp),
  secondFactor: optional(passkeyFacts.secondFactor),
}

/** A second factor of a user as the tenant sees it, without its secret. */
export const Authenticator = object({
  id: text(),
  type: oneOf(['passkey', 'totp', 'recovery_codes', 'trusted_device'], {
    description:
      'totp: an authenticator app. All recovery codes of a user together count as one authenticator. trusted_device: no factor, but a device on which the user is not asked for one.',
  }),
  name: nullableText(),
  ...optionalPasskeyFacts,
  createdAt: timestamp(),
  lastUsedAt: nullableTimestamp(),
})
export type Authenticator = Static<typeof Authenticator>

/** An account at a social provider that signs its user in. */
export const SocialConnection = object({
  id: text(),
  providerKey: anyProviderKey(),
  email: nullableText({ description: 'The value that the provider sent last' }),
  access: nullable(ProviderAccess),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type SocialConnection = Static<typeof SocialConnection>
