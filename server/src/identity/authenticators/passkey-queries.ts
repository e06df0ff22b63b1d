import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import { passkeys } from './tables.ts'

export type PasskeyRow = RowOf<typeof passkeys>

export const passkeysMax = 20

export const selectPasskeys = (db: Reader, tenantId: TenantId, userId: UserId) =>
  passkeys.all(db)`tenant_id = ${tenantId} AND user_id = ${userId} ORDER BY created_at LIMIT ${passkeysMax}`

export const selectPasskey = (db: Reader, tenantId: TenantId, userId: UserId, id: string) =>
  passkeys.first(db)`tenant_id = ${tenantId} AND user_id = ${userId} AND id = ${id}`

/** Finds a passkey by the credential id that an assertion names. */
export const selectPasskeyByCredential = (db: Reader, tenantId: TenantId, credentialId: string) =>
  passkeys.first(db)`tenant_id = ${tenantId} AND credential_id = ${credentialId}`

export const insertPasskey = passkeys.insert

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

export const deletePasskeyRow = ({ tenant_id, id }: PasskeyRow): Statement => passkeys.delete(tenant_id, id)
