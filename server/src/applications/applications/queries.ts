import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { TenantId } from '../../platform/ids.ts'
import { applicationSecrets, applications } from './tables.ts'

export type ApplicationRow = RowOf<typeof applications>
export type SecretRow = RowOf<typeof applicationSecrets>

export const applicationsCounter = 'applications'
/** The most applications that a tenant may have. Those that describe themselves count, too. */
export const applicationsMax = 200
/** The most secrets of an application that are valid at a time. */
export const secretsMax = 2

export const selectApplication = applications.byKey
export const selectApplicationForUpdate = applications.lock
export const applicationSource = applications.sourceOf
export const insertApplication = applications.insert
export const updateApplication = applications.rewrite
export const deleteApplication = applications.delete

export const insertSecret = applicationSecrets.insert
export const deleteSecret = applicationSecrets.delete

/** The valid secrets of several applications, newest first. */
export const selectSecrets = (db: Reader, tenantId: TenantId, ids: readonly string[], now: Timestamp) =>
  applicationSecrets.all(db)`tenant_id = ${tenantId} AND application_id IN (${sql.list(ids)})
    AND (expires_at IS NULL OR expires_at > ${now}) ORDER BY created_at DESC LIMIT ${ids.length * secretsMax}`

/** All secrets, including expired ones. */
export const selectAllSecrets = (db: Reader, tenantId: TenantId, id: string) =>
  applicationSecrets.all(db)`tenant_id = ${tenantId} AND application_id = ${id} ORDER BY created_at DESC LIMIT 100`

export const expireSecret = applicationSecrets.update('expires_at', 'updated_at')

/** Makes creations wait for each other, and for the deletion of files. */
export const lockTenant = (tenantId: TenantId) => sql`UPDATE tenants SET updated_at = updated_at WHERE id = ${tenantId}`
