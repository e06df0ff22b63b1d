// A tenant's secret key: kept as a hash to be checked and sealed to be shown; replaced with a time of grace.
import { type Environment } from '@bailiwick/contract'
import { addMilliseconds, type Timestamp } from '../../platform/clock.ts'
import type { Sealer } from '../../platform/crypto/sealed.ts'
import { hashToken, newToken } from '../../platform/crypto/tokens.ts'
import { invalidateTenant } from '../../platform/cache/invalidation.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { Deps } from '../deps.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { invalid, notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/principal.ts'
import { type TenantId, newId } from '../../platform/ids.ts'
import { selectCurrentSecretKey, selectTenant } from './queries.ts'

export const graceSecondsDefault = 24 * 60 * 60
export const graceSecondsMax = 7 * 24 * 60 * 60

const marks: Readonly<Record<Environment, string>> = {
  development: 'sk_dev_',
  staging: 'sk_stage_',
  production: 'sk_live_',
}
const sealedRow = (tenantId: TenantId, id: string) => `secret_keys:${tenantId}:${id}:key`

export interface NewSecretKey {
  readonly id: string
  readonly hash: string
  readonly sealed: string
  readonly last4: string
}

export function newSecretKey(sealer: Sealer, tenantId: TenantId, environment: Environment): NewSecretKey {
  const id = newId()
  const key = newToken(marks[environment])
  return { id, hash: hashToken(key), sealed: sealer.seal(key, sealedRow(tenantId, id)), last4: key.slice(-4) }
}

export const insertSecretKey = (tenantId: TenantId, key: NewSecretKey, at: Timestamp): Statement =>
  sql`INSERT INTO secret_keys (tenant_id, id, hash, sealed, last4, created_at, updated_at)
    VALUES (${tenantId}, ${key.id}, ${key.hash}, ${key.sealed}, ${key.last4}, ${at}, ${at})`

/** The tenant's present secret key in the clear. */
export async function revealSecretKey({ db, sealer }: Deps, tenantId: TenantId): Promise<string> {
  const row = await selectCurrentSecretKey(db, tenantId)
  if (row === undefined) throw notFound()
  return sealer.open(row.sealed, sealedRow(tenantId, row.id))
}

/**
 * Gives the tenant a new secret key. The one before it works for `graceSeconds` more, older ones no longer: at most two
 * are live.
 * @throws ApiError not_found, validation_failed when the grace is longer than seven days.
 */
export async function rotateSecretKey(deps: Deps, tenantId: TenantId, graceSeconds: number, actor: Actor) {
  if (graceSeconds > graceSecondsMax) {
    throw invalid('/graceSeconds', 'too_large', `must be at most ${graceSecondsMax}`)
  }
  const { db, clock, sealer, personal, tenants } = deps
  await db.transaction(async (tx) => {
    const tenant = await selectTenant(tx, tenantId)
    if (tenant === undefined) throw notFound()
    // Rotations of one tenant one after the other: the row of the tenant is their lock.
    await tx.run(sql`UPDATE tenants SET updated_at = updated_at WHERE id = ${tenantId}`)
    const at = clock.now()
    const expiresAt = addMilliseconds(at, graceSeconds * 1000)
    await tx.run(sql`DELETE FROM secret_keys WHERE tenant_id = ${tenantId} AND expires_at IS NOT NULL`)
    await tx.run(
      sql`UPDATE secret_keys SET expires_at = ${expiresAt}, updated_at = ${at} WHERE tenant_id = ${tenantId}`,
    )
    const key = newSecretKey(sealer, tenantId, tenant.environment)
    await tx.run(insertSecretKey(tenantId, key, at))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'tenant.secret_key_rotated',
        actor,
        subjectId: tenantId,
        data: { graceSeconds, last4: key.last4 },
      }),
    )
    await invalidateTenant(tx, tenants, tenantId)
  })
}
