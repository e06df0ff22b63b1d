// The keys that sign a tenant's tokens: the newest one signs, and earlier ones verify for one more day.
import type { JwkCertificate } from '@bailiwick/contract'
import { invalidateTenant } from '../../platform/cache/invalidation.ts'
import { addMilliseconds } from '../../platform/clock.ts'
import type { Sealer } from '../../platform/crypto/sealed.ts'
import { generateSigningKey } from '../../platform/crypto/signing-keys.ts'
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { Deps } from '../deps.ts'
import { eventStatement } from '../../platform/events/append.ts'
import type { Actor } from '../../platform/http/principal.ts'
import { type TenantId, newId } from '../../platform/ids.ts'
import { lockTenant } from '../tenants/find-tenant.ts'
import { getTenant } from '../tenants/tenants.ts'
import { signingKeys } from '../../platform/crypto/tables.ts'

/** Longer than any token's life and any cache of the published keys. */
const verifyingMs = 24 * 60 * 60 * 1000
const keysMax = 100

const selectSigningKeys = (db: Reader, tenantId: TenantId) =>
  signingKeys.all(db)`tenant_id = ${tenantId} ORDER BY created_at DESC LIMIT ${keysMax}`

const presentSigningKey = (row: RowOf<typeof signingKeys>): JwkCertificate => ({
  id: row.id,
  tenantId: row.tenant_id,
  public: row.public_pem,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** @throws ApiError not_found */
export async function listSigningKeys(deps: Deps, tenantId: TenantId) {
  await getTenant(deps, tenantId)
  return (await selectSigningKeys(deps.db, tenantId)).map(presentSigningKey)
}

/** Returns the row of a new key without its times; its private half is sealed. */
export async function newSigningKey(sealer: Sealer, tenantId: TenantId) {
  const { kid, publicPem, privatePem } = await generateSigningKey()
  const place = { tenant_id: tenantId, id: newId<'SigningKeyId'>() }
  const sealed = sealer.seal(privatePem, signingKeys.place('sealed_private_pem', place))
  return { ...place, kid, public_pem: publicPem, sealed_private_pem: sealed }
}

export const insertSigningKey = signingKeys.insert

/** @throws ApiError not_found */
export async function rotateSigningKeys(deps: Deps, tenantId: TenantId, actor: Actor) {
  const { db, clock, sealer, personal, tenants } = deps
  const key = await newSigningKey(sealer, tenantId)
  return db.transaction(async (tx) => {
    await lockTenant(tx, tenantId)
    const at = clock.now()
    await tx.run(sql`DELETE FROM signing_keys
      WHERE tenant_id = ${tenantId} AND retired_at IS NOT NULL AND retired_at <= ${addMilliseconds(at, -verifyingMs)}`)
    await tx.run(sql`UPDATE signing_keys SET retired_at = ${at}, updated_at = ${at}
      WHERE tenant_id = ${tenantId} AND retired_at IS NULL`)
    await tx.run(insertSigningKey({ ...key, created_at: clock.next(), updated_at: at }))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'signing_key.rotated',
        actor,
        subjectId: key.id,
        data: { kid: key.kid },
      }),
    )
    await invalidateTenant(tx, tenants, tenantId)
    return (await selectSigningKeys(tx, tenantId)).map(presentSigningKey)
  })
}
