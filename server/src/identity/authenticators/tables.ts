import { flag, id, integer, json, many, record, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { AuthenticatorId, TenantId, UserId } from '../../platform/ids.ts'

/** A user has at most one confirmed app and one that is about to replace it, which belongs to the session that began it. */
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
  { sealed: { sealed_secret: 'secret' } },
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
  { key: ['tenant_id', 'user_id', 'code_hash'] },
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
    ...many(time().nullable(), 'last_used_at', 'flagged_at'),
  },
  { refusals: { passkeys_credential_key: 'passkey_exists' } },
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
