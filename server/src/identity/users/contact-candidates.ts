// Addresses and numbers that a user wants to add. They are nobody's before they are verified: were they kept with those that are
// owned, the constraint that decides who has one would tell everybody who asks.
import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Fragment, type Statement, sql } from '../../platform/db/sql.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'

/** Addresses and numbers that one user may have, each. */
export const contactsMax = 100

/** What one user may have open of each kind: each is an address that codes can be sent to. */
export const candidatesMax = 10

export interface CandidateRow {
  readonly tenant_id: TenantId
  readonly id: string
  readonly user_id: UserId
  readonly kind: 'email' | 'phone'
  readonly value: string
  readonly value_key: string
  readonly expires_at: Timestamp
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

const columns: Fragment = sql`tenant_id, id, user_id, kind, value, value_key, expires_at, created_at, updated_at`

export interface CandidateOwner {
  readonly tenantId: TenantId
  readonly userId: UserId
  readonly kind: 'email' | 'phone'
}

const ofOwner = ({ tenantId, userId, kind }: CandidateOwner): Fragment =>
  sql`tenant_id = ${tenantId} AND user_id = ${userId} AND kind = ${kind}`

export const selectCandidates = (db: Reader, owner: CandidateOwner, now: Timestamp) =>
  db.all<CandidateRow>(sql`SELECT ${columns} FROM contact_candidates
    WHERE ${ofOwner(owner)} AND expires_at > ${now} ORDER BY created_at LIMIT ${candidatesMax}`)

export const selectCandidate = (db: Reader, owner: CandidateOwner, id: string, now: Timestamp) =>
  db.first<CandidateRow>(sql`SELECT ${columns} FROM contact_candidates
    WHERE ${ofOwner(owner)} AND id = ${id} AND expires_at > ${now}`)

/** One of the same address that has expired makes room. */
export const insertCandidate = (row: CandidateRow): Statement => sql`INSERT INTO contact_candidates
  (tenant_id, id, user_id, kind, value, value_key, expires_at, created_at, updated_at)
  VALUES (${row.tenant_id}, ${row.id}, ${row.user_id}, ${row.kind}, ${row.value}, ${row.value_key}, ${row.expires_at},
    ${row.created_at}, ${row.updated_at})
  ON CONFLICT (tenant_id, user_id, kind, value_key) DO UPDATE SET id = excluded.id, value = excluded.value,
    expires_at = excluded.expires_at, created_at = excluded.created_at, updated_at = excluded.updated_at`

export const deleteCandidate = (owner: CandidateOwner, id: string): Statement =>
  sql`DELETE FROM contact_candidates WHERE ${ofOwner(owner)} AND id = ${id}`

export const deleteCandidatesOf = (tenantId: TenantId, userId: UserId): Statement =>
  sql`DELETE FROM contact_candidates WHERE tenant_id = ${tenantId} AND user_id = ${userId}`
