// Finds the user whose identity it is, in the transaction of the sign-in: connected before, connected now, or created.
import { emailKey } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { proveContact } from '../../identity/people/proven-contact.ts'
import { insertConnection, refreshConnection, selectConnection } from '../../identity/social-connections/connections.ts'
import { emailAddressesOf, lockUser, phoneNumbersOf } from '../../identity/users/find-user.ts'
import { findIdentified } from '../../identity/users/identifier.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import { type FoundProvider, findEnabledProvider } from '../../tenancy/social-providers/find-provider.ts'
import { type Decision, type LocalAccount, decide } from './linking.ts'
import type { Identity } from './provider.ts'

/** @throws ApiError strategy_unavailable if the provider was switched off while the user was away. */
export async function usableProvider(db: Reader, tenantId: TenantId, id: string): Promise<FoundProvider> {
  const row = await findEnabledProvider(db, tenantId, id)
  if (row === undefined) throw new ApiError('strategy_unavailable')
  return row
}

/** A provider that is only for connecting signs nobody in. */
export const isAuthenticating = ({ authenticatable }: FoundProvider) => authenticatable !== 0

async function addressOf(db: Reader, tenantId: TenantId, { email }: Identity) {
  if (email === null) return undefined
  const found = await findIdentified(db, tenantId, { kind: 'email', key: emailKey(email) })
  return found?.contact && { userId: found.userId, contact: found.contact }
}

type Address = NonNullable<Awaited<ReturnType<typeof addressOf>>>

async function accountOf(db: Reader, tenantId: TenantId, { userId, contact }: Address): Promise<LocalAccount> {
  const contacts = [...(await emailAddressesOf(db, tenantId, userId)), ...(await phoneNumbersOf(db, tenantId, userId))]
  const others = contacts.filter(({ id }) => id !== contact.id)
  return {
    userId,
    isAddressVerified: contact.verified_at !== null,
    isOtherwiseProven: others.some(({ verified_at: verifiedAt }) => verifiedAt !== null),
  }
}

export async function decideFor(
  db: Reader,
  tenantId: TenantId,
  identity: Identity,
  provider: FoundProvider,
): Promise<Decision & { readonly address: Address | undefined }> {
  const connection = await selectConnection(db, tenantId, identity)
  const address = await addressOf(db, tenantId, identity)
  const decision = decide({
    identity,
    connectedTo: connection?.user_id,
    account: address && (await accountOf(db, tenantId, address)),
    isAutoConnected: provider.auto_connect_accounts !== 0,
  })
  return { ...decision, address }
}

/** Creates the user of an identity that nobody has; part of the same transaction. */
export interface NewUserMaker {
  (tx: Transaction): Promise<UserId>
}

/**
 * Returns undefined if the user may not sign in.
 * @throws ApiError strategy_unavailable, connection_required; what `makeUser` throws.
 */
export async function resolveIdentity(
  deps: Deps,
  tx: Transaction,
  tenantId: TenantId,
  identity: Identity,
  { actorOf, makeUser }: { readonly actorOf: (userId: UserId) => Actor; readonly makeUser: NewUserMaker },
): Promise<UserId | undefined> {
  const provider = await usableProvider(tx, tenantId, identity.providerId)
  if (!isAuthenticating(provider)) throw new ApiError('strategy_unavailable')
  const first = await decideFor(tx, tenantId, identity, provider)
  if (first.kind === 'refuse') throw new ApiError('connection_required')
  if (first.kind === 'sign_up') return makeUser(tx)
  const user = await lockUser(tx, tenantId, first.userId)
  if (user?.status !== 'active') return undefined
  // Read again, because it may have changed before the user was held.
  const { kind, address } = await decideFor(tx, tenantId, identity, provider)
  if (kind !== first.kind) throw new ApiError('attempt_not_open')
  const actor = actorOf(user.id)
  if (kind === 'known') {
    const connection = await selectConnection(tx, tenantId, identity)
    if (connection !== undefined) await refreshConnection(deps, tx, connection, identity)
    return user.id
  }
  if (kind === 'take_over' && address !== undefined) {
    const contact = { table: 'email_addresses', id: address.contact.id, isTakeOver: true } as const
    await proveContact(deps, tx, tenantId, user.id, contact, actor)
  }
  await insertConnection(deps, tx, user, identity, { actor, isProven: true })
  return user.id
}
