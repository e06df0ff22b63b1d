// Checks that the master key is the one that the database was written with. With another key the service would look healthy, fail wherever
// a secret is read, and seal new secrets beside those that it cannot open.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../platform/config.ts'
import { MasterKeyError } from '../../platform/crypto/master-key.ts'
import { keyFiles } from '../../platform/crypto/master-keys.ts'
import { SealError, type Sealer } from '../../platform/crypto/sealed.ts'
import { signingKeys } from '../../platform/crypto/tables.ts'
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { findConsoleTenantId } from '../tenants/console-tenant.ts'

/**
 * A new key could open none of the existing secrets, and would hide that the old one is lost.
 * @throws MasterKeyError if there are tenants, but no key is configured and none is in the data directory.
 */
export async function assertMasterKeyIsThere(config: Pick<Config, 'masterKey' | 'dataDir'>, db: Reader): Promise<void> {
  const isThere = () => config.masterKey !== undefined || existsSync(join(config.dataDir, keyFiles.current))
  if (isThere()) return
  const tenant = await db.first(sql`SELECT 1 AS one FROM tenants LIMIT 1`)
  // A node that starts at the same moment makes the key before the first tenant, so the key of these tenants exists by now.
  if (tenant === undefined || isThere()) return
  throw new MasterKeyError(
    `there is no master key in ${config.dataDir}, and the database holds secrets that were sealed with one: ` +
      `restore ${keyFiles.current}, or set BAILIWICK_MASTER_KEY`,
  )
}

/**
 * Tries to open the newest signing key of the console's tenant, which every deployment has.
 * @throws MasterKeyError if none of the keys opens it.
 */
export async function assertMasterKeyFits(db: Reader, sealer: Sealer): Promise<void> {
  const tenantId = await findConsoleTenantId(db)
  if (tenantId === undefined) return
  const row = await signingKeys.first(db)`tenant_id = ${tenantId} ORDER BY created_at DESC LIMIT 1`
  if (row === undefined) return
  try {
    sealer.open(row.sealed_private_pem, signingKeys.place('sealed_private_pem', row))
  } catch (error) {
    if (!(error instanceof SealError)) throw error
    throw new MasterKeyError(
      'the secrets of this database were sealed with another master key: start with that one, or with both ' +
        '(BAILIWICK_PREVIOUS_MASTER_KEYS)',
      { cause: error },
    )
  }
}
