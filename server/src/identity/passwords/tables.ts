import { anything, matching } from '../../platform/db/accepted.ts'
import { flag, id, integer, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'

export const passwords = table(
  'passwords',
  {
    tenant_id: id<TenantId>(),
    user_id: id<UserId>(),
    /** For an imported or foreign password: the sealed output of `encodeImportedHash`. */
    hash: text(),
    /** A foreign one is checked by the tenant's former system, which a hook asks. */
    kind: text<'own' | 'imported' | 'foreign'>().default('own'),
    must_change: flag().default(0),
    /** 1 if it was set at sign-up by somebody who had not proven to own an address. */
    is_unproven: flag().default(0),
    /** The channel by which whoever chose the password had proven to be the user; null if that was not by a code or link alone. */
    reset_by: text<'email' | 'phone'>().nullable(),
    /** A random number by which the password may be drawn; see `selectPasswordOrDrawn`. */
    draw: integer(),
    created_at: time(),
    /** When the password was set. Storing a new hash of the same password does not change it. */
    updated_at: time(),
  },
  // Only hashes of other services are sealed.
  {
    key: ['tenant_id', 'user_id'],
    sealed: { hash: 'hash' },
    accepts: {
      reset_by: matching(/^(?:email|phone)$/, 'must be email or phone'),
      kind: matching(/^(?:own|imported|foreign)$/, 'must be own, imported or foreign'),
      hash: anything('an import checks its form and its cost on its own'),
    },
  },
)

/** Passwords that were replaced while the tenant refused to take them again. */
export const formerPasswords = table(
  'former_passwords',
  { tenant_id: id<TenantId>(), user_id: id<UserId>(), hash: text(), set_at: time() },
  {
    key: ['tenant_id', 'user_id', 'set_at'],
    notExported: 'they only keep users from taking a password again where they had it',
  },
)
