import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { AuthenticatorId, TenantId, UserId } from '../../platform/ids.ts'

export interface PasskeyRow {
  readonly tenant_id: TenantId
  readonly id: AuthenticatorId
  readonly user_id: UserId
  /** In base64url, as is the public key. */
  readonly credential_id: string
  readonly public_key: string
  readonly relying_party_id: string
  readonly name: string | null
  /** A JSON array. */
  readonly transports: string
  readonly counter: number
  readonly is_backup_eligible: number
  readonly is_backed_up: number
  readonly last_used_at: Timestamp | null
  readonly flagged_at: Timestamp | null
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

export const passkeysMax = 20

const columns = sql`tenant_id, id, user_id, credential_id, public_key, relying_party_id, name, transports, counter,
  is_backup_eligible, is_backed_up, last_used_at, flagged_at, created_at, updated_at`

export const selectPasskeys = (db: Reader, tenantId: TenantId, userId: UserId) =>
  db.all<PasskeyRow>(sql`SELECT ${columns} FROM passkeys
    WHERE tenant_id = ${tenantId} AND user_id = ${userId} ORDER BY created_at LIMIT ${passkeysMax}`)

export const selectPasskey = (db: Reader, tenantId: TenantId, userId: UserId, id: string) =>
  db.first<PasskeyRow>(sql`SELECT ${columns} FROM passkeys
    WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND id = ${id}`)

/** By what an assertion names. */
export const selectPasskeyByCredential = (db: Reader, tenantId: TenantId, credentialId: string) =>
  db.first<PasskeyRow>(sql`SELECT ${columns} FROM passkeys
    WHERE tenant_id = ${tenantId} AND credential_id = ${credentialId}`)

export const insertPasskey = (row: PasskeyRow): Statement => sql`INSERT INTO passkeys (${columns})
  ${sql.values([
    [
      row.tenant_id,
      row.id,
      row.user_id,
      row.credential_id,
      row.public_key,
      row.relying_party_id,
      row.name,
      row.transports,
      row.counter,
      row.is_backup_eligible,
      row.is_backed_up,
      row.last_used_at,
      row.flagged_at,
      row.created_at,
      row.updated_at,
    ],
  ])}`

export const renamePasskey = ({ tenant_id, id }: PasskeyRow, name: string | null, at: Timestamp): Statement =>
  sql`UPDATE passkeys SET name = ${name}, updated_at = ${at} WHERE tenant_id = ${tenant_id} AND id = ${id}`

export const markPasskeyUsed = (
  { tenant_id, id }: PasskeyRow,
  { counter, isBackedUp }: { readonly counter: number; readonly isBackedUp: boolean },
  at: Timestamp,
): Statement => sql`UPDATE passkeys SET counter = ${counter}, is_backed_up = ${isBackedUp ? 1 : 0}, last_used_at = ${at},
  updated_at = ${at} WHERE tenant_id = ${tenant_id} AND id = ${id}`

export const flagPasskey = ({ tenant_id, id }: PasskeyRow, at: Timestamp): Statement =>
  sql`UPDATE passkeys SET flagged_at = ${at}, updated_at = ${at} WHERE tenant_id = ${tenant_id} AND id = ${id}`

export const deletePasskeyRow = ({ tenant_id, id }: PasskeyRow): Statement =>
  sql`DELETE FROM passkeys WHERE tenant_id = ${tenant_id} AND id = ${id}`
