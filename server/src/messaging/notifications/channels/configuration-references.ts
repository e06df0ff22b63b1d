// Prevents deletion of channels and templates that a tenant's authentication configuration refers to.
import { type TenantAuthSettings, tenantAuthSettings } from '@bailiwick/contract'
import type { Transaction } from '../../../platform/db/database.ts'
import { notFound } from '../../../platform/http/api-error.ts'
import type { TenantId } from '../../../platform/ids.ts'
import { settingsOf } from '../../../tenancy/auth-configuration/read-settings.ts'
import { lockTenant } from '../../../tenancy/tenants/find-tenant.ts'

const references = (Object.keys(tenantAuthSettings) as (keyof TenantAuthSettings)[]).filter(
  (setting) => tenantAuthSettings[setting].kind === 'reference',
)

/**
 * Whether the configuration refers to the channel or template. The tenant's row stays locked, so that no reference is added meanwhile.
 * @throws ApiError not_found for a tenant that does not exist.
 */
export async function isReferredTo(tx: Transaction, tenantId: TenantId, id: string): Promise<boolean> {
  const auth = await settingsOf(tx, await lockTenant(tx, tenantId))
  if (auth === undefined) throw notFound()
  return references.some((setting) => auth[setting] === id)
}
