// The published keys of a tenant (RFC 7517): the one that signs, and earlier ones that still verify.
import { createPublicKey } from 'node:crypto'
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'

const keysMax = 100

/** Returns a JSON Web Key Set. */
export async function keySetOf(db: Reader, tenantId: TenantId) {
  const rows = await db.all<{ kid: string; public_pem: string }>(
    sql`SELECT kid, public_pem FROM signing_keys WHERE tenant_id = ${tenantId} ORDER BY created_at DESC LIMIT ${keysMax}`,
  )
  return {
    keys: rows.map(({ kid, public_pem: pem }) => ({
      ...createPublicKey(pem).export({ format: 'jwk' }),
      kid,
      alg: 'ES256',
      use: 'sig',
    })),
  }
}
