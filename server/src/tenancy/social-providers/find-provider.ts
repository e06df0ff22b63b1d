// A tenant's social providers as sign-in needs them, with what they are set up with.
import type { ProviderKey } from '@bailiwick/contract'
import type { Reader } from '../../platform/db/database.ts'
import type { TenantId } from '../../platform/ids.ts'
import {
  type SocialProviderRow,
  selectEnabledProviders,
  selectSocialProvider,
  selectSocialProviderByKey,
} from './queries.ts'

export type { SocialProviderRow }

const ifEnabled = (row: SocialProviderRow | undefined) => (row?.enabled === 1 ? row : undefined)

/** Returns undefined for a provider that is switched off, too. */
export const findEnabledProvider = async (db: Reader, tenantId: TenantId, id: string) =>
  ifEnabled(await selectSocialProvider(db, tenantId, id))

/** Returns undefined for a provider that is switched off, too. */
export const findEnabledProviderByKey = async (db: Reader, tenantId: TenantId, key: ProviderKey) =>
  ifEnabled(await selectSocialProviderByKey(db, tenantId, key))

/** Those that sign people in, by their keys. */
export const listSignInProviders = (db: Reader, tenantId: TenantId) => selectEnabledProviders(db, tenantId)
