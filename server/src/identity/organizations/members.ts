// The members of an organization.
import type { CreateOrganizationMember, Issue, UpdateOrganizationMember } from '@bailiwick/contract'
import type { Timestamp } from '../../platform/clock.ts'
import { addToCounters, sumOfCounter } from '../../platform/db/counters.ts'
import { type Reader, type Transaction, type WriteContext, writeReturning } from '../../platform/db/database.ts'
import type { Fragment } from '../../platform/db/sql.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { type TimedReader, isPast } from '../../platform/http/ends.ts'
import { pageEnvelope, type PageQuery, pageRequest, selectPageAndTotal } from '../../platform/http/lists/page.ts'
import { type OrganizationId, type RoleId, type TenantId, type UserId, newId } from '../../platform/ids.ts'
import { metaText, metaTextOr } from '../../platform/json-text.ts'
import { findRole, findRolesOfHolders, roleMembersCounter } from '../../tenancy/roles/roles.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import type { Deps } from '../deps.ts'
import { assertMayEndMembership, assertMayGiveRole } from '../users/managed-by-directory.ts'
import { findUserWithContacts, findUsersWithContacts } from '../users/users.ts'
import { roleDeltas } from './member-role.ts'
import { assertManagedWithoutEnd, endsAfter, isOver, removeIfEnded } from './membership-ends.ts'
import {
  checkMembershipLimit,
  findGivenRole,
  membersCounter,
  refuse,
  missingRole,
  missingReference,
} from './membership.ts'
import { presentOrganizationMember } from './present.ts'
import * as queries from './queries.ts'

export interface NewMember {
  readonly tenantId: TenantId
  readonly organizationId: OrganizationId
  readonly userId: UserId
  readonly roleId: RoleId | null
  readonly at: Timestamp
  /** When the membership ends; by default never. */
  readonly expiresAt?: Timestamp | null
}

export const newMemberRow = (member: NewMember): queries.OrganizationMemberRow => ({
  tenant_id: member.tenantId,
  id: newId<'MemberId'>(),
  organization_id: member.organizationId,
  user_id: member.userId,
  role_id: member.roleId,
  public_meta: metaText(undefined),
  private_meta: metaText(undefined),
  expires_at: member.expiresAt ?? null,
  role_expires_at: null,
  created_at: member.at,
  updated_at: member.at,
})

/** Returns every row of a new membership, for one all-or-nothing write. */
export function memberStatements(
  { clock, personal }: Deps,
  context: WriteContext,
  row: queries.OrganizationMemberRow,
  actor: Actor,
) {
  const { tenant_id: tenantId, organization_id: organizationId, user_id: userId, role_id: roleId } = row
  return [
    queries.insertOrganizationMember(row),
    addToCounters(context, tenantId, {
      [membersCounter(organizationId)]: 1,
      ...(roleId === null ? {} : { [roleMembersCounter(roleId)]: 1 }),
    }),
    eventStatement(clock, personal, {
      tenantId,
      type: 'organization_membership.created',
      actor,
      subjectId: row.id,
      data: { organizationId, userId, roleId },
    }),
  ]
}

/**
 * Makes a user a member. The organization is held while its members are counted only if it has a limit: without one, users who join do not
 * wait for each other.
 * @throws ApiError not_found if the organization does not exist; validation_failed for a user or role of another tenant; member_exists;
 * membership_limit_reached.
 */
export async function createOrganizationMember(
  deps: Deps,
  tenantId: TenantId,
  input: CreateOrganizationMember,
  actor: Actor,
) {
  const { db, clock } = deps
  const { auth } = await getTenant(deps, tenantId)
  const { organizationId } = input
  const limit = auth.organizationMembershipLimit
  const organization = await queries.selectOrganization(db, tenantId, organizationId)
  if (organization === undefined) throw notFound()
  const { user, role } = await findNamed(db, tenantId, input)
  const ends = endsAfter(deps, input, noEnds, role?.row.id ?? null)
  const former = await queries.selectMemberOf(db, tenantId, organizationId, user.row.id)
  if (former !== undefined && isOver(former, clock.now()))
    await db.transaction((tx) => removeIfEnded(deps, tx, tenantId, former.id))

  const newRow = (): queries.OrganizationMemberRow => {
    const at = clock.next()
    return {
      tenant_id: tenantId,
      id: newId<'MemberId'>(),
      organization_id: organization.id,
      user_id: user.row.id,
      role_id: role?.row.id ?? null,
      public_meta: metaText(input.publicMeta),
      private_meta: metaText(input.privateMeta),
      ...ends,
      created_at: at,
      updated_at: at,
    }
  }
  try {
    return await (limit === 0 ? join(deps, newRow, actor) : joinWithinLimit(deps, newRow, limit, actor))
  } catch (error) {
    const cause = missingReference(error)
    // Finds out which of the references is missing; if user and role still exist, it is the organization.
    if (cause !== error) await findNamed(db, tenantId, input)
    throw cause
  }
}

const noEnds = { expires_at: null, role_expires_at: null }

type NewRow = () => queries.OrganizationMemberRow

async function join(deps: Deps, newRow: NewRow, actor: Actor) {
  const row = await writeReturning(deps.db, (context) => {
    const returns = newRow()
    return { statements: memberStatements(deps, context, returns, actor), returns }
  })
  return present(deps, row)
}

const joinWithinLimit = (deps: Deps, newRow: NewRow, limit: number, actor: Actor) =>
  deps.db.transaction(async (tx) => {
    const row = newRow()
    await addMember(deps, tx, row, limit, actor)
    return present({ ...deps, db: tx }, row)
  })

/**
 * Makes a user a member as part of the caller's transaction.
 * @param limit how many members the organization may have; 0 means no limit.
 * @throws ApiError not_found, member_exists, membership_limit_reached
 */
export async function addMember(
  deps: Deps,
  tx: Transaction,
  row: queries.OrganizationMemberRow,
  limit: number,
  actor: Actor,
): Promise<void> {
  const { tenant_id: tenantId, organization_id: organizationId } = row
  if ((await queries.lockOrganization(tx, tenantId, organizationId)) === undefined) throw notFound()
  const existing = await queries.selectMemberOf(tx, tenantId, organizationId, row.user_id)
  if (existing !== undefined) {
    if (!isOver(existing, deps.clock.now())) throw new ApiError('member_exists')
    await removeIfEnded(deps, tx, tenantId, existing.id)
  }
  await checkMembershipLimit(tx, tenantId, organizationId, limit)
  await tx.runAll(memberStatements(deps, tx, row, actor))
}

/** @throws ApiError validation_failed for a user or a role of another tenant; it names both if both are. */
async function findNamed(db: Reader, tenantId: TenantId, input: CreateOrganizationMember) {
  const issues: Issue[] = []
  const role = await findGivenRole(db, { tenantId, organizationId: input.organizationId }, input.roleId, issues)
  const user = await findUserWithContacts(db, tenantId, input.userId)
  if (user === undefined) {
    issues.unshift({ path: '/userId', code: 'unknown_reference', message: 'is not a user of this tenant' })
    throw new ApiError('validation_failed', { issues })
  }
  refuse(issues)
  return { user, role }
}

/** @throws ApiError not_found */
export async function listOrganizationMembers(
  { db, clock }: Deps,
  tenantId: TenantId,
  organizationId: string,
  query: PageQuery,
) {
  if ((await queries.selectOrganization(db, tenantId, organizationId)) === undefined) throw notFound()
  const source = queries.memberSource(tenantId, organizationId, clock.now())
  return listMembers(
    { db, clock },
    tenantId,
    { source, total: sumOfCounter(tenantId, membersCounter(organizationId)) },
    query,
  )
}

interface ListedMembers {
  readonly source: ReturnType<typeof queries.memberSource>
  readonly total: Fragment
}

/** Lists some members of an organization, with their users and the roles that they have now. */
export async function listMembers(
  { db, clock }: TimedReader,
  tenantId: TenantId,
  { source, total: count }: ListedMembers,
  query: PageQuery,
) {
  const request = pageRequest(query)
  const { page, total } = await selectPageAndTotal(db, source, count, request)
  const now = clock.now()
  const rows = page.rows.map((row) => withoutEndedRole(row, now))
  const [users, roleFor] = await Promise.all([
    findUsersWithContacts(
      db,
      tenantId,
      rows.map((row) => row.user_id),
    ),
    findRolesOfHolders(db, tenantId, rows),
  ])
  const byId = new Map(users.map((user) => [user.row.id, user]))
  const data = rows.flatMap((row) => {
    const user = byId.get(row.user_id)
    return user === undefined ? [] : [presentOrganizationMember(row, user, roleFor(row))]
  })
  return pageEnvelope(page, data, total, request.perPage)
}

/** Returns the row without a role that has ended and is not removed yet. */
const withoutEndedRole = (row: queries.OrganizationMemberRow, now: Timestamp): queries.OrganizationMemberRow =>
  isPast(row.role_expires_at, now) ? { ...row, role_id: null, role_expires_at: null } : row

async function present({ db, clock }: TimedReader, stored: queries.OrganizationMemberRow) {
  const row = withoutEndedRole(stored, clock.now())
  const user = await findUserWithContacts(db, row.tenant_id, row.user_id)
  if (user === undefined) throw notFound()
  const { tenant_id: tenantId, organization_id: organizationId, role_id: roleId } = row
  const role = roleId === null ? undefined : await findRole(db, tenantId, organizationId, roleId)
  return presentOrganizationMember(row, user, role)
}

/** @throws ApiError not_found */
export async function getOrganizationMember({ db, clock }: Deps, tenantId: TenantId, id: string) {
  const row = await queries.selectMember(db, tenantId, id)
  if (row === undefined || isOver(row, clock.now())) throw notFound()
  return present({ db, clock }, row)
}

/** Returns a member, held until the transaction ends. */
export const holdMember = queries.selectMemberForUpdate

/** A check that a caller makes on a member, who is held, before the change is made. */
export type MemberCheck = (tx: Transaction, before: queries.OrganizationMemberRow) => Promise<void>

const described = (row: queries.OrganizationMemberRow) => ({
  roleId: row.role_id,
  expiresAt: row.expires_at,
  roleExpiresAt: row.role_expires_at,
})

/**
 * @throws ApiError not_found; validation_failed for a role of another tenant, or an end that is not in the future; managed_by_directory for
 * a role that groups of a directory decide; last_manager for an end of the last member who can manage the others without one.
 */
export async function updateOrganizationMember(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  input: UpdateOrganizationMember,
  actor: Actor,
  check?: MemberCheck,
) {
  const { db, clock, personal } = deps
  const changed = db.transaction(async (tx) => {
    const before = await queries.selectMemberForUpdate(tx, tenantId, id)
    if (before === undefined || isOver(before, clock.now())) throw notFound()
    await check?.(tx, before)
    if (input.roleId !== undefined && input.roleId !== before.role_id) await assertMayGiveRole(tx, before)
    const issues: Issue[] = []
    const role = await findGivenRole(tx, { tenantId, organizationId: before.organization_id }, input.roleId, issues)
    refuse(issues)
    const roleId = input.roleId === undefined ? before.role_id : (role?.row.id ?? null)
    // What was said of one role does not count for the next.
    const roleEnd = roleId === before.role_id ? before.role_expires_at : null
    const ends = endsAfter(deps, input, { ...before, role_expires_at: roleEnd }, roleId)
    await assertManagedWithoutEnd(tx, before, ends)
    const after: queries.OrganizationMemberRow = {
      ...before,
      ...ends,
      role_id: roleId,
      public_meta: metaTextOr(input.publicMeta, before.public_meta),
      private_meta: metaTextOr(input.privateMeta, before.private_meta),
      updated_at: clock.now(),
    }
    await tx.run(queries.updateMember(after))
    const deltas = roleDeltas(before.role_id, after.role_id)
    if (Object.keys(deltas).length > 0) await tx.run(addToCounters(tx, tenantId, deltas))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'organization_membership.updated',
        actor,
        subjectId: id,
        data: { before: described(before), after: described(after), userId: after.user_id },
      }),
    )
    return present({ db: tx, clock }, after)
  })
  return changed.catch((error: unknown) => {
    throw missingRole(error)
  })
}

/** @throws ApiError not_found, managed_by_directory */
export async function deleteOrganizationMember(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  actor: Actor,
  check?: MemberCheck,
) {
  return deps.db.transaction(async (tx) => {
    const row = await queries.selectMemberForUpdate(tx, tenantId, id)
    if (row === undefined) throw notFound()
    await check?.(tx, row)
    await assertMayEndMembership(tx, row)
    await removeMember(deps, tx, row, actor)
    return present({ ...deps, db: tx }, row)
  })
}

/** Ends a membership that the caller's transaction holds. */
export async function removeMember(
  { clock, personal }: Deps,
  tx: Transaction,
  row: queries.OrganizationMemberRow,
  actor: Actor,
): Promise<void> {
  const { tenant_id: tenantId, organization_id: organizationId, user_id: userId, role_id: roleId } = row
  await tx.run(queries.deleteMember(tenantId, row.id))
  await tx.run(addToCounters(tx, tenantId, { [membersCounter(organizationId)]: -1, ...roleDeltas(roleId, null) }))
  await tx.run(
    eventStatement(clock, personal, {
      tenantId,
      type: 'organization_membership.deleted',
      actor,
      subjectId: row.id,
      data: { organizationId, userId, roleId },
    }),
  )
}

/**
 * Holds the organization, so that decisions that depend on its members happen one after the other.
 * @throws ApiError not_found
 */
export async function holdOrganization(tx: Transaction, tenantId: TenantId, organizationId: string) {
  const organization = await queries.selectOrganizationForUpdate(tx, tenantId, organizationId)
  if (organization === undefined) throw notFound()
  return organization
}

/** Returns whether the organization has another member. */
export async function hasOtherMember(
  tx: Transaction,
  { tenant_id: tenantId, organization_id: organizationId, id }: queries.OrganizationMemberRow,
): Promise<boolean> {
  return (await queries.selectOtherMember(tx, tenantId, organizationId, id)) !== undefined
}

/** Returns whether another member of the organization has a role with a permission. */
export async function hasOtherMemberWith(
  tx: Transaction,
  { tenant_id: tenantId, organization_id: organizationId, id }: queries.OrganizationMemberRow,
  permission: string,
): Promise<boolean> {
  return (await queries.selectOtherMemberWith(tx, tenantId, organizationId, id, permission)) !== undefined
}
