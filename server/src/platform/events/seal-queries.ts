import type { Timestamp } from '../clock.ts'
import type { EngineName, Reader } from '../db/database.ts'
import { rowBatches } from '../db/row-batches.ts'
import { type Statement, sql } from '../db/sql.ts'
import type { SigningKeyId, TenantId } from '../ids.ts'
import { type EventRow, type FeedCursor, eventColumns, isUpTo } from './feed.ts'

export interface SealRow {
  readonly tenant_id: TenantId
  readonly sequence: number
  readonly event_position: number
  readonly event_id: string
  readonly hash: string
}

export interface CheckpointRow {
  readonly tenant_id: TenantId
  readonly sequence: number
  readonly hash: string
  readonly newest_created_at: Timestamp
  readonly signing_key_id: SigningKeyId
  readonly signature: string
  readonly signed_at: Timestamp
}

export interface SigningKeyRow {
  readonly tenant_id: TenantId
  readonly id: SigningKeyId
  readonly sealed_private_pem: string
}

const listed = (ids: readonly (string | number)[]) =>
  sql.join(
    ids.map((id) => sql`${id}`),
    ', ',
  )

/** Runs a query over some tenants at a time. */
async function ofTenants<Row extends object>(
  db: Reader,
  tenantIds: readonly TenantId[],
  query: (some: readonly TenantId[]) => Statement,
): Promise<Row[]> {
  const rows: Row[] = []
  for (const some of rowBatches(tenantIds)) rows.push(...(await db.all<Row>(query(some))))
  return rows
}

export const selectCheckpoints = (db: Reader, tenantIds: readonly TenantId[]) =>
  ofTenants<CheckpointRow>(
    db,
    tenantIds,
    (some) => sql`SELECT tenant_id, sequence, hash, newest_created_at, signing_key_id, signature, signed_at
      FROM event_checkpoints WHERE tenant_id IN (${listed(some)}) LIMIT ${some.length}`,
  )

const liveKeysMax = 10

/** Returns the keys of these tenants that are not retired; of each tenant the newest comes last. */
export const selectSigningKeys = (db: Reader, tenantIds: readonly TenantId[]) =>
  ofTenants<SigningKeyRow>(
    db,
    tenantIds,
    (some) => sql`SELECT tenant_id, id, sealed_private_pem FROM signing_keys
      WHERE tenant_id IN (${listed(some)}) AND retired_at IS NULL
      ORDER BY created_at LIMIT ${some.length * liveKeysMax}`,
  )

export const selectSigningKeyById = (db: Reader, tenantId: TenantId, id: SigningKeyId) =>
  db.first<SigningKeyRow>(
    sql`SELECT tenant_id, id, sealed_private_pem FROM signing_keys WHERE tenant_id = ${tenantId} AND id = ${id}`,
  )

export const insertSeals = (rows: readonly SealRow[]): Statement[] =>
  rowBatches(rows).map(
    (some) =>
      sql`INSERT INTO event_seals (tenant_id, sequence, event_position, event_id, hash) ${sql.values(
        some.map((row) => [row.tenant_id, row.sequence, row.event_position, row.event_id, row.hash]),
      )}`,
  )

export const upsertCheckpoints = (rows: readonly CheckpointRow[]): Statement[] => rowBatches(rows).map(upsertSome)

const upsertSome = (rows: readonly CheckpointRow[]): Statement => sql`INSERT INTO event_checkpoints
  (tenant_id, sequence, hash, newest_created_at, signing_key_id, signature, signed_at)
  ${sql.values(
    rows.map((row) => [
      row.tenant_id,
      row.sequence,
      row.hash,
      row.newest_created_at,
      row.signing_key_id,
      row.signature,
      row.signed_at,
    ]),
  )}
  ON CONFLICT (tenant_id) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash,
    newest_created_at = excluded.newest_created_at, signing_key_id = excluded.signing_key_id,
    signature = excluded.signature, signed_at = excluded.signed_at`

export const selectSeals = (db: Reader, tenantId: TenantId, after: number, limit: number) =>
  db.all<SealRow>(sql`SELECT tenant_id, sequence, event_position, event_id, hash FROM event_seals
    WHERE tenant_id = ${tenantId} AND sequence > ${after} ORDER BY sequence LIMIT ${limit}`)

/** The events at these positions, whichever tenant they say they are of. */
export const selectEventsAt = (db: Reader, positions: readonly number[]) =>
  db.all<Omit<EventRow, 'transaction_id'>>(
    sql`SELECT ${eventColumns} FROM events WHERE position IN (${listed(positions)}) LIMIT ${positions.length}`,
  )

/** Events of the tenant that the sealer has passed, with the seal that each should have. */
export const selectPassed = (
  db: Reader,
  engine: EngineName,
  tenantId: TenantId,
  place: FeedCursor,
  after: string,
  limit: number,
) =>
  db.all<{
    id: string
    created_at: string
    sequence: number | null
  }>(sql`SELECT events.id, events.created_at, s.sequence
    FROM events LEFT JOIN event_seals AS s ON s.tenant_id = events.tenant_id AND s.event_position = events.position
    WHERE events.tenant_id = ${tenantId} AND events.created_at > ${after} AND ${isUpTo(engine, place)}
    ORDER BY events.created_at LIMIT ${limit}`)
