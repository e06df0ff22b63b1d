// A user who proves to read an address of a domain that an organization has proved is invited to join it. Such a user is never made a
// member, and an address that is merely claimed never causes an invitation (GHSA-phx7-w8x2-3xgf).
import { domainOfEmail } from '@bailiwick/contract'
import { hasChannel } from '../../messaging/notifications/channels/find-channel.ts'
import { readCounters } from '../../platform/db/counters.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { OrganizationId, TenantId, UserId } from '../../platform/ids.ts'
import { currentSettings } from '../../tenancy/auth-configuration/read-settings.ts'
import type { Deps } from '../deps.ts'
import { emailAddressesOf, findUserRow } from '../users/find-user.ts'
import { isDeprovisioned } from '../users/managed-by-directory.ts'
import { findProvenDomain } from './domain-records.ts'
import { invite } from './invitations.ts'
import { membersCounter } from './membership.ts'
import * as queries from './queries.ts'

export interface VerifiedAddress {
  readonly tenantId: TenantId
  readonly userId: UserId
  /** Canonical, and verified in this transaction. */
  readonly email: string
}

interface Asking {
  readonly tenantId: TenantId
  readonly userId: UserId
  readonly organizationId: string
}

/**
 * Runs in the transaction that verifies the address and holds its user. It sends at most one invitation, because only one organization of a
 * tenant can have proved the domain. It sends none to a member, to a user who was invited by any of their addresses, or if the organization
 * is full.
 */
export async function inviteByDomain(
  deps: Deps,
  tx: Transaction,
  address: VerifiedAddress,
  actor: Actor,
): Promise<void> {
  const { tenantId, userId, email } = address
  const name = domainOfEmail(email)
  const found = await findProvenDomain(tx, tenantId, name)
  if (found === undefined) return
  const auth = await currentSettings(tx, tenantId)
  if (auth?.organizationsEnabled !== true || !auth.organizationAutomaticInvitationEnabled) return
  // While the organization is held nobody else can invite, join, or remove the domain.
  const organization = await queries.selectOrganizationForUpdate(tx, tenantId, found.organization_id)
  const domain = await findProvenDomain(tx, tenantId, name)
  if (organization === undefined || domain?.id !== found.id) return
  if ((await queries.selectMemberOf(tx, tenantId, organization.id, userId)) !== undefined) return
  if (await isDeprovisioned(tx, tenantId, organization.id, userId)) return
  const now = deps.clock.now()
  if ((await queries.selectInvitationOfUser(tx, tenantId, organization.id, userId, now)) !== undefined) return
  if (await isFull(tx, organization, auth.organizationMembershipLimit)) return
  const user = await findUserRow(tx, tenantId, userId)
  const isSent = await hasChannel({ config: deps.config, db: tx }, tenantId, 'email')
  await invite(deps, tx, { auth, organization, email, user, roleId: null, domainId: domain.id, isSent }, actor)
}

/**
 * Does the same at the request of a user whose address was verified before the domain was. Runs in a transaction that holds the user.
 * Resolves with the address.
 * @throws ApiError not_found if the user is a member, or has no verified address on a domain that the organization has proved;
 * invitation_exists if one of the user's addresses has been invited before; membership_limit_reached.
 */
export async function inviteWhoAsks(
  deps: Deps,
  tx: Transaction,
  { tenantId, userId, organizationId }: Asking,
  actor: Actor,
): Promise<string> {
  const organization = await queries.selectOrganizationForUpdate(tx, tenantId, organizationId)
  if (organization === undefined) throw notFound()
  const auth = await currentSettings(tx, tenantId)
  const proof = await findProof(tx, tenantId, userId, organization.id)
  const member = await queries.selectMemberOf(tx, tenantId, organization.id, userId)
  if (auth === undefined || proof === undefined || member !== undefined) throw notFound()
  if (await isDeprovisioned(tx, tenantId, organization.id, userId)) throw notFound()
  const before = await queries.selectInvitationOfUser(tx, tenantId, organization.id, userId, deps.clock.now())
  if (before !== undefined) throw new ApiError('invitation_exists')
  if (await isFull(tx, organization, auth.organizationMembershipLimit)) throw new ApiError('membership_limit_reached')
  const { email, domainId } = proof
  const user = await findUserRow(tx, tenantId, userId)
  const isSent = await hasChannel({ config: deps.config, db: tx }, tenantId, 'email')
  await invite(deps, tx, { auth, organization, email, user, roleId: null, domainId, isSent }, actor)
  return email
}

/** Returns the first verified address on a domain that the organization has proved. */
async function findProof(tx: Transaction, tenantId: TenantId, userId: UserId, organizationId: OrganizationId) {
  for (const { email, verified_at: verifiedAt } of await emailAddressesOf(tx, tenantId, userId)) {
    const domain = verifiedAt === null ? undefined : await findProvenDomain(tx, tenantId, domainOfEmail(email))
    if (domain?.organization_id === organizationId) return { email, domainId: domain.id }
  }
  return undefined
}

async function isFull(tx: Transaction, { tenant_id: tenantId, id }: queries.OrganizationRow, limit: number) {
  if (limit === 0) return false
  const name = membersCounter(id)
  return ((await readCounters(tx, tenantId, [name])).get(name) ?? 0) >= limit
}
