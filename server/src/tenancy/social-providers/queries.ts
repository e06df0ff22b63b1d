import type { ProviderKey } from '@bailiwick/contract'
import type { Reader } from '../../platform/db/database.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { TenantId } from '../../platform/ids.ts'
import { socialProviders } from './tables.ts'

export type SocialProviderRow = RowOf<typeof socialProviders>

export const selectSocialProvider = socialProviders.byKey
export const selectSocialProviderForUpdate = socialProviders.lock
export const insertSocialProvider = socialProviders.insert
export const deleteSocialProvider = socialProviders.delete
export const updateSocialProvider = socialProviders.rewrite

/** Selects the providers that sign people in; there are five keys. */
export const selectEnabledProviders = (db: Reader, tenantId: TenantId) =>
  socialProviders.all(db)`tenant_id = ${tenantId} AND enabled = 1 AND (authenticatable IS NULL OR authenticatable = 1)
    ORDER BY provider_key LIMIT 5`

/** Selects those whose tokens are kept. */
export const selectTokenProviders = (db: Reader, tenantId: TenantId) =>
  socialProviders.all(db)`tenant_id = ${tenantId} AND enabled = 1 AND keep_tokens = 1 ORDER BY provider_key LIMIT 5`

export const selectSocialProviderByKey = (db: Reader, tenantId: TenantId, key: ProviderKey) =>
  socialProviders.first(db)`tenant_id = ${tenantId} AND provider_key = ${key}`

/** There is at most one of each key, so the limit is never reached. */
export const selectSocialProviders = (db: Reader, tenantId: TenantId) =>
  socialProviders.all(db)`tenant_id = ${tenantId} ORDER BY created_at DESC LIMIT 100`
