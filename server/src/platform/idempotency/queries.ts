import type { Timestamp } from '../clock.ts'
import { type Statement, sql } from '../db/sql.ts'
import type { RowOf } from '../db/table.ts'
import { idempotencyKeys } from './tables.ts'

export type IdempotencyKeyRow = RowOf<typeof idempotencyKeys>

/** Fails with `idempotency_keys_pkey` if the key is taken. */
export const insertKey = idempotencyKeys.insert

export const selectKey = idempotencyKeys.byKey

/** Changes nothing if another request has taken the key. */
export const keepAnswer = (row: IdempotencyKeyRow): Statement => sql`${insertKey(row)}
  ON CONFLICT (tenant_id, id) DO UPDATE SET sealed = excluded.sealed, has_answer = excluded.has_answer
  WHERE idempotency_keys.request_id = excluded.request_id`

export const releaseKey = ({ tenant_id: tenantId, id, request_id: requestId }: IdempotencyKeyRow): Statement =>
  sql`DELETE FROM idempotency_keys WHERE tenant_id = ${tenantId} AND id = ${id} AND request_id = ${requestId}`

export const deleteKeysBefore = (before: Timestamp, limit: number): Statement =>
  sql`DELETE FROM idempotency_keys WHERE (tenant_id, id) IN
    (SELECT tenant_id, id FROM idempotency_keys WHERE created_at < ${before} ORDER BY created_at LIMIT ${limit})`
