// The settings of a tenant as other features read them within their own transactions. Requests find them with the tenant in the directory.
import { type TenantAuthSettings, defaultTenantAuthSettings } from '@bailiwick/contract'
import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import type { TenantId } from '../../platform/ids.ts'
import { type JsonText, fromJson } from '../../platform/json-text.ts'
import { findConsoleTenantId } from '../tenants/console-tenant.ts'
import { type TenantRow, findTenantRow } from '../tenants/find-tenant.ts'
import type { LiveConnections } from '../tenants/tenant-entry.ts'
import { selectAuthConfiguration, selectAuthInUse, selectVersionAt } from './queries.ts'

/** Reads a stored document. A setting that is newer than the document has its default. */
export const parseSettings = (document: JsonText<Partial<TenantAuthSettings>>): TenantAuthSettings => ({
  ...defaultTenantAuthSettings(),
  ...fromJson(document),
})

type Versioned = Pick<TenantRow, 'id' | 'auth_version'>

/** Returns the settings that the row of a tenant names. */
export async function settingsOf(db: Reader, tenant: Versioned): Promise<TenantAuthSettings | undefined> {
  const row = await selectAuthConfiguration(db, tenant.id, tenant.auth_version)
  return row && parseSettings(row.document)
}

/** Returns undefined for a tenant that is deleted. */
export async function currentSettings(db: Reader, tenantId: TenantId): Promise<TenantAuthSettings | undefined> {
  const tenant = await findTenantRow(db, tenantId)
  return tenant && settingsOf(db, tenant)
}

/** Returns the settings of a moment; undefined for a time before the tenant existed. */
export async function settingsAt(db: Reader, tenantId: TenantId, at: string) {
  const row = await selectVersionAt(db, tenantId, at)
  return row && { version: row.version, settings: parseSettings(row.document) }
}

export interface SettingsInUse {
  readonly settings: TenantAuthSettings
  readonly updatedAt: Timestamp
  /** Whether the tenant has a social provider that people can sign in with. */
  readonly hasSocialProvider: boolean
  readonly liveConnections: LiveConnections
}

/** What the directory keeps about a tenant's sign-in rules. */
export async function settingsInUse(db: Reader, tenant: Versioned): Promise<SettingsInUse | undefined> {
  const row = await selectAuthInUse(db, tenant.id, tenant.auth_version)
  if (row === undefined) return undefined
  const { document, created_at: updatedAt, has_social_provider: hasProvider, live_connections: liveConnections } = row
  return { settings: parseSettings(document), updatedAt, hasSocialProvider: hasProvider === 1, liveConnections }
}

/** Returns whether sign-up is enabled in the stored settings of the console's tenant, which have no effect; undefined if there is none. */
export async function storedConsoleSignUp(db: Reader): Promise<boolean | undefined> {
  const tenantId = await findConsoleTenantId(db)
  return tenantId === undefined ? undefined : (await currentSettings(db, tenantId))?.signUpEnabled
}
