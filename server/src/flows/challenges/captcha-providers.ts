// The provider of puzzles that a tenant has chosen, with the keys that it has there. The secret is sealed, and no answer contains it.
import type { ChallengeProviderSettings, PutChallengeProvider } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { invalidateTenant } from '../../platform/cache/invalidation.ts'
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { invalid } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import { onceForEntry } from '../../tenancy/tenants/kept-with-tenant.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import { challengeProviders } from './tables.ts'
import { isWrongSecret } from './verify-captcha.ts'

export type CaptchaRow = RowOf<typeof challengeProviders>

/** Returns undefined for a tenant with the puzzles of the service itself. */
const findCaptcha = (db: Reader, tenantId: TenantId): Promise<CaptchaRow | undefined> =>
  challengeProviders.first(db)`tenant_id = ${tenantId}`

/** Returns the tenant's provider from memory if possible; undefined for the puzzles of the service itself. */
export const captchaInUse = onceForEntry((db: Reader, { row }) => findCaptcha(db, row.id))

const present = (row: CaptchaRow | undefined): ChallengeProviderSettings =>
  row === undefined
    ? { provider: 'proof_of_work', siteKey: null, hasSecret: false, onFailure: 'deny', updatedAt: null }
    : {
        provider: row.provider,
        siteKey: row.site_key,
        hasSecret: true,
        onFailure: row.on_failure,
        updatedAt: row.updated_at,
      }

/** @throws ApiError not_found for a tenant that does not exist. */
export async function getChallengeProvider(deps: Deps, tenantId: TenantId): Promise<ChallengeProviderSettings> {
  await getTenant(deps, tenantId)
  return present(await findCaptcha(deps.db, tenantId))
}

const updateRow = challengeProviders.update('provider', 'site_key', 'sealed_secret', 'on_failure', 'updated_at')

/**
 * @throws ApiError not_found for a tenant that does not exist; validation_failed for a secret that the provider does not know, and without
 * a secret if none of the provider is stored.
 */
export async function putChallengeProvider(
  deps: Deps,
  tenantId: TenantId,
  { provider, siteKey, secret, onFailure }: PutChallengeProvider,
  actor: Actor,
): Promise<ChallengeProviderSettings> {
  await getTenant(deps, tenantId)
  const { clock, personal, sealer } = deps
  if (secret !== undefined && (await isWrongSecret(deps, { tenantId, provider, siteKey, secret })))
    throw invalid('/secret', 'wrong', 'is not the secret of this site key at the provider')
  return deps.db.transaction(async (tx) => {
    const before = await challengeProviders.first(tx)`tenant_id = ${tenantId}${sql.forUpdate}`
    const stored = before?.provider === provider ? before.sealed_secret : undefined
    if (secret === undefined && stored === undefined)
      throw invalid('/secret', 'required', 'is required for a provider whose secret is not stored yet')
    const at = clock.now()
    const row: CaptchaRow = {
      tenant_id: tenantId,
      provider,
      site_key: siteKey,
      sealed_secret:
        secret === undefined
          ? (stored ?? '')
          : sealer.seal(secret, challengeProviders.place('sealed_secret', { tenant_id: tenantId })),
      on_failure: onFailure ?? before?.on_failure ?? 'deny',
      created_at: before?.created_at ?? clock.next(),
      updated_at: at,
    }
    await tx.run(before === undefined ? challengeProviders.insert(row) : updateRow(row))
    await invalidateTenant(tx, deps.tenants, tenantId)
    const data = { provider, siteKey, onFailure: row.on_failure, isSecretChanged: secret !== undefined }
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'challenge_provider.updated',
        actor,
        subjectId: tenantId,
        data,
      }),
    )
    return present(row)
  })
}

/** Does nothing where there is none. @throws ApiError not_found for a tenant that does not exist. */
export async function deleteChallengeProvider(
  deps: Deps,
  tenantId: TenantId,
  actor: Actor,
): Promise<ChallengeProviderSettings> {
  await getTenant(deps, tenantId)
  const { clock, personal } = deps
  await deps.db.transaction(async (tx) => {
    const before = await challengeProviders.first(tx)`tenant_id = ${tenantId}${sql.forUpdate}`
    if (before === undefined) return
    await tx.run(sql`DELETE FROM challenge_providers WHERE tenant_id = ${tenantId}`)
    await invalidateTenant(tx, deps.tenants, tenantId)
    const data = { provider: before.provider }
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'challenge_provider.deleted',
        actor,
        subjectId: tenantId,
        data,
      }),
    )
  })
  return present(undefined)
}
