// The invitations of the console user who is signed in: those to an address that the user has proved to hold.
import type { Transaction } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { emailKey } from '@bailiwick/contract'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import type { Actor, ConsoleUser } from '../../platform/http/principal.ts'
import { answerInvitation, joinByInvitation } from '../../identity/tenant-members/answer-invitation.ts'
import { presentTenantInvitation, presentTenantMember } from '../../identity/tenant-members/present.ts'
import * as queries from '../../identity/tenant-members/queries.ts'
import { selectTenant } from '../../tenancy/tenants/queries.ts'
import type { UserRecord } from '../../identity/users/present.ts'
import { selectUserForUpdate } from '../../identity/users/queries.ts'
import { findUser } from '../../identity/users/users.ts'

const listMax = 100

const verifiedKeys = ({ emailAddresses }: UserRecord) =>
  emailAddresses.filter((address) => address.verified_at !== null).map((address) => emailKey(address.email))

/** @throws ApiError unauthenticated for a user who is gone. */
export async function whoAmI({ db }: Deps, { tenantId, userId }: ConsoleUser): Promise<UserRecord> {
  const user = await findUser(db, tenantId, userId)
  if (user === undefined) throw new ApiError('unauthenticated')
  return user
}

export async function listOwnInvitations(deps: Deps, caller: ConsoleUser) {
  const { db, clock, tenants } = deps
  const user = await whoAmI(deps, caller)
  const keys = verifiedKeys(user)
  if (keys.length === 0) return []
  const rows = await queries.selectInvitationsTo(db, keys, clock.now(), listMax)
  const entries = await Promise.all(rows.map(async (row) => tenants.byId(row.tenant_id)))
  return rows.flatMap((row, index) => {
    const tenant = entries[index]?.row
    return tenant === undefined ? [] : [presentTenantInvitation(row, tenant, user)]
  })
}

/**
 * Takes an invitation off the table. The user is held, so that an address cannot be lost meanwhile, then the invitation:
 * whoever asks at the same moment finds it gone.
 */
async function take({ clock }: Deps, tx: Transaction, { tenantId, userId }: ConsoleUser, id: string) {
  const held = await selectUserForUpdate(tx, tenantId, userId)
  const user = held?.status === 'active' ? await findUser(tx, tenantId, userId) : undefined
  if (user === undefined) throw new ApiError('unauthenticated')
  const keys = verifiedKeys(user)
  const row = keys.length === 0 ? undefined : await queries.selectInvitationToForUpdate(tx, id, keys, clock.now())
  if (row === undefined || (await selectTenant(tx, row.tenant_id)) === undefined) throw notFound()
  if ((await tx.run(queries.deleteInvitation(row.tenant_id, row.id))) === 0) throw notFound()
  return { user, row }
}

/**
 * Makes the user a member with the flags that the invitation has at this moment.
 * @throws ApiError member_exists; not_found for an invitation that has expired, been used or is to somebody else.
 */
export async function acceptOwnInvitation(deps: Deps, caller: ConsoleUser, id: string, actor: Actor) {
  return deps.db.transaction(async (tx) => {
    const { user, row } = await take(deps, tx, caller, id)
    return presentTenantMember(await joinByInvitation(deps, tx, row, caller, actor), user)
  })
}

/** @throws ApiError not_found for an invitation that has expired, been used or is to somebody else. */
export async function declineOwnInvitation(deps: Deps, caller: ConsoleUser, id: string, actor: Actor): Promise<true> {
  await deps.db.transaction(async (tx) => {
    const { row } = await take(deps, tx, caller, id)
    await answerInvitation(deps, tx, row, 'declined', actor)
  })
  return true
}
