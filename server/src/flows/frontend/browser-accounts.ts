// The accounts of one browser: each of its sessions has a cookie of its own beside that of the active one, so that two tabs that sign in or
// switch at once lose none. What is not in the cookies of a request is not in its browser.
import { type BrowserAccount, tokenPrefixes } from '@bailiwick/contract'
import { signInRules } from '../../identity/authenticators/factor-rules.ts'
import type { Deps } from '../../identity/deps.ts'
import { type CreatedSession, endSession, usableSessions } from '../../identity/sessions/sessions.ts'
import { isTrustedDevice } from '../../identity/trusted-devices/trusted-devices.ts'
import { presentOrganizationUserSummary } from '../../identity/users/present.ts'
import { findUsers } from '../../identity/users/users.ts'
import { hashToken, hasValidChecksum } from '../../platform/crypto/tokens.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { fromJson } from '../../platform/json-text.ts'
import type { AnyCall } from './flow.ts'

type SessionRow = CreatedSession['row']

/** How many users a browser keeps signed in. */
const accountsMax = 5

interface HeldAccount {
  readonly row: SessionRow
  readonly token: string
}

/**
 * Returns the sessions of this tenant that the browser holds and can use, oldest first. Cookies of others are removed, such as those of
 * users who were suspended or erased.
 */
export async function findAccounts(deps: Deps, call: AnyCall): Promise<HeldAccount[]> {
  const held = call
    .heldAccounts()
    .filter(({ token }) => token.startsWith(tokenPrefixes.session) && hasValidChecksum(token))
  const tokens = new Map(held.map(({ token }) => [hashToken(token), token]))
  const usable = await usableSessions(deps, call.tenant, [...tokens.keys()])
  const accounts = usable.map(({ token_hash: hash, ...row }) => ({ row, token: tokens.get(hash) ?? '' }))
  const ids = new Set<string>(accounts.map(({ row }) => row.id))
  for (const { id } of call.heldAccounts()) if (id !== undefined && !ids.has(id)) call.dropAccount(id)
  return accounts
}

/** A session that was ended elsewhere a moment ago has ended as well. */
async function endOne(deps: Deps, call: AnyCall, { id, user_id: userId }: SessionRow): Promise<number> {
  call.dropAccount(id)
  try {
    await endSession(deps, call.tenantId, id, call.actor(userId))
    return 1
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
    return 0
  }
}

/**
 * Adds a new session to the accounts of the browser. An earlier session of the same user ends (ASVS 7.2.4), and so does the oldest of
 * another user if there are too many.
 */
export async function addAccount(deps: Deps, call: AnyCall, { id, user_id: userId }: SessionRow, token: string) {
  if (!call.keepsAccounts) return
  const before = (await findAccounts(deps, call)).filter(({ row }) => row.id !== id)
  const others = before.filter(({ row }) => row.user_id !== userId)
  const surplus = new Set(others.slice(0, Math.max(0, others.length - accountsMax + 1)))
  for (const account of before) {
    if (account.row.user_id === userId || surplus.has(account)) await endOne(deps, call, account.row)
    else call.keepAccount(account.row.id, account.token)
  }
  call.keepAccount(id, token)
}

export async function getBrowserAccounts(deps: Deps, call: AnyCall): Promise<BrowserAccount[]> {
  const { session, tenantId } = call
  const rows = call.transport === 'cookie' ? (await findAccounts(deps, call)).map(({ row }) => row) : []
  if (session !== undefined && session.row.actor_type === null && !rows.some(({ id }) => id === session.row.id))
    rows.push(session.row)
  const ids = rows.map((row) => row.user_id)
  const users = new Map((await findUsers(deps, tenantId, ids)).map((user) => [user.row.id, user]))
  return rows.flatMap(({ id, user_id: userId }) => {
    const user = users.get(userId)
    const current = id === session?.row.id
    return user === undefined ? [] : [{ id, current, user: presentOrganizationUserSummary(user) }]
  })
}

/**
 * Refuses a session that the user would not get now. A provider of an organization may have asked for the second factor itself.
 * @throws ApiError second_factor_required
 */
async function assertStrongEnough(deps: Deps, call: AnyCall, row: SessionRow) {
  const factors = row.factors === null ? [] : fromJson(row.factors)
  if (row.second_factor_at !== null || factors.includes('enterprise')) return
  const { tenant, tenantId } = call
  const [user] = await findUsers(deps, tenantId, [row.user_id])
  if (signInRules(tenant.auth, user?.role, deps.clock.now()).length === 0) return
  const device = { tenantId, userId: row.user_id, tokenHash: call.heldHash('device') }
  if (!(await isTrustedDevice(deps, deps.db, tenant.auth, device))) throw new ApiError('second_factor_required')
}

/**
 * Makes another session of this browser the active one.
 * @throws ApiError not_found if this browser does not hold it, second_factor_required
 */
export async function switchBrowserAccount(deps: Deps, call: AnyCall, id: string): Promise<HeldAccount> {
  const accounts = call.keepsAccounts ? await findAccounts(deps, call) : []
  const account = accounts.find(({ row }) => row.id === id)
  if (account === undefined) throw notFound()
  await assertStrongEnough(deps, call, account.row)
  // The active one may have begun before the tenant allowed several.
  for (const { row, token } of accounts) call.keepAccount(row.id, token)
  call.give('session', account.token)
  return account
}

/** @throws ApiError not_found if this browser does not hold it. */
export async function endBrowserAccount(deps: Deps, call: AnyCall, id: string): Promise<number> {
  const isCurrent = call.session?.row.id === id
  const account = (await findAccounts(deps, call)).find(({ row }) => row.id === id)
  const row = account?.row ?? (isCurrent ? call.session?.row : undefined)
  if (row === undefined) throw notFound()
  const ended = await endOne(deps, call, row)
  if (isCurrent) call.forgetSession()
  return ended
}

/** Ends every session that this browser holds; returns how many. */
export async function endBrowserAccounts(deps: Deps, call: AnyCall): Promise<number> {
  let ended = 0
  const rows = (await findAccounts(deps, call)).map(({ row }) => row)
  if (call.session !== undefined && !rows.some(({ id }) => id === call.session?.row.id)) rows.push(call.session.row)
  for (const row of rows) ended += await endOne(deps, call, row)
  call.forgetSession()
  return ended
}
