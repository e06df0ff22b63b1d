import { UpdatePasskey, domainRule, isDomain } from '@bailiwick/contract'
import { anId, anything, listOf, matching } from '../../platform/db/accepted.ts'
import { flag, id, integer, json, many, record, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { AuthenticatorId, TenantId, UserId } from '../../platform/ids.ts'

const bytes = matching(/^[\w-]{1,4096}$/, 'must be base64url')

/** A user has at most one confirmed app and one that is about to replace it, which belongs to the session or attempt that began it. */
export const authenticatorCodes = table(
  'authenticator_codes',
  {
    ...record<AuthenticatorId>(),
    user_id: id<UserId>(),
    is_confirmed: flag(),
    session_id: text().nullable(),
    sealed_secret: text(),
    last_step: integer(),
    last_used_at: time().nullable(),
  },
  {
    sealed: { sealed_secret: 'secret' },
    accepts: { session_id: anId, sealed_secret: matching(/^[A-Z2-7]{16,128}$/, 'must be base32') },
  },
)

export const recoveryCodes = table(
  'recovery_codes',
  {
    tenant_id: id<TenantId>(),
    user_id: id<UserId>(),
    code_hash: text(),
    /** When a code of the same set was last used; that code's own row is gone. */
    last_used_at: time().nullable(),
    created_at: time(),
  },
  {
    key: ['tenant_id', 'user_id', 'code_hash'],
    accepts: { code_hash: anything('only compared with hashes of codes that users enter') },
  },
)

export const passkeys = table(
  'passkeys',
  {
    ...record<AuthenticatorId>(),
    user_id: id<UserId>(),
    /** In base64url, like the public key. */
    credential_id: text(),
    ...many(text(), 'public_key', 'relying_party_id'),
    name: text().nullable(),
    transports: json<string[]>(),
    counter: integer(),
    ...many(flag(), 'is_backup_eligible', 'is_backed_up'),
    /** Names the kind of authenticator, which is often a password manager; null if it is unknown. */
    aaguid: text().nullable(),
    /** 0 for a passkey that was offered after a sign-in: it signs its user in, but asks nobody for a second factor. */
    is_second_factor: flag().default(1),
    ...many(time().nullable(), 'last_used_at', 'flagged_at'),
  },
  {
    refusals: { passkeys_credential_key: 'passkey_exists' },
    accepts: {
      credential_id: bytes,
      public_key: bytes,
      relying_party_id: {
        rule: domainRule,
        test: (value) => value === 'localhost' || (typeof value === 'string' && isDomain(value)),
      },
      name: UpdatePasskey.properties.name,
      aaguid: matching(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/, 'must be a UUID in lower case'),
      transports: listOf(/^[a-z-]{1,32}$/, 20),
    },
  },
)

/** Only the newest challenge of a purpose exists. The subject is the session or the attempt that it was made for. */
export const passkeyChallenges = table(
  'passkey_challenges',
  {
    tenant_id: id<TenantId>(),
    ...many(text(), 'subject', 'purpose', 'challenge_hash', 'relying_party_id'),
    user_id: id<UserId>().nullable(),
    expires_at: time(),
  },
  { key: ['tenant_id', 'subject', 'purpose'], notExported: 'they expire within minutes' },
)
