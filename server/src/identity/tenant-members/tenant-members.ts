// The members who administer a tenant. They are users of the console's own tenant.
import { type CreateTenantMember, emailKey, roleFlags } from '@bailiwick/contract'
import { invalidateUser } from '../../platform/cache/invalidation.ts'
import { machineTime } from '../../platform/clock.ts'
import { isSharded } from '../../platform/db/citus/is-sharded.ts'
import { addToCounters, readCounters } from '../../platform/db/counters.ts'
import { type Database, type Transaction, writeReturning } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import { eventStatement } from '../../platform/events/append.ts'
import type { TenantDefaults } from '../../platform/feature.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { isPast, readEnd } from '../../platform/http/ends.ts'
import {
  type CountedList,
  type CountedRow,
  type PageQuery,
  type PageRequest,
  countedPage,
  pageEnvelope,
  pageRequest,
  selectCountedRows,
} from '../../platform/http/lists/page.ts'
import { type TenantId, type UserId, newId } from '../../platform/ids.ts'
import { getConsoleTenantId } from '../../tenancy/tenants/console-tenant.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import type { Deps } from '../deps.ts'
import { findUserByEmail, lockUser } from '../users/find-user.ts'
import { presentUserSummary } from '../users/present.ts'
import { type ListedUser, findUserSummaries, selectWithUsers } from '../users/user-summaries.ts'
import { findUserWithContacts, prepareUser, userStatements } from '../users/users.ts'
import { type Flags, flagColumns, presentFlags } from './flags.ts'
import { presentTenantMember } from './present.ts'
import * as queries from './queries.ts'

type ListedMember = ListedUser<queries.TenantMemberRow & CountedRow>

/**
 * Reads the members of a page, their users and the length of the list by a statement for each. On Citus, the users are on the shard of the
 * console and the counter is on that of the tenant: one statement about both would carry what it finds from one shard to the other.
 */
async function selectOneByOne(
  db: Database,
  consoleTenantId: TenantId,
  list: CountedList<queries.TenantMemberRow>,
  request: PageRequest,
) {
  const [found, counts] = await Promise.all([
    db.all<ListedMember['row']>(selectCountedRows(list, request, sql`NULL`)),
    readCounters(db, list.tenantId, [list.counter]),
  ])
  const users = await findUserSummaries(
    db,
    consoleTenantId,
    found.map((row) => row.user_id),
  )
  const total = counts.get(list.counter) ?? 0
  return found.map((row) => ({ row: { ...row, list_total: total }, user: users.get(row.user_id) }))
}

/** @throws ApiError not_found for a tenant that does not exist. */
export async function listTenantMembers(deps: Deps, tenantId: TenantId, query: PageQuery) {
  await getTenant(deps, tenantId)
  const { db } = deps
  const request = pageRequest(query)
  const list = { source: queries.memberSource(tenantId, machineTime(deps.clock)), tenantId, counter: 'members' }
  const consoleTenantId = await getConsoleTenantId(db)
  const found = (await isSharded(db))
    ? await selectOneByOne(db, consoleTenantId, list, request)
    : await selectWithUsers<ListedMember['row']>(db, consoleTenantId, selectCountedRows(list, request))
  const rows = found.map(({ row }) => row)
  const { page, total } = await countedPage(db, list, request, rows)
  // Read by a statement of its own, a user may have been deleted since.
  const data = found
    .slice(0, request.perPage)
    .flatMap(({ row, user }) => (user === undefined ? [] : [presentTenantMember(row, user)]))
  return pageEnvelope(page, data, total, request.perPage)
}

/** Returns the membership, with every flag, of the console user who creates a tenant. */
export function foundingMember(
  deps: Pick<Deps, 'clock'>,
  tenantId: TenantId,
  consoleTenantId: TenantId,
  userId: UserId,
): TenantDefaults {
  const flags = Object.fromEntries(roleFlags.map((flag) => [flag, true]))
  const row = memberRow(deps, tenantId, consoleTenantId, userId, flags)
  return { statements: [queries.insertMember(row)], counts: { members: 1 } }
}

/** Returns every row of a new membership, for one all-or-nothing write. */
export function memberStatements(deps: Deps, shard: number, row: queries.TenantMemberRow, actor: Actor): Statement[] {
  const { clock, personal } = deps
  return [
    queries.insertMember(row),
    addToCounters({ shard }, row.tenant_id, { members: 1 }),
    eventStatement(clock, personal, {
      tenantId: row.tenant_id,
      type: 'tenant_membership.created',
      actor,
      subjectId: row.id,
      data: { userId: row.user_id, flags: presentFlags(row), expiresAt: row.expires_at },
    }),
  ]
}

/** Removes a member whom the transaction holds. Returns whether the member was still there. */
export async function remove(
  { clock, personal, sessions }: Deps,
  tx: Transaction,
  row: queries.TenantMemberRow,
  type: 'tenant_membership.deleted' | 'tenant_membership.expired',
  actor: Actor,
): Promise<boolean> {
  const { tenant_id: tenantId, id, user_tenant_id: userTenantId, user_id: userId } = row
  if ((await tx.run(queries.deleteMember(tenantId, id))) === 0) return false
  await tx.run(addToCounters(tx, tenantId, { members: -1 }))
  const data = { userId, flags: presentFlags(row), expiresAt: row.expires_at }
  await tx.run(eventStatement(clock, personal, { tenantId, type, actor, subjectId: id, data }))
  await invalidateUser(tx, sessions, userTenantId, userId)
  return true
}

const nobody: Actor = { type: 'system', id: null, ip: null, ua: null }

/** Removes a member whose time has ended, unless it was prolonged meanwhile. */
export async function removeIfEnded(deps: Deps, tx: Transaction, tenantId: TenantId, userId: UserId) {
  const found = await queries.selectMember(tx, tenantId, userId)
  const row = found && (await queries.selectMemberForUpdate(tx, tenantId, found.id))
  if (row !== undefined && isPast(row.expires_at, machineTime(deps.clock)))
    await remove(deps, tx, row, 'tenant_membership.expired', nobody)
}

/**
 * Makes a person a member at once, without an invitation: the console user who has the address, or a new one. Only the operator may do
 * this: anybody else could bring people into a tenant that they never agreed to administer.
 * @throws ApiError member_exists; not_found for a tenant that does not exist; validation_failed for an end that is not in the future.
 */
export async function createTenantMember(
  deps: Deps,
  tenantId: TenantId,
  input: Omit<CreateTenantMember, 'tenantId'>,
  actor: Actor,
) {
  await getTenant(deps, tenantId)
  const { db } = deps
  const consoleTenantId = await getConsoleTenantId(db)
  const owner = await findUserByEmail(db, consoleTenantId, emailKey(input.email))
  if (owner !== undefined) return addExistingUser(deps, tenantId, consoleTenantId, owner.id, input, actor)
  return addNewUser(deps, tenantId, consoleTenantId, input, actor)
}

interface NewRights extends Partial<Flags> {
  readonly expiresAt?: string | null
}

export function memberRow(
  deps: Pick<Deps, 'clock'>,
  tenantId: TenantId,
  consoleTenantId: TenantId,
  userId: UserId,
  { expiresAt, ...flags }: NewRights,
): queries.TenantMemberRow {
  const at = deps.clock.next()
  return {
    tenant_id: tenantId,
    id: newId<'MemberId'>(),
    user_tenant_id: consoleTenantId,
    user_id: userId,
    ...flagColumns(flags),
    expires_at: readEnd(machineTime(deps.clock), '/expiresAt', expiresAt ?? null),
    created_at: at,
    updated_at: at,
  }
}

async function addExistingUser(
  deps: Deps,
  tenantId: TenantId,
  consoleTenantId: TenantId,
  userId: UserId,
  input: Omit<CreateTenantMember, 'tenantId'>,
  actor: Actor,
) {
  const issues = (['name', 'password'] as const)
    .filter((name) => input[name] !== undefined)
    .map((name) => ({
      path: `/${name}`,
      code: 'user_exists',
      message: 'cannot be set, because this e-mail address already has an account at the console',
    }))
  if (issues.length > 0) throw new ApiError('validation_failed', { issues })
  return deps.db.transaction(async (tx) => {
    if ((await lockUser(tx, consoleTenantId, userId)) === undefined) throw notFound()
    await removeIfEnded(deps, tx, tenantId, userId)
    const row = memberRow(deps, tenantId, consoleTenantId, userId, input)
    await tx.runAll(memberStatements(deps, tx.shard, row, actor))
    await invalidateUser(tx, deps.sessions, consoleTenantId, userId)
    const user = await findUserWithContacts(tx, consoleTenantId, userId)
    if (user === undefined) throw notFound()
    return presentTenantMember(row, presentUserSummary(user))
  })
}

async function addNewUser(
  deps: Deps,
  tenantId: TenantId,
  consoleTenantId: TenantId,
  input: Omit<CreateTenantMember, 'tenantId'>,
  actor: Actor,
) {
  const newUser = {
    email: input.email,
    emailVerified: true,
    ...(input.name === undefined ? {} : { name: input.name }),
    ...(input.password === undefined ? {} : { password: input.password }),
  }
  const prepared = await prepareUser(deps, consoleTenantId, newUser)
  return writeReturning(deps.db, (context) => {
    const user = userStatements(deps, context, consoleTenantId, newUser, prepared, actor)
    const row = memberRow(deps, tenantId, consoleTenantId, user.record.row.id, input)
    return {
      statements: [...user.statements, ...memberStatements(deps, context.shard, row, actor)],
      returns: presentTenantMember(row, presentUserSummary(user.record)),
    }
  })
}
