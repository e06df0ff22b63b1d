// The members of an organization, as other members see and change them.
import type { UpdateOrganizationMember } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import * as members from '../../identity/organizations/members.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { listAnswer } from '../../platform/http/lists/list-answer.ts'
import type { PageQuery } from '../../platform/http/lists/page.ts'
import { findRoleRow } from '../../tenancy/roles/find-role.ts'
import type { AnyCall } from '../frontend/flow.ts'
import {
  type ActingMember,
  assertMayGive,
  assertMayTake,
  enterOrganization,
  permissionsOf,
  visitOrganization,
} from './rights.ts'

const manage = 'org:members:manage'

/** @throws ApiError not_found */
export async function listFellowMembers(deps: Deps, call: AnyCall, id: string, query: PageQuery) {
  await enterOrganization(deps, call, id)
  return listAnswer('members', await members.listOrganizationMembers(deps, call.tenantId, id, query))
}

/** @throws ApiError not_found */
export async function getFellowMember(deps: Deps, call: AnyCall, id: string, memberId: string) {
  await enterOrganization(deps, call, id)
  const member = await members.getOrganizationMember(deps, call.tenantId, memberId)
  if (member.organizationId !== id) throw notFound()
  return member
}

/** @param organizationId the organization whose own roles count too; null for the tenant's roles alone. */
const findRoleIn = async (
  db: Deps['db'] | Transaction,
  { tenantId }: AnyCall,
  organizationId: string | null,
  roleId: string | null | undefined,
) => (roleId === null || roleId === undefined ? undefined : findRoleRow(db, tenantId, organizationId, roleId))

const meta = 'org:members:meta'

interface FellowChange extends Pick<UpdateOrganizationMember, 'expiresAt' | 'roleExpiresAt'> {
  readonly roleId?: string | null
  readonly publicMeta?: unknown
}
interface NewFellow extends FellowChange {
  readonly userId: string
}

const isEmpty = (value: unknown) => value === undefined || JSON.stringify(value) === '{}'

/** Servers of the tenant may trust it, so members change it only if their role says so. A client that sends an empty one sets nothing. */
function assertMayDescribe({ permissions }: ActingMember, { publicMeta }: FellowChange) {
  if (isEmpty(publicMeta) || permissions.has(meta)) return
  throw new ApiError('forbidden', {
    detail: `To set publicMeta, you need the permission ${meta} in the organization.`,
  })
}

/**
 * @throws ApiError not_found, forbidden, member_exists, membership_limit_reached; validation_failed for a user or role of another tenant.
 */
export async function addFellowMember(deps: Deps, call: AnyCall, id: string, input: NewFellow) {
  const fellow = await enterOrganization(deps, call, id, manage)
  assertMayDescribe(fellow, input)
  assertMayGive(fellow, await findRoleIn(deps.db, call, id, input.roleId))
  return members.createOrganizationMember(deps, call.tenantId, { ...input, organizationId: id }, call.actor())
}

type Before = Parameters<members.MemberCheck>[1]

/** Checked in the change's own transaction, which holds the member and then the organization: two managers cannot remove each other. */
async function enterWith(
  { clock }: Deps,
  tx: Transaction,
  call: AnyCall,
  organizationId: string,
  before: Before,
): Promise<ActingMember> {
  if (before.organization_id !== organizationId) throw notFound()
  await members.holdOrganization(tx, call.tenantId, organizationId)
  const isOwn = before.user_id === call.signedIn.row.user_id
  const fellow = isOwn
    ? await visitOrganization({ db: tx, clock }, call, organizationId)
    : await enterOrganization({ db: tx, clock }, call, organizationId, manage)
  if (!isOwn) assertMayTake(fellow, await findRoleIn(tx, call, organizationId, before.role_id))
  return fellow
}

/**
 * Only roles of the tenant count: the organization can change its own, and the tenant can limit what those give.
 * @throws ApiError last_manager
 */
async function assertManagerLeft(tx: Transaction, call: AnyCall, before: Before) {
  const role = await findRoleIn(tx, call, null, before.role_id)
  if (!permissionsOf(role).includes(manage)) return
  if (!(await members.hasOtherMemberWith(tx, before, manage))) throw new ApiError('last_manager')
}

/** @throws ApiError not_found, forbidden, last_manager; validation_failed for a role of another tenant. */
export async function updateFellowMember(deps: Deps, call: AnyCall, id: string, memberId: string, input: FellowChange) {
  const { publicMeta, ...terms } = input
  const { roleId } = terms
  const described = publicMeta === undefined ? {} : { publicMeta }
  const acting = await enterOrganization(deps, call, id, manage)
  assertMayDescribe(acting, described)
  return members.updateOrganizationMember(
    deps,
    call.tenantId,
    memberId,
    { ...terms, ...(acting.permissions.has(meta) ? described : {}) },
    call.actor(),
    async (tx, before) => {
      const fellow = await enterWith(deps, tx, call, id, before)
      if (roleId === undefined) return
      const role = await findRoleIn(tx, call, id, roleId)
      assertMayGive(fellow, role)
      const isManaging = role?.organization_id === null && permissionsOf(role).includes(manage)
      if (!isManaging) await assertManagerLeft(tx, call, before)
    },
  )
}

/**
 * Removes a member; all members may remove themselves.
 * @throws ApiError not_found, forbidden, last_manager
 */
export async function removeFellowMember(deps: Deps, call: AnyCall, id: string, memberId: string) {
  await visitOrganization(deps, call, id)
  return members.deleteOrganizationMember(deps, call.tenantId, memberId, call.actor(), async (tx, before) => {
    await enterWith(deps, tx, call, id, before)
    await assertManagerLeft(tx, call, before)
  })
}

/**
 * Ends the user's own membership.
 * @throws ApiError not_found, last_manager
 */
export async function leaveOrganization(deps: Deps, call: AnyCall, id: string) {
  const { id: memberId } = await visitOrganization(deps, call, id)
  return removeFellowMember(deps, call, id, memberId)
}
