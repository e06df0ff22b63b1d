// A tenant's secret key: stored as a hash for checking it and sealed for showing it; the old one stays valid for a while when it is
// replaced.
import { type Environment, tokenPrefixes } from '@bailiwick/contract'
import { invalidateTenant } from '../../platform/cache/invalidation.ts'
import { addMilliseconds } from '../../platform/clock.ts'
import type { Sealer } from '../../platform/crypto/sealed.ts'
import { hashToken, newToken } from '../../platform/crypto/tokens.ts'
import { sql } from '../../platform/db/sql.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { invalid, notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { type TenantId, newId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import { lockTenant } from './find-tenant.ts'
import { selectCurrentSecretKey } from './queries.ts'
import { secretKeys } from './tables.ts'

export const graceSecondsDefault = 24 * 60 * 60
export const graceSecondsMax = 7 * 24 * 60 * 60

/** What the keys of an environment have after their prefix. */
export const environmentMarks: Readonly<Record<Environment, string>> = {
  development: 'dev',
  staging: 'stage',
  production: 'live',
}

/** Returns a new secret key, and its row without its times. */
export function newSecretKey(sealer: Sealer, tenantId: TenantId, environment: Environment) {
  const id = newId<'SecretKeyId'>()
  const key = newToken(`${tokenPrefixes.secretKey}${environmentMarks[environment]}_`)
  const sealed = sealer.seal(key, secretKeys.place('sealed', { tenant_id: tenantId, id }))
  return { key, row: { tenant_id: tenantId, id, hash: hashToken(key), sealed, last4: key.slice(-4) } }
}

/** Returns the tenant's present secret key in the clear. */
export async function revealSecretKey({ db, sealer }: Deps, tenantId: TenantId): Promise<string> {
  const row = await selectCurrentSecretKey(db, tenantId)
  if (row === undefined) throw notFound()
  return sealer.open(row.sealed, secretKeys.place('sealed', row))
}

/**
 * Gives the tenant a new secret key. The previous one works for `graceSeconds` more, older ones no longer: at most two are live.
 * @returns the new key.
 * @throws ApiError not_found; validation_failed if the grace period is longer than seven days.
 */
export async function rotateSecretKey(deps: Deps, tenantId: TenantId, graceSeconds: number, actor: Actor) {
  if (graceSeconds > graceSecondsMax) {
    throw invalid('/graceSeconds', 'too_large', `must be at most ${graceSecondsMax}`)
  }
  const { db, clock, sealer, personal, tenants } = deps
  return db.transaction(async (tx) => {
    const tenant = await lockTenant(tx, tenantId)
    const at = clock.now()
    const expiresAt = addMilliseconds(at, graceSeconds * 1000)
    await tx.run(sql`DELETE FROM secret_keys WHERE tenant_id = ${tenantId} AND expires_at IS NOT NULL`)
    await tx.run(
      sql`UPDATE secret_keys SET expires_at = ${expiresAt}, updated_at = ${at} WHERE tenant_id = ${tenantId}`,
    )
    const { key, row } = newSecretKey(sealer, tenantId, tenant.environment)
    await tx.run(secretKeys.insert({ ...row, created_at: at, updated_at: at }))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'tenant.secret_key_rotated',
        actor,
        subjectId: tenantId,
        data: { graceSeconds, last4: row.last4 },
      }),
    )
    await invalidateTenant(tx, tenants, tenantId)
    return key
  })
}
