import type { Timestamp } from '../../platform/clock.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'

export const updateTenantPagesVersion = (
  tenantId: TenantId,
  version: number,
  at: Timestamp,
  darkLogoId: string | null,
): Statement => sql`UPDATE tenants SET pages_version = ${version}, dark_logo_id = ${darkLogoId}, updated_at = ${at}
  WHERE id = ${tenantId}`
