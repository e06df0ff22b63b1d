import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Fragment, type Statement, sql } from '../../platform/db/sql.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import { type AttemptTable, signInNames, signUpNames } from './attempt-rows.ts'

const columnsOf: Readonly<Record<AttemptTable, Fragment>> = {
  sign_in_attempts: sql.join(
    signInNames.map((name) => sql.identifier(name)),
    ', ',
  ),
  sign_up_attempts: sql.join(
    signUpNames.map((name) => sql.identifier(name)),
    ', ',
  ),
}

export const attemptSource = (table: AttemptTable, tenantId: TenantId) => ({
  columns: columnsOf[table],
  table: sql.identifier(table),
  where: sql`tenant_id = ${tenantId}`,
})

export const selectAttempt = <Row extends object>(db: Reader, table: AttemptTable, tenantId: TenantId, id: string) =>
  db.first<Row>(
    sql`SELECT ${columnsOf[table]} FROM ${sql.identifier(table)} WHERE tenant_id = ${tenantId} AND id = ${id}`,
  )

/** All of one user that are kept, in the order of their ids. */
export const selectAttemptsOfUser = <Row extends object>(
  db: Reader,
  table: AttemptTable,
  tenantId: TenantId,
  userId: UserId,
  after: string,
  limit: number,
) =>
  db.all<Row>(sql`SELECT ${columnsOf[table]} FROM ${sql.identifier(table)}
    WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND id > ${after} ORDER BY id LIMIT ${limit}`)

export const deleteAttempt = (table: AttemptTable, tenantId: TenantId, id: string): Statement =>
  sql`DELETE FROM ${sql.identifier(table)} WHERE tenant_id = ${tenantId} AND id = ${id}`

export const deleteAttemptsOfUser = (table: AttemptTable, tenantId: TenantId, userId: UserId): Statement =>
  sql`DELETE FROM ${sql.identifier(table)} WHERE tenant_id = ${tenantId} AND user_id = ${userId}`

/** Of any tenant, for the clean-up. */
export const selectOldAttempts = (db: Reader, table: AttemptTable, before: Timestamp, limit: number) =>
  db.all<{ tenant_id: TenantId; id: string }>(sql`SELECT tenant_id, id FROM ${sql.identifier(table)}
    WHERE created_at < ${before} ORDER BY created_at LIMIT ${limit}`)

/** Of any tenant: the different addresses that the newest attempts named. */
export const selectRecentRedirects = (db: Reader, table: AttemptTable, limit: number) =>
  db.all<{ tenant_id: TenantId; redirect_uri: string }>(sql`SELECT DISTINCT tenant_id, redirect_uri FROM
    (SELECT tenant_id, redirect_uri FROM ${sql.identifier(table)} ORDER BY created_at DESC LIMIT ${limit}) AS newest
    WHERE redirect_uri IS NOT NULL LIMIT ${limit}`)

export const deleteAttempts = (table: AttemptTable, tenantId: TenantId, ids: readonly string[]): Statement =>
  sql`DELETE FROM ${sql.identifier(table)} WHERE tenant_id = ${tenantId} AND id IN (${sql.join(
    ids.map((id) => sql`${id}`),
    ', ',
  )})`
