// The settings of a tenant's authorization server as they are in effect. They are kept with the tenant's entry in memory, so every change
// of them, of an application, a secret or a resource invalidates the tenant in the same transaction.
import { type Language, languages } from '@bailiwick/contract'
import type { Reader } from '../../platform/db/database.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { MaybePromise } from '../../platform/maybe-promise.ts'
import { pagesOf } from '../../tenancy/pages/pages.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { oauthSettings } from './tables.ts'

export type OAuthSettingsRow = RowOf<typeof oauthSettings>

export interface OAuthSettings {
  /** Undefined for a tenant that has changed nothing. */
  readonly row: OAuthSettingsRow | undefined
  readonly accessTokenTtl: number
  readonly refreshTokenTtl: number
  readonly idTokenTtl: number
  /** The languages in which users may be shown the hosted pages. */
  readonly languages: readonly Language[]
}

/** In seconds. */
export const lifetimeDefaults = { accessToken: 15 * 60, refreshToken: 30 * 24 * 60 * 60, idToken: 15 * 60 } as const

const settingsName = 'authorization server'
/** The tenants whose settings are being read. */
const reads = new WeakMap<TenantEntry, Promise<OAuthSettings>>()

async function read(db: Reader, tenant: TenantEntry): Promise<OAuthSettings> {
  const [row, pages] = await Promise.all([oauthSettings.byKey(db, tenant.row.id), pagesOf({ db }, tenant)])
  return {
    row,
    accessTokenTtl: row?.access_token_ttl ?? lifetimeDefaults.accessToken,
    refreshTokenTtl: row?.refresh_token_ttl ?? lifetimeDefaults.refreshToken,
    idTokenTtl: row?.id_token_ttl ?? lifetimeDefaults.idToken,
    languages: pages.languages.length === 0 ? languages : pages.languages,
  }
}

/** Returns the settings at once if they are in memory. */
export function oauthSettingsOf(db: Reader, tenant: TenantEntry): MaybePromise<OAuthSettings> {
  const known = tenant.kept.get<OAuthSettings>(settingsName) ?? reads.get(tenant)
  if (known !== undefined) return known
  const reading = read(db, tenant)
    .then((settings) => {
      tenant.kept.set(settingsName, settings)
      return settings
    })
    .finally(() => reads.delete(tenant))
  reads.set(tenant, reading)
  return reading
}
