// Addresses and numbers that a user wants to add. They belong to nobody before they are verified: if they were stored with those that are
// owned, the constraint that decides who has one would reveal that to everybody who asks.
import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Fragment, type Statement, sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import { contactCandidates } from './tables.ts'

/** How many e-mail addresses, and how many phone numbers, one user may have. */
export const contactsMax = 100

/** How many candidates of each kind one user may have open, because codes can be sent to each. */
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

/** Replaces an expired candidate of the same address. */
export const insertCandidate = (row: CandidateRow): Statement => sql`${contactCandidates.insert(row)}
  ON CONFLICT (tenant_id, user_id, kind, value_key) DO UPDATE SET id = excluded.id, value = excluded.value,
    expires_at = excluded.expires_at, created_at = excluded.created_at, updated_at = excluded.updated_at`

export const deleteCandidate = (owner: CandidateOwner, id: string): Statement =>
  sql`DELETE FROM contact_candidates WHERE ${ofOwner(owner)} AND id = ${id}`

export const deleteCandidatesOf = (tenantId: TenantId, userId: UserId): Statement =>
  sql`DELETE FROM contact_candidates WHERE tenant_id = ${tenantId} AND user_id = ${userId}`
