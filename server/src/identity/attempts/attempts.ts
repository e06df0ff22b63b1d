// Lists, reads and removes the records of attempts to sign in and to sign up. The flows sign-in and sign-up create and advance them.
import type { SignInAttemptWithFailure, SignInFailure, SignUpAttempt } from '@bailiwick/contract'
import { addToCounters } from '../../platform/db/counters.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import type { Selection } from '../../platform/db/table.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { type CreatedRange, type ListIndex, narrowed, totalOf } from '../../platform/http/lists/list-filter.ts'
import { pageEnvelope, type PageQuery, pageRequest, selectPageAndTotal } from '../../platform/http/lists/page.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import { fromJson } from '../../platform/json-text.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import type { Deps } from '../deps.ts'
import { withUser, withUsers } from '../users/with-users.ts'
import * as queries from './queries.ts'
import {
  type AttemptTable,
  type SignInAttemptRow,
  type SignUpAttemptRow,
  signInAttempts,
  signUpAttempts,
} from './tables.ts'

const batchSize = 200

type AnyAttempt = SignInAttemptWithFailure | SignUpAttempt
type Row = SignInAttemptRow | SignUpAttemptRow

/** What differs between the two kinds of attempt. The counter of a kind has the name of its table. */
export interface AttemptKind<R extends Row, Shown> {
  readonly table: AttemptTable
  readonly rows: Selection<R>
  /** The type of the event that records a removal. */
  readonly deleted: 'sign_in_attempt.deleted' | 'sign_up_attempt.deleted'
  readonly present: (row: R) => Shown
}

function presentFailure(row: SignInAttemptRow): SignInFailure | null {
  const { failure_reason: reason, failed_strategy: strategy, failed_at: at, failures: count } = row
  if (reason === null || strategy === null || at === null) return null
  return { reason, strategy, count, at, ip: row.failure_ip, ua: row.failure_ua }
}

export const signInKind: AttemptKind<SignInAttemptRow, SignInAttemptWithFailure> = {
  table: 'sign_in_attempts',
  rows: signInAttempts,
  deleted: 'sign_in_attempt.deleted',
  present: (row) => ({
    id: row.id,
    tenantId: row.tenant_id,
    userId: row.user_id,
    identifier: row.identifier,
    status: row.status,
    strategy: row.strategy,
    supportedFirstFactors: fromJson(row.supported_first_factors),
    supportedSecondFactors: fromJson(row.supported_second_factors),
    oauthProviderId: row.oauth_provider_id,
    redirectUri: row.redirect_uri,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    failure: presentFailure(row),
  }),
}

export const signUpKind: AttemptKind<SignUpAttemptRow, SignUpAttempt> = {
  table: 'sign_up_attempts',
  rows: signUpAttempts,
  deleted: 'sign_up_attempt.deleted',
  present: (row) => ({
    id: row.id,
    tenantId: row.tenant_id,
    userId: row.user_id,
    identifier: row.identifier,
    status: row.status,
    requiredFields: fromJson(row.required_fields),
    missingFields: fromJson(row.missing_fields),
    requiredVerifications: fromJson(row.required_verifications),
    missingVerifications: fromJson(row.missing_verifications),
    strategy: row.strategy,
    supportedFirstFactors: fromJson(row.supported_first_factors),
    supportedSecondFactors: fromJson(row.supported_second_factors),
    oauthProviderId: row.oauth_provider_id,
    redirectUri: row.redirect_uri,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }),
}

export interface AttemptQuery extends PageQuery, CreatedRange {
  readonly userId?: string
  readonly status?: Row['status']
  readonly failure?: SignInFailure['reason']
}

const listIndexesOf = (table: AttemptTable): readonly ListIndex[] => [
  { name: `${table}_user_list`, columns: { user_id: null } },
  { name: `${table}_failure`, columns: { failure_reason: null } },
  { name: `${table}_status`, columns: { status: null } },
]

/** @throws ApiError not_found for a tenant that does not exist. */
export async function listAttempts<R extends Row, Shown extends AnyAttempt>(
  deps: Deps,
  { table, rows, present }: AttemptKind<R, Shown>,
  tenantId: TenantId,
  query: AttemptQuery,
) {
  await getTenant(deps, tenantId)
  const { db } = deps
  const request = pageRequest(query)
  const { userId: user_id, status, failure: failure_reason } = query
  const asked = { user_id, status, failure_reason }
  const list = narrowed(queries.attemptSource(rows, tenantId), asked, listIndexesOf(table), query)
  const { page, total } = await selectPageAndTotal(db, list, totalOf(tenantId, list, table), request)
  const data = await withUsers(db, tenantId, page.rows.map(present))
  return pageEnvelope(page, data, total, request.perPage)
}

/** @throws ApiError not_found */
export async function getAttempt<R extends Row, Shown extends AnyAttempt>(
  { db }: Deps,
  { rows, present }: AttemptKind<R, Shown>,
  tenantId: TenantId,
  id: string,
) {
  const row = await queries.selectAttempt(db, rows, tenantId, id)
  if (row === undefined) throw notFound()
  return withUser(db, tenantId, present(row))
}

/**
 * Removes an attempt; if it is under way, it can no longer be finished.
 * @throws ApiError not_found
 */
export async function deleteAttempt<R extends Row, Shown extends AnyAttempt>(
  deps: Deps,
  { table, rows, deleted, present }: AttemptKind<R, Shown>,
  tenantId: TenantId,
  id: string,
  actor: Actor,
) {
  const { db, clock, personal } = deps
  return db.transaction(async (tx) => {
    const row = await queries.selectAttempt(tx, rows, tenantId, id)
    if (row === undefined || (await tx.run(queries.deleteAttempt(table, tenantId, id))) === 0) throw notFound()
    await tx.run(addToCounters(tx, tenantId, { [table]: -1 }))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: deleted,
        actor,
        subjectId: id,
        data: { userId: row.user_id, status: row.status },
      }),
    )
    return withUser(tx, tenantId, present(row))
  })
}

/** Yields all stored attempts of one user, oldest first. It reads them in batches. */
export async function* attemptsOfUser<R extends Row, Shown>(
  db: Reader,
  { rows, present }: AttemptKind<R, Shown>,
  tenantId: TenantId,
  userId: UserId,
): AsyncGenerator<Shown> {
  for (let after = ''; ;) {
    const found = await queries.selectAttemptsOfUser(db, rows, tenantId, userId, after, batchSize)
    yield* found.map(present)
    const last = found.at(-1)
    if (last === undefined || found.length < batchSize) return
    after = last.created_at
  }
}

/** Removes the personal data in a user's attempts. It is part of erasing the user, whom the transaction holds. */
export async function eraseAttemptsOf(tx: Transaction, tenantId: TenantId, userId: UserId): Promise<void> {
  for (const { table } of [signInKind, signUpKind]) {
    const erased = await tx.run(queries.deleteAttemptsOfUser(table, tenantId, userId))
    if (erased > 0) await tx.run(addToCounters(tx, tenantId, { [table]: -erased }))
  }
}

/** Returns the distinct redirect addresses that the newest attempts of all tenants asked for. */
export const recentRedirects = (db: Reader, table: AttemptTable, limit: number) =>
  queries.selectRecentRedirects(db, table, limit)
