// Whoever shows to read an address of a domain that an organization has proved is asked to join it: never made a member, and never for
// an address that is merely claimed (GHSA-phx7-w8x2-3xgf).
import { domainOfEmail } from '@bailiwick/contract'
import { readCounters } from '../../platform/db/counters.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Deps } from '../deps.ts'
import type { Actor } from '../../platform/http/principal.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import { hasChannel } from '../../messaging/notifications/find-channel.ts'
import { findProvenDomain } from '../organization-domains/proven-domain.ts'
import { currentSettings } from '../../tenancy/auth-configuration/read-settings.ts'
import { findUserRow } from '../users/find-user.ts'
import { invite } from './invitations.ts'
import { membersCounter } from './membership.ts'
import * as queries from './queries.ts'

export interface VerifiedAddress {
  readonly tenantId: TenantId
  readonly userId: UserId
  /** Canonical, and verified in this transaction. */
  readonly email: string
}

/**
 * Part of the transaction that verifies the address and holds its user. At most one invitation: one organization of a tenant has proved
 * the domain. Nothing for who is a member, or has been asked by any address; nothing where the organization is full.
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
  // While it is held nobody else invites, joins, or removes the domain.
  const organization = await queries.selectOrganizationForUpdate(tx, tenantId, found.organization_id)
  const domain = await findProvenDomain(tx, tenantId, name)
  if (organization === undefined || domain?.id !== found.id) return
  if ((await queries.selectMemberOf(tx, tenantId, organization.id, userId)) !== undefined) return
  const now = deps.clock.now()
  if ((await queries.selectInvitationOfUser(tx, tenantId, organization.id, userId, now)) !== undefined) return
  if (await isFull(tx, organization, auth.organizationMembershipLimit)) return
  const user = await findUserRow(tx, tenantId, userId)
  const isSent = await hasChannel({ config: deps.config, db: tx }, tenantId, 'email')
  await invite(deps, tx, { auth, organization, email, user, roleId: null, domainId: domain.id, isSent }, actor)
}

async function isFull(tx: Transaction, { tenant_id: tenantId, id }: queries.OrganizationRow, limit: number) {
  if (limit === 0) return false
  const name = membersCounter(id)
  return ((await readCounters(tx, tenantId, [name])).get(name) ?? 0) >= limit
}
