// What a role of an organization's own gives at this moment: of its permissions those that the tenant lets organizations give now.
import type { Reader } from '../../platform/db/database.ts'
import type { TenantId } from '../../platform/ids.ts'
import { type JsonText, fromJson, toJson } from '../../platform/json-text.ts'
import { currentSettings } from '../auth-configuration/read-settings.ts'
import type { RoleRow } from './queries.ts'

/** A role whose `permissions` are those that it gives now. */
export interface FoundRole extends RoleRow {
  /** Also those that it gives only once the tenant allows them again. Who may assign the role is judged by these. */
  readonly all_permissions: JsonText<string[]>
}

/** Returns which permissions roles of organizations may give now; none while the tenant has such roles off. */
export async function grantableNow(db: Reader, tenantId: TenantId): Promise<ReadonlySet<string>> {
  const auth = await currentSettings(db, tenantId)
  return new Set(auth?.organizationRolesEnabled === true ? auth.organizationRolePermissions : [])
}

/** Returns the roles with what they give now. The settings are read only for roles of organizations. */
export async function withEffect(db: Reader, tenantId: TenantId, rows: readonly RoleRow[]): Promise<FoundRole[]> {
  const isLimited = rows.some((row) => row.organization_id !== null)
  const grantable = isLimited ? await grantableNow(db, tenantId) : new Set<string>()
  return rows.map((row) => {
    const { permissions, organization_id: organizationId } = row
    if (organizationId === null) return { ...row, all_permissions: permissions }
    const effective = fromJson(permissions).filter((permission) => grantable.has(permission))
    return { ...row, permissions: toJson(effective), all_permissions: permissions }
  })
}
