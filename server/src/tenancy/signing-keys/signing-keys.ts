// The keys that a tenant's tokens are signed with: the newest signs, those before it go on verifying for a day.
import type { JwkCertificate } from '@bailiwick/contract'
import { addMilliseconds, type Timestamp } from '../../platform/clock.ts'
import type { Sealer } from '../../platform/crypto/sealed.ts'
import { generateSigningKey } from '../../platform/crypto/signing-keys.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { Deps } from '../deps.ts'
import { eventStatement } from '../../platform/events/append.ts'
import type { Actor } from '../../platform/http/principal.ts'
import { type SigningKeyId, type TenantId, newId } from '../../platform/ids.ts'
import { lockTenant } from '../tenants/find-tenant.ts'
import { getTenant } from '../tenants/tenants.ts'

/** Longer than any token's life and any cache of the published keys. */
const verifyingMs = 24 * 60 * 60 * 1000
const keysMax = 100

interface SigningKeyRow {
  readonly tenant_id: TenantId
  readonly id: string
  readonly public_pem: string
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

const selectSigningKeys = (db: Reader, tenantId: TenantId) =>
  db.all<SigningKeyRow>(sql`SELECT tenant_id, id, public_pem, created_at, updated_at FROM signing_keys
    WHERE tenant_id = ${tenantId} ORDER BY created_at DESC LIMIT ${keysMax}`)

const presentSigningKey = (row: SigningKeyRow): JwkCertificate => ({
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

/** A key about to be written, its private half sealed. */
export interface NewSigningKey {
  readonly id: SigningKeyId
  readonly kid: string
  readonly publicPem: string
  readonly sealed: string
}

export async function newSigningKey(sealer: Sealer, tenantId: TenantId): Promise<NewSigningKey> {
  const { kid, publicPem, privatePem } = await generateSigningKey()
  const id = newId<'SigningKeyId'>()
  return { id, kid, publicPem, sealed: sealer.seal(privatePem, `signing_keys:${tenantId}:${id}:private_pem`) }
}

export const insertSigningKey = (
  tenantId: TenantId,
  { id, kid, publicPem, sealed }: NewSigningKey,
  createdAt: Timestamp,
  updatedAt = createdAt,
): Statement => sql`INSERT INTO signing_keys
  (tenant_id, id, kid, public_pem, sealed_private_pem, created_at, updated_at)
  VALUES (${tenantId}, ${id}, ${kid}, ${publicPem}, ${sealed}, ${createdAt}, ${updatedAt})`

/** @throws ApiError not_found */
export async function rotateSigningKeys(deps: Deps, tenantId: TenantId, actor: Actor) {
  const { db, clock, sealer, personal } = deps
  const key = await newSigningKey(sealer, tenantId)
  return db.transaction(async (tx) => {
    await lockTenant(tx, tenantId)
    const at = clock.now()
    await tx.run(sql`DELETE FROM signing_keys
      WHERE tenant_id = ${tenantId} AND retired_at IS NOT NULL AND retired_at <= ${addMilliseconds(at, -verifyingMs)}`)
    await tx.run(sql`UPDATE signing_keys SET retired_at = ${at}, updated_at = ${at}
      WHERE tenant_id = ${tenantId} AND retired_at IS NULL`)
    await tx.run(insertSigningKey(tenantId, key, clock.next(), at))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'signing_key.rotated',
        actor,
        subjectId: key.id,
        data: { kid: key.kid },
      }),
    )
    return (await selectSigningKeys(tx, tenantId)).map(presentSigningKey)
  })
}
