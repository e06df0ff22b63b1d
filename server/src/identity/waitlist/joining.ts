// How an address gets on the waiting list, and off it: by its sign-up, or with its user.
import { canonicalEmail, emailKey } from '@bailiwick/contract'
import { hashToken, hasValidChecksum } from '../../platform/crypto/tokens.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { type TenantId, type UserId, newId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import { emailAddressesOf } from '../users/find-user.ts'
import * as queries from './queries.ts'
import { entryEvent } from './waitlist.ts'

/** Puts an address on the list. The same statements run for one that is on it, so that neither time nor answer tells. */
export async function addToWaitlist(deps: Deps, tx: Transaction, tenantId: TenantId, address: string, actor: Actor) {
  const email = canonicalEmail(address)
  const at = deps.clock.next()
  const row: queries.WaitlistRow = {
    tenant_id: tenantId,
    id: newId<'WaitlistEntryId'>(),
    email,
    email_key: emailKey(email),
    status: 'waiting',
    token_hash: null,
    approved_at: null,
    expires_at: null,
    created_at: at,
    updated_at: at,
  }
  await tx.run(queries.insertUnlessThere(row))
  const { id } = (await queries.selectByAddress(tx, tenantId, row.email_key)) ?? row
  const type = id === row.id ? 'waitlist_entry.created' : 'waitlist_entry.repeated'
  await tx.run(entryEvent(deps, { tenant_id: tenantId, id }, type, {}, actor))
}

/** @throws ApiError invitation_invalid for what cannot be a token. */
export function waitlistTokenHash(token: string): string {
  if (!hasValidChecksum(token)) throw new ApiError('invitation_invalid')
  return hashToken(token)
}

/**
 * Returns the approved entry of a token.
 * @throws ApiError invitation_invalid
 */
export async function findApproved({ clock }: Pick<Deps, 'clock'>, db: Reader, tenantId: TenantId, tokenHash: string) {
  const row = await queries.selectByToken(db, tenantId, tokenHash, clock.now())
  if (row === undefined) throw new ApiError('invitation_invalid')
  return row
}

const remove = async (tx: Transaction, { tenant_id: tenantId, id }: queries.WaitlistRow): Promise<boolean> =>
  (await tx.run(queries.deleteEntry(tenantId, id))) > 0

/**
 * Uses the invitation up, for the user who signs up with it.
 * @throws ApiError invitation_invalid, also if another sign-up has used it at the same moment.
 */
export async function useApproval(
  deps: Deps,
  tx: Transaction,
  tenantId: TenantId,
  tokenHash: string,
  { userId, actor }: { readonly userId: UserId; readonly actor: Actor },
): Promise<void> {
  const row = await findApproved(deps, tx, tenantId, tokenHash)
  if (!(await remove(tx, row))) throw new ApiError('invitation_invalid')
  await tx.run(entryEvent(deps, row, 'waitlist_entry.signed_up', { userId }, actor))
}

/** Returns the entries of a user's addresses. */
export async function readUserEntries(db: Reader, tenantId: TenantId, userId: UserId) {
  const addresses = await emailAddressesOf(db, tenantId, userId)
  return queries.selectUserEntries(
    db,
    tenantId,
    addresses.map((each) => each.email_key),
  )
}

/** Removes the addresses of a user who is erased. Runs before the addresses are gone. */
export async function leaveWaitlist(deps: Deps, tx: Transaction, tenantId: TenantId, userId: UserId, actor: Actor) {
  for (const row of await readUserEntries(tx, tenantId, userId)) {
    if (await remove(tx, row)) await tx.run(entryEvent(deps, row, 'waitlist_entry.deleted', {}, actor))
  }
}
