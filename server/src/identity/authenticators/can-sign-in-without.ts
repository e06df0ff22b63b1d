// Decides whether a user can still sign in once something is removed, by what the tenant offers and what else the user has.
import type { Transaction } from '../../platform/db/database.ts'
import { strategyFacts } from '../../tenancy/auth-configuration/auth-configuration.ts'
import { type FirstFactorStrategy, obstacle } from '../../tenancy/auth-configuration/usable-strategies.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import type { Deps } from '../deps.ts'
import { hasPassword } from '../passwords/passwords.ts'
import { selectConnectionsOf } from '../social-connections/connections.ts'
import { type UserRow, emailAddressesOf, phoneNumbersOf } from '../users/find-user.ts'
import { selectPasskeys } from './passkey-queries.ts'

/** What is about to be removed: an address, number, passkey or connection by its id, the username, or the password. */
export type Removed = { readonly id: string } | 'username' | 'password'

type IsOpen = (gone?: Removed) => boolean

/** Returns whether one of the tenant's ways to sign in is open to the user, with everything or without what is gone. */
async function findOpenWays(deps: Deps, tx: Transaction, tenant: TenantEntry, user: UserRow): Promise<IsOpen> {
  const { tenant_id: tenantId } = user
  const facts = await strategyFacts(deps, tx, tenantId, tenant.auth)
  const emails = await emailAddressesOf(tx, tenantId, user.id)
  const phones = await phoneNumbersOf(tx, tenantId, user.id)
  const passkeys = await selectPasskeys(tx, tenantId, user.id)
  const connections = await selectConnectionsOf(tx, tenantId, user.id)
  const hasOne = await hasPassword(tx, tenantId, user.id)
  const strategiesWithout = (gone: Removed | undefined): FirstFactorStrategy[] => {
    const has = (rows: readonly { readonly id: string }[]) =>
      rows.some(({ id }) => typeof gone !== 'object' || id !== gone.id)
    const isNamed = user.username !== null && gone !== 'username'
    const isPassword = hasOne && gone !== 'password'
    return [
      ...(has(emails) ? (['email_code', 'email_link'] as const) : []),
      ...(has(phones) ? (['phone_code'] as const) : []),
      ...(isPassword && has(emails) ? (['email_password'] as const) : []),
      ...(isPassword && has(phones) ? (['phone_password'] as const) : []),
      ...(isPassword && isNamed ? (['username_password'] as const) : []),
      ...(has(passkeys) ? (['security_key'] as const) : []),
      ...(has(connections) ? (['oauth'] as const) : []),
    ]
  }
  return (gone) => strategiesWithout(gone).some((strategy) => obstacle(strategy, tenant.auth, facts) === undefined)
}

/** Returns whether the user, whom the caller's transaction holds, can sign in. */
export const canSignIn = async (deps: Deps, tx: Transaction, tenant: TenantEntry, user: UserRow): Promise<boolean> =>
  (await findOpenWays(deps, tx, tenant, user))()

/**
 * Runs in the transaction that removes it, before the removal; that transaction holds the user. Also returns true if the user could not
 * sign in before, because then nothing is lost.
 */
export async function canSignInWithout(
  deps: Deps,
  tx: Transaction,
  tenant: TenantEntry,
  user: UserRow,
  removed: Removed,
): Promise<boolean> {
  const isOpen = await findOpenWays(deps, tx, tenant, user)
  return isOpen(removed) || !isOpen()
}
