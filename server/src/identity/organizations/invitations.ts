// Invitations to join an organization.
import {
  type CreateOrganizationInvitation,
  type Issue,
  type TenantAuthSettings,
  type UpdateOrganizationInvitation,
  canonicalEmail,
  emailKey,
  tokenPrefixes,
} from '@bailiwick/contract'
import { decidedTransaction, decisionAt, textFor } from '../../messaging/hooks/decisions.ts'
import { hasChannel } from '../../messaging/notifications/channels/find-channel.ts'
import { invitationMessage } from '../../messaging/notifications/messages/invitation-message.ts'
import { queueMessage } from '../../messaging/notifications/messages/queue-message.ts'
import { addMilliseconds } from '../../platform/clock.ts'
import { hashToken, newToken } from '../../platform/crypto/tokens.ts'
import { addToCounters, sumOfCounter } from '../../platform/db/counters.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { pageEnvelope, type PageQuery, pageRequest, selectPageAndTotal } from '../../platform/http/lists/page.ts'
import { type OrganizationDomainId, type RoleId, type TenantId, type UserId, newId } from '../../platform/ids.ts'
import { metaText } from '../../platform/json-text.ts'
import { findRole, findRolesOfHolders } from '../../tenancy/roles/roles.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import type { Deps } from '../deps.ts'
import { type UserRow, findUserByEmail } from '../users/find-user.ts'
import { findUsersByEmailKeys } from '../users/users.ts'
import {
  checkMembershipLimit,
  findGivenRole,
  invitationsCounter,
  refuse,
  missingRole,
  missingReference,
} from './membership.ts'
import { presentOrganizationInvitation } from './present.ts'
import * as queries from './queries.ts'

export const invitationMs = 7 * 24 * 60 * 60 * 1000

/** The id that is looked for if nobody has the address. */
const nobody = '' as UserId

/** Returns the user who has the invited address. A userId that was sent along must be that user; otherwise `issues` says so. */
async function findInvitedUser(
  db: Reader,
  tenantId: TenantId,
  key: string,
  userId: string | null | undefined,
  issues: Issue[],
) {
  const owner = await findUserByEmail(db, tenantId, key)
  if (userId !== undefined && userId !== null && owner?.id !== userId) {
    const message = 'is not the user of this tenant who has that e-mail address'
    issues.push({ path: '/userId', code: 'contradicts', message })
  }
  return owner
}

/** Whether the caller may know which user has the address of an invitation that is not accepted yet. */
export interface Visibility {
  readonly users: boolean
}

/**
 * Invites an address to an organization; valid for seven days. The token that accepts it is only ever in the message.
 * @throws ApiError not_found, validation_failed, member_exists, invitation_exists, membership_limit_reached,
 * message_quota_reached, hook_denied.
 */
export async function createOrganizationInvitation(
  deps: Deps,
  tenantId: TenantId,
  input: CreateOrganizationInvitation,
  actor: Actor,
  visibility: Visibility,
) {
  const { db } = deps
  const { auth } = await getTenant(deps, tenantId)
  const { organizationId } = input
  const email = canonicalEmail(input.email)
  const key = emailKey(email)
  const organization = await queries.selectOrganization(db, tenantId, organizationId)
  if (organization === undefined) throw notFound()
  const issues: Issue[] = []
  const user = await findInvitedUser(db, tenantId, key, input.userId, issues)
  const role = await findGivenRole(db, { tenantId, organizationId }, input.roleId, issues)
  refuse(issues)
  // The same statements run whether or not somebody has the address, so that the time they take does not tell either.
  const member = await queries.selectMemberOf(db, tenantId, organizationId, user?.id ?? nobody)
  if (member !== undefined) throw new ApiError('member_exists')
  const isSent = await hasChannel(deps, tenantId, 'email')
  // This early check only spares the inviter; the check that counts is made when the invitation is accepted.
  await checkMembershipLimit(db, tenantId, organizationId, auth.organizationMembershipLimit)
  const { membershipLifetime = null } = input
  const roleId = role?.row.id ?? null
  const invitation = { auth, organization, email, user, roleId, membershipLifetime, domainId: null, isSent }
  try {
    const row = await decidedTransaction(deps, tenantId, async (tx) => {
      await assertInvitationAllowed(tx, invitation, actor)
      return invite(deps, tx, invitation, actor)
    })
    return presentOrganizationInvitation(row, await shownUser(db, row, visibility), role)
  } catch (error) {
    const cause = missingReference(error)
    if (cause !== error) {
      await findGivenRole(db, { tenantId, organizationId }, input.roleId, issues)
      refuse(issues)
    }
    throw cause
  }
}

/**
 * Asks the tenant's hooks about an invitation that somebody writes. Those that follow from a verified domain are not asked about.
 * @throws ApiError hook_denied
 */
async function assertInvitationAllowed(
  tx: Transaction,
  { organization, email, user, roleId }: NewInvitation,
  actor: Actor,
) {
  const verdict = await decisionAt(tx, organization.tenant_id, 'invitation.before_create', {
    invitation: { email, roleId, userId: user?.id ?? null },
    organization: { id: organization.id, name: organization.name, slug: organization.slug },
    actor: { type: actor.type, id: actor.id },
  })
  if (verdict.isAllowed) return
  const detail = textFor(verdict.message, undefined)
  throw new ApiError('hook_denied', detail === undefined ? {} : { detail })
}

export interface NewInvitation {
  readonly auth: TenantAuthSettings
  readonly organization: queries.OrganizationRow
  /** Canonical. */
  readonly email: string
  /** The user who has the address, if anybody has it. */
  readonly user: Pick<UserRow, 'id' | 'name'> | undefined
  readonly roleId: RoleId | null
  /** How many seconds after joining the membership ends; by default never. */
  readonly membershipLifetime?: number | null
  readonly domainId: OrganizationDomainId | null
  /** Whether there is a channel to send it by. */
  readonly isSent: boolean
}

/**
 * Writes an invitation and queues its message, in the caller's transaction.
 * @throws ConstraintError if the address has an open one, or the organization is gone; ApiError message_quota_reached.
 */
export async function invite(
  deps: Deps,
  tx: Transaction,
  { auth, organization, email, user, roleId, membershipLifetime = null, domainId, isSent }: NewInvitation,
  actor: Actor,
): Promise<queries.OrganizationInvitationRow> {
  const { tenant_id: tenantId, id: organizationId } = organization
  const key = emailKey(email)
  const token = newToken(tokenPrefixes.organizationInvitation)
  const [now, at] = [deps.clock.now(), deps.clock.next()]
  const removed = await tx.run(queries.deleteExpiredInvitation(tenantId, organizationId, key, now))
  const row: queries.OrganizationInvitationRow = {
    tenant_id: tenantId,
    id: newId<'InvitationId'>(),
    organization_id: organizationId,
    email,
    email_key: key,
    role_id: roleId,
    domain_id: domainId,
    token_hash: hashToken(token),
    expires_at: addMilliseconds(now, invitationMs),
    accepted_at: null,
    declined_at: null,
    public_meta: metaText(undefined),
    private_meta: metaText(undefined),
    membership_lifetime: membershipLifetime,
    created_at: at,
    updated_at: at,
  }
  await tx.run(queries.insertOrganizationInvitation(row))
  if (removed === 0) await tx.run(addToCounters(tx, tenantId, { [invitationsCounter(organizationId)]: 1 }))
  await tx.run(
    eventStatement(deps.clock, deps.personal, {
      tenantId,
      type: 'organization_invitation.created',
      actor,
      subjectId: row.id,
      data: { organizationId, roleId, domainId, expiresAt: row.expires_at, membershipLifetime },
    }),
  )
  if (!isSent) return row
  const message = invitationMessage(
    {
      tenantId,
      // If a verified address caused the invitation, its user must not learn about the tenant's quota.
      countedFor: domainId === null ? tenantId : undefined,
      auth,
      type: 'organization-invitation',
      to: email,
      userId: user?.id ?? null,
      token,
      createdAt: now,
      expiresAt: row.expires_at,
      variables: { organization: { name: organization.name }, user: { name: user?.name ?? null } },
    },
    deps.config,
  )
  await queueMessage(tx, deps, message)
  return row
}

/**
 * Returns the users who have the addresses, as far as the caller may know them. Addresses that the caller may not know about are not looked
 * up.
 */
function shownUsers(
  db: Reader,
  tenantId: TenantId,
  rows: readonly queries.OrganizationInvitationRow[],
  visibility: Visibility,
) {
  const shown = rows.filter((row) => visibility.users || row.accepted_at !== null)
  return findUsersByEmailKeys(
    db,
    tenantId,
    shown.map((row) => row.email_key),
  )
}

async function shownUser(db: Reader, row: queries.OrganizationInvitationRow, visibility: Visibility) {
  return (await shownUsers(db, row.tenant_id, [row], visibility)).get(row.email_key)
}

/** @throws ApiError not_found */
export async function listOrganizationInvitations(
  { db }: Deps,
  tenantId: TenantId,
  organizationId: string,
  query: PageQuery,
  visibility: Visibility,
) {
  if ((await queries.selectOrganization(db, tenantId, organizationId)) === undefined) throw notFound()
  const request = pageRequest(query)
  const counter = invitationsCounter(organizationId)
  const { page, total } = await selectPageAndTotal(
    db,
    queries.invitationSource(tenantId, organizationId),
    sumOfCounter(tenantId, counter),
    request,
  )
  const [users, roleFor] = await Promise.all([
    shownUsers(db, tenantId, page.rows, visibility),
    findRolesOfHolders(db, tenantId, page.rows),
  ])
  const data = page.rows.map((row) =>
    presentOrganizationInvitation(
      row,
      visibility.users || row.accepted_at !== null ? users.get(row.email_key) : undefined,
      roleFor(row),
    ),
  )
  return pageEnvelope(page, data, total, request.perPage)
}

async function present(db: Reader, row: queries.OrganizationInvitationRow, visibility: Visibility) {
  const user = await shownUser(db, row, visibility)
  const { tenant_id: tenantId, organization_id: organizationId, role_id: roleId } = row
  const role = roleId === null ? undefined : await findRole(db, tenantId, organizationId, roleId)
  return presentOrganizationInvitation(row, user, role)
}

/** @throws ApiError not_found */
export async function getOrganizationInvitation({ db }: Deps, tenantId: TenantId, id: string, visibility: Visibility) {
  const row = await queries.selectInvitation(db, tenantId, id)
  if (row === undefined) throw notFound()
  return present(db, row, visibility)
}

/** @throws ApiError not_found; validation_failed for a role of another tenant. */
export async function updateOrganizationInvitation(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  input: UpdateOrganizationInvitation,
  actor: Actor,
  visibility: Visibility,
) {
  const { db, clock, personal } = deps
  const changed = db.transaction(async (tx) => {
    const before = await queries.selectInvitationForUpdate(tx, tenantId, id)
    if (before === undefined) throw notFound()
    const issues: Issue[] = []
    const role = await findGivenRole(tx, { tenantId, organizationId: before.organization_id }, input.roleId, issues)
    refuse(issues)
    const roleId = input.roleId === undefined ? before.role_id : (role?.row.id ?? null)
    const { membershipLifetime = before.membership_lifetime } = input
    const after = { ...before, role_id: roleId, membership_lifetime: membershipLifetime, updated_at: clock.now() }
    await tx.run(queries.updateInvitationTerms(after))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'organization_invitation.updated',
        actor,
        subjectId: id,
        data: {
          before: { roleId: before.role_id, membershipLifetime: before.membership_lifetime },
          after: { roleId, membershipLifetime },
        },
      }),
    )
    return present(tx, after, visibility)
  })
  return changed.catch((error: unknown) => {
    throw missingRole(error)
  })
}

/**
 * Revokes an invitation; its token becomes invalid.
 * @throws ApiError not_found
 */
export async function deleteOrganizationInvitation(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  actor: Actor,
  visibility: Visibility,
) {
  const { db, clock, personal } = deps
  return db.transaction(async (tx) => {
    const row = await queries.selectInvitationForUpdate(tx, tenantId, id)
    if (row === undefined) throw notFound()
    await tx.run(queries.deleteInvitation(tenantId, id))
    await tx.run(addToCounters(tx, tenantId, { [invitationsCounter(row.organization_id)]: -1 }))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'organization_invitation.deleted',
        actor,
        subjectId: id,
        data: { organizationId: row.organization_id, roleId: row.role_id },
      }),
    )
    return present(tx, row, visibility)
  })
}
