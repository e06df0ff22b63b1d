import type { EngineName, Reader } from '../db/database.ts'
import { rowBatches } from '../db/row-batches.ts'
import { type Statement, sql } from '../db/sql.ts'
import type { RowOf } from '../db/table.ts'
import type { SigningKeyId, TenantId } from '../ids.ts'
import { type FeedCursor, isUpTo, shownEvents } from './feed.ts'
import { eventCheckpoints, eventSeals } from './tables.ts'

export type SealRow = RowOf<typeof eventSeals>
export type CheckpointRow = RowOf<typeof eventCheckpoints>

export interface SigningKeyRow {
  readonly tenant_id: TenantId
  readonly id: SigningKeyId
  readonly sealed_private_pem: string
}

/** Runs a query for some tenants at a time. */
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
    (some) =>
      sql`SELECT ${eventCheckpoints.columns} FROM event_checkpoints WHERE tenant_id IN (${sql.list(some)}) LIMIT ${some.length}`,
  )

const liveKeysMax = 10

/** Returns the keys of these tenants that are not retired. A tenant's newest key comes last. */
export const selectSigningKeys = (db: Reader, tenantIds: readonly TenantId[]) =>
  ofTenants<SigningKeyRow>(
    db,
    tenantIds,
    (some) => sql`SELECT tenant_id, id, sealed_private_pem FROM signing_keys
      WHERE tenant_id IN (${sql.list(some)}) AND retired_at IS NULL
      ORDER BY created_at LIMIT ${some.length * liveKeysMax}`,
  )

export const selectSigningKeyById = (db: Reader, tenantId: TenantId, id: SigningKeyId) =>
  db.first<SigningKeyRow>(
    sql`SELECT tenant_id, id, sealed_private_pem FROM signing_keys WHERE tenant_id = ${tenantId} AND id = ${id}`,
  )

export const insertSeals = (rows: readonly SealRow[]): Statement[] => rowBatches(rows).map(eventSeals.insertAll)

export const upsertCheckpoints = (rows: readonly CheckpointRow[]): Statement[] => rowBatches(rows).map(upsertSome)

const upsertSome = eventCheckpoints.upsertAll(
  'sequence',
  'hash',
  'newest_created_at',
  'signing_key_id',
  'signature',
  'signed_at',
)

export const selectSeals = (db: Reader, tenantId: TenantId, after: number, limit: number) =>
  eventSeals.all(db)`tenant_id = ${tenantId} AND sequence > ${after} ORDER BY sequence LIMIT ${limit}`

/** Reads the events at these positions, whatever tenant they claim to belong to. */
export const selectEventsAt = (db: Reader, positions: readonly number[]) =>
  shownEvents.all(db)`position IN (${sql.list(positions)}) LIMIT ${positions.length}`

/** Reads events of the tenant that the sealer has passed, each with its seal. */
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
