// The published keys of a tenant (RFC 7517): those that sign, and earlier ones that still verify.
import { createPublicKey } from 'node:crypto'
import type { IdTokenAlgorithm } from '@bailiwick/contract'
import { signingKeyTables } from '../../platform/crypto/tables.ts'
import type { Reader } from '../../platform/db/database.ts'
import type { TenantId } from '../../platform/ids.ts'

const keysMax = 100

async function keysFor(db: Reader, tenantId: TenantId, algorithm: IdTokenAlgorithm) {
  const rows = await signingKeyTables[algorithm].all(db)`tenant_id = ${tenantId}
    ORDER BY created_at DESC LIMIT ${keysMax}`
  return rows.map(({ kid, public_pem: pem }) => ({
    ...createPublicKey(pem).export({ format: 'jwk' }),
    kid,
    alg: algorithm,
    use: 'sig',
  }))
}

/**
 * Returns a JSON Web Key Set.
 * @param algorithms session tokens are always signed with ES256; ID tokens also with what applications ask for.
 */
export async function keySetOf(db: Reader, tenantId: TenantId, algorithms: readonly IdTokenAlgorithm[] = ['ES256']) {
  const sets = await Promise.all(algorithms.map((algorithm) => keysFor(db, tenantId, algorithm)))
  return { keys: sets.flat() }
}
