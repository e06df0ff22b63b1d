// Addresses and numbers that a user wants to add. They are nobody's before they are verified: were they kept with those that are
// owned, the constraint that decides who has one would tell everybody who asks.
import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Fragment, type Statement, sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import { contactCandidates } from './tables.ts'

/** Addresses and numbers that one user may have, each. */
export const contactsMax = 100

/** What one user may have open of each kind: each is an address that codes can be sent to. */
export const candidatesMax = 10

export type CandidateRow = RowOf<typeof contactCandidates>

export interface CandidateOwner {
  readonly tenantId: TenantId
  readonly userId: UserId
  readonly kind: 'email' | 'phone'
}

const ofOwner = ({ tenantId, userId, kind }: CandidateOwner): Fragment =>
  sql`tenant_id = ${tenantId} AND user_id = ${userId} AND kind = ${kind}`

export const selectCandidates = (db: Reader, owner: CandidateOwner, now: Timestamp) =>
  contactCandidates.all(db)`${ofOwner(owner)} AND expires_at > ${now} ORDER BY created_at LIMIT ${candidatesMax}`

export const selectCandidate = (db: Reader, owner: CandidateOwner, id: string, now: Timestamp) =>
  contactCandidates.first(db)`${ofOwner(owner)} AND id = ${id} AND expires_at > ${now}`

/** One of the same address that has expired makes room. */
export const insertCandidate = (row: CandidateRow): Statement => sql`${contactCandidates.insert(row)}
  ON CONFLICT (tenant_id, user_id, kind, value_key) DO UPDATE SET id = excluded.id, value = excluded.value,
    expires_at = excluded.expires_at, created_at = excluded.created_at, updated_at = excluded.updated_at`

export const deleteCandidate = (owner: CandidateOwner, id: string): Statement =>
  sql`DELETE FROM contact_candidates WHERE ${ofOwner(owner)} AND id = ${id}`

export const deleteCandidatesOf = (tenantId: TenantId, userId: UserId): Statement =>
  sql`DELETE FROM contact_candidates WHERE tenant_id = ${tenantId} AND user_id = ${userId}`
