// A tenant's social providers as sign-in needs them, those of the service and the tenant's own, with what they are set up with.
import type { AnyProviderKey, ProviderKey } from '@bailiwick/contract'
import type { Reader } from '../../platform/db/database.ts'
import type { TenantId } from '../../platform/ids.ts'
import {
  type CustomProviderRow,
  findCustomProvider,
  findCustomProviderByKey,
  listCustomTokenProviders,
  listSignInCustomProviders,
} from '../custom-providers/find-custom-provider.ts'
import {
  type SocialProviderRow,
  selectEnabledProviders,
  selectSocialProvider,
  selectSocialProviderByKey,
  selectSocialProviders,
  selectTokenProviders,
} from './queries.ts'

export type { CustomProviderRow, SocialProviderRow }

export const listSocialProviderRows = selectSocialProviders

/** What both have, and sign-in needs, has the same names. */
export type FoundProvider = SocialProviderRow | CustomProviderRow

export const isCustomProvider = (row: FoundProvider): row is CustomProviderRow => 'issuer' in row

const isCustomKey = (key: AnyProviderKey) => key.startsWith('custom-')

const ifEnabled = (row: FoundProvider | undefined) => (row?.enabled === 1 ? row : undefined)

/** Also returns undefined for a provider that is switched off. */
export const findEnabledProvider = async (db: Reader, tenantId: TenantId, id: string) =>
  ifEnabled((await selectSocialProvider(db, tenantId, id)) ?? (await findCustomProvider(db, tenantId, id)))

export const findProviderByKey = (
  db: Reader,
  tenantId: TenantId,
  key: AnyProviderKey,
): Promise<FoundProvider | undefined> =>
  isCustomKey(key)
    ? findCustomProviderByKey(db, tenantId, key)
    : selectSocialProviderByKey(db, tenantId, key as ProviderKey)

/** Returns undefined for a provider that is switched off, too. */
export const findEnabledProviderByKey = async (db: Reader, tenantId: TenantId, key: AnyProviderKey) =>
  ifEnabled(await findProviderByKey(db, tenantId, key))

/** Those that sign people in, by their keys. */
export const listSignInProviders = async (db: Reader, tenantId: TenantId) => {
  const [common, custom] = await Promise.all([
    selectEnabledProviders(db, tenantId),
    listSignInCustomProviders(db, tenantId),
  ])
  return { common, custom }
}

/** Those that users can let the tenant act at. */
export const listTokenProviders = async (db: Reader, tenantId: TenantId): Promise<readonly FoundProvider[]> =>
  (await Promise.all([selectTokenProviders(db, tenantId), listCustomTokenProviders(db, tenantId)])).flat()
