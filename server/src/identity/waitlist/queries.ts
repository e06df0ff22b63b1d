import type { WaitlistStatus } from '@bailiwick/contract'
import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { TenantId } from '../../platform/ids.ts'
import { waitlistEntries } from './tables.ts'

export type WaitlistRow = RowOf<typeof waitlistEntries>

export const selectEntryForUpdate = waitlistEntries.lock
export const deleteEntry = waitlistEntries.delete
export const updateEntry = waitlistEntries.update('status', 'token_hash', 'approved_at', 'expires_at', 'updated_at')

export const entrySource = (tenantId: TenantId, status: WaitlistStatus | undefined) =>
  waitlistEntries.source(
    status === undefined ? sql`tenant_id = ${tenantId}` : sql`tenant_id = ${tenantId} AND status = ${status}`,
  )

/** Leaves an entry of the same address as it is, in the same statement, unless its invitation has expired: then it waits again. */
export function insertUnlessThere(row: WaitlistRow): Statement {
  const isExpired = sql`waitlist_entries.status = 'approved' AND waitlist_entries.expires_at <= ${row.updated_at}`
  return sql`${waitlistEntries.insert(row)} ON CONFLICT (tenant_id, email_key) DO UPDATE SET
    status = CASE WHEN ${isExpired} THEN 'waiting' ELSE waitlist_entries.status END,
    token_hash = CASE WHEN ${isExpired} THEN NULL ELSE waitlist_entries.token_hash END,
    approved_at = CASE WHEN ${isExpired} THEN NULL ELSE waitlist_entries.approved_at END,
    expires_at = CASE WHEN ${isExpired} THEN NULL ELSE waitlist_entries.expires_at END,
    updated_at = excluded.updated_at`
}

export const selectByAddress = (db: Reader, tenantId: TenantId, emailKey: string) =>
  waitlistEntries.first(db)`tenant_id = ${tenantId} AND email_key = ${emailKey}`

/** Finds the approved entry whose invitation has this token, unless it has expired. */
export const selectByToken = (db: Reader, tenantId: TenantId, tokenHash: string, now: Timestamp) =>
  waitlistEntries.first(db)`tenant_id = ${tenantId} AND token_hash = ${tokenHash} AND status = 'approved'
    AND expires_at > ${now}`

/** Selects the entries of the addresses of a user. */
export const selectUserEntries = (db: Reader, tenantId: TenantId, emailKeys: readonly string[]) =>
  emailKeys.length === 0
    ? Promise.resolve([])
    : waitlistEntries.all(db)`tenant_id = ${tenantId} AND email_key IN (${sql.list(emailKeys)})
        ORDER BY created_at LIMIT ${emailKeys.length}`
