// What the directory keeps of a tenant, read from the database.
import type { TenantAuthSettings } from '@bailiwick/contract'
import type { Config } from '../../platform/config.ts'
import type { Database } from '../../platform/db/database.ts'
import { readApiKeys } from '../api-keys/keys-in-use.ts'
import { settingsInUse } from '../auth-configuration/read-settings.ts'
import { attributesInUse } from '../tenants/attributes/document.ts'
import { claimsInUse } from '../tenants/claims/document.ts'
import { findDomains, findSecretKeys, findTenantRow } from '../tenants/find-tenant.ts'
import { KeptValues } from '../tenants/kept-with-tenant.ts'
import type { TenantEntry } from '../tenants/tenant-entry.ts'

/** The settings that the deployment decides for the console's tenant. */
export type Decided = Pick<Config, 'consoleSignUp'>

/**
 * Returns the settings in effect. The deployment decides who may sign up at the console, because a tenant that is created there can send
 * mail and use its resources. The stored setting of the console's tenant has no effect.
 */
const inEffect = (kind: TenantEntry['row']['kind'], stored: TenantAuthSettings, { consoleSignUp }: Decided) =>
  kind === 'console' ? { ...stored, signUpEnabled: consoleSignUp === 'open' } : stored

/** @param onMore as of KeptValues. */
export async function readEntry(
  db: Database,
  decided: Decided,
  tenantId: string,
  onMore: (entry: TenantEntry) => void,
): Promise<TenantEntry | undefined> {
  const row = await findTenantRow(db, tenantId)
  if (row === undefined) return undefined
  const [inUse, domains, secretKeys, apiKeys, claims, attributes] = await Promise.all([
    settingsInUse(db, row),
    findDomains(db, row.id),
    findSecretKeys(db, row.id),
    readApiKeys(db, row.id),
    claimsInUse(db, row),
    attributesInUse(db, row),
  ])
  if (inUse === undefined) throw new Error(`tenant ${row.id} has no authentication configuration`)
  const { updatedAt: authUpdatedAt, hasSocialProvider, liveConnections } = inUse
  const auth = inEffect(row.kind, inUse.settings, decided)
  const made = { record: undefined, pages: undefined }
  const signIn = { auth, authUpdatedAt, hasSocialProvider, liveConnections, claims, attributes }
  const kept = new KeptValues(() => onMore(entry))
  const entry: TenantEntry = { row, ...signIn, domains, secretKeys, apiKeys, ...made, kept }
  return entry
}
