import type { Timestamp } from '../clock.ts'
import type { Reader } from '../db/database.ts'
import { type Statement, sql } from '../db/sql.ts'

export interface IdempotencyKeyRow {
  /** Of whom the caller belongs to; empty for the operator. */
  readonly tenant_id: string
  /** Hash of caller, operation and key. */
  readonly id: string
  /** Which request it is that took the key. */
  readonly request_id: string
  readonly sealed: string
  readonly has_answer: number
  readonly created_at: Timestamp
}

/** Refused by `idempotency_keys_pkey` where the key is taken. */
export const insertKey = (row: IdempotencyKeyRow): Statement => sql`INSERT INTO idempotency_keys
  (tenant_id, id, request_id, sealed, has_answer, created_at)
  VALUES (${row.tenant_id}, ${row.id}, ${row.request_id}, ${row.sealed}, ${row.has_answer}, ${row.created_at})`

/** Changes nothing where another request has taken the key. */
export const keepAnswer = (row: IdempotencyKeyRow): Statement => sql`${insertKey(row)}
  ON CONFLICT (tenant_id, id) DO UPDATE SET sealed = excluded.sealed, has_answer = excluded.has_answer
  WHERE idempotency_keys.request_id = excluded.request_id`

export const selectKey = (db: Reader, tenantId: string, id: string) =>
  db.first<IdempotencyKeyRow>(sql`SELECT tenant_id, id, request_id, sealed, has_answer, created_at FROM idempotency_keys
    WHERE tenant_id = ${tenantId} AND id = ${id}`)

export const releaseKey = ({ tenant_id: tenantId, id, request_id: requestId }: IdempotencyKeyRow): Statement =>
  sql`DELETE FROM idempotency_keys WHERE tenant_id = ${tenantId} AND id = ${id} AND request_id = ${requestId}`

export const deleteKeysBefore = (before: Timestamp, limit: number): Statement =>
  sql`DELETE FROM idempotency_keys WHERE (tenant_id, id) IN
    (SELECT tenant_id, id FROM idempotency_keys WHERE created_at < ${before} ORDER BY created_at LIMIT ${limit})`
