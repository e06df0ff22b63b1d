// Whether a user can still sign in once something is gone: by what the tenant offers, and what the user has for it.
import { selectPasskeys } from '../../identity/authenticators/passkey-queries.ts'
import { strategyFacts } from '../../tenancy/auth-configuration/auth-configuration.ts'
import { type FirstFactorStrategy, obstacle } from '../../tenancy/auth-configuration/usable-strategies.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/deps.ts'
import type { AnyCall } from '../sign-in/flow.ts'
import { selectConnectionsOf } from '../../identity/social-connections/connections.ts'
import { hasPassword } from '../../identity/users/passwords.ts'
import { type UserRow, selectEmailAddressesOf, selectPhoneNumbersOf } from '../../identity/users/queries.ts'

/** What is about to go: the id of an address, number, passkey or connection, or the username. */
export type Leaving = { readonly id: string } | 'username'

/**
 * Part of the transaction that removes it, before it does, which holds the user. True too where there was no way in before: what goes
 * then takes none away.
 */
export async function keepsWayIn(
  deps: Deps,
  tx: Transaction,
  { tenant, tenantId }: AnyCall,
  user: UserRow,
  leaving: Leaving,
): Promise<boolean> {
  const facts = await strategyFacts(deps, tx, tenantId, tenant.auth)
  const emails = await selectEmailAddressesOf(tx, tenantId, [user.id])
  const phones = await selectPhoneNumbersOf(tx, tenantId, [user.id])
  const passkeys = await selectPasskeys(tx, tenantId, user.id)
  const connections = await selectConnectionsOf(tx, tenantId, user.id)
  const isPassword = await hasPassword(tx, tenantId, user.id)
  const ways = (gone: Leaving | undefined): FirstFactorStrategy[] => {
    const has = (rows: readonly { readonly id: string }[]) =>
      rows.some(({ id }) => typeof gone !== 'object' || id !== gone.id)
    const isNamed = user.username !== null && gone !== 'username'
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
  const isOpen = (gone?: Leaving) => ways(gone).some((strategy) => obstacle(strategy, tenant.auth, facts) === undefined)
  return isOpen(leaving) || !isOpen()
}
