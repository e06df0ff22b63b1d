import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { Selection } from '../../platform/db/table.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import type { AttemptTable } from './tables.ts'

export const attemptSource = <Row extends object>(attempts: Selection<Row>, tenantId: TenantId) =>
  attempts.source(sql`tenant_id = ${tenantId}`)

export const selectAttempt = <Row extends object>(
  db: Reader,
  attempts: Selection<Row>,
  tenantId: TenantId,
  id: string,
) => attempts.first(db)`tenant_id = ${tenantId} AND id = ${id}`

/** Reads attempts of one user that were made after a time, the oldest first. */
export const selectAttemptsOfUser = <Row extends object>(
  db: Reader,
  attempts: Selection<Row>,
  tenantId: TenantId,
  userId: UserId,
  after: string,
  limit: number,
) =>
  attempts.all(db)`tenant_id = ${tenantId} AND user_id = ${userId} AND created_at > ${after}
    ORDER BY created_at LIMIT ${limit}`

export const deleteAttempt = (table: AttemptTable, tenantId: TenantId, id: string): Statement =>
  sql`DELETE FROM ${sql.identifier(table)} WHERE tenant_id = ${tenantId} AND id = ${id}`

export const deleteAttemptsOfUser = (table: AttemptTable, tenantId: TenantId, userId: UserId): Statement =>
  sql`DELETE FROM ${sql.identifier(table)} WHERE tenant_id = ${tenantId} AND user_id = ${userId}`

/** Selects attempts of any tenant, for the clean-up. */
export const selectOldAttempts = (db: Reader, table: AttemptTable, before: Timestamp, limit: number) =>
  db.all<{ tenant_id: TenantId; id: string }>(sql`SELECT tenant_id, id FROM ${sql.identifier(table)}
    WHERE created_at < ${before} ORDER BY created_at LIMIT ${limit}`)

/** Selects the distinct redirect addresses that the newest attempts of any tenant asked for. */
export const selectRecentRedirects = (db: Reader, table: AttemptTable, limit: number) =>
  db.all<{ tenant_id: TenantId; redirect_uri: string }>(sql`SELECT DISTINCT tenant_id, redirect_uri FROM
    (SELECT tenant_id, redirect_uri FROM ${sql.identifier(table)} ORDER BY created_at DESC LIMIT ${limit}) AS newest
    WHERE redirect_uri IS NOT NULL LIMIT ${limit}`)

export const deleteAttempts = (table: AttemptTable, tenantId: TenantId, ids: readonly string[]): Statement =>
  sql`DELETE FROM ${sql.identifier(table)} WHERE tenant_id = ${tenantId} AND id IN (${sql.list(ids)})`
