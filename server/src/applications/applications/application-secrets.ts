// The secrets of applications. Only their hashes are stored; at most two are valid at a time, so that one can be replaced without a pause.
import { type ApplicationSecret, type ApplicationWithSecret, tokenPrefixes } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { invalidateTenant } from '../../platform/cache/invalidation.ts'
import { addMilliseconds } from '../../platform/clock.ts'
import { hashToken, newToken } from '../../platform/crypto/tokens.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import type { Actor, Principal } from '../../platform/http/credentials/principal.ts'
import { type TenantId, newId } from '../../platform/ids.ts'
import { assertHolds } from './machine-scopes.ts'
import { presentApplication, presentSecret } from './present.ts'
import * as queries from './queries.ts'

const graceSecondsDefault = 24 * 60 * 60

export const hasSecret = ({ token_endpoint_auth_method: method }: queries.ApplicationRow) =>
  method.startsWith('client_secret_')

/** Makes a secret within the transaction that writes its application. */
export async function addSecret({ clock }: Pick<Deps, 'clock'>, tx: Transaction, application: queries.ApplicationRow) {
  const secret = newToken(tokenPrefixes.applicationSecret)
  const at = clock.next()
  const row: queries.SecretRow = {
    tenant_id: application.tenant_id,
    id: newId<'ApplicationSecretId'>(),
    application_id: application.id,
    hash: hashToken(secret),
    last4: secret.slice(-4),
    expires_at: null,
    created_at: at,
    updated_at: at,
  }
  await tx.run(queries.insertSecret(row))
  return { secret, row }
}

/**
 * Gives an application a new secret. The one before it stays valid for `graceSeconds`; older ones end at once.
 * @throws ApiError not_found, application_without_secret; forbidden for a caller without the rights that the application has
 */
export async function rotateApplicationSecret(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  graceSeconds: number = graceSecondsDefault,
  principal: Principal,
  actor: Actor,
): Promise<ApplicationWithSecret> {
  const { db, clock, config, personal, tenants } = deps
  return db.transaction(async (tx) => {
    const application = await queries.selectApplicationForUpdate(tx, tenantId, id)
    if (application === undefined) throw notFound()
    assertHolds(principal, tenantId, presentApplication(config, application, []))
    if (!hasSecret(application)) throw new ApiError('application_without_secret')
    const at = clock.now()
    const until = graceSeconds === 0 ? null : addMilliseconds(at, graceSeconds * 1000)
    const [latest, ...older] = await queries.selectAllSecrets(tx, tenantId, id)
    const ended = until === null && latest !== undefined ? [latest, ...older] : older
    for (const secret of ended) await tx.run(queries.deleteSecret(tenantId, secret.id))
    const isKept = latest !== undefined && until !== null && (latest.expires_at === null || latest.expires_at > at)
    const kept = isKept ? { ...latest, expires_at: earlier(latest.expires_at, until), updated_at: at } : undefined
    if (kept !== undefined) await tx.run(queries.expireSecret(kept))
    const { secret, row } = await addSecret(deps, tx, application)
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'application.secret_rotated',
        actor,
        subjectId: id,
        data: { secretId: row.id, last4: row.last4, previousUntil: kept?.expires_at ?? null },
      }),
    )
    await invalidateTenant(tx, tenants, tenantId)
    const secrets = kept === undefined ? [row] : [row, kept]
    return { ...presentApplication(config, application, secrets), clientSecret: secret }
  })
}

const earlier = <Time extends string>(one: Time | null, other: Time): Time =>
  one !== null && one < other ? one : other

/** @throws ApiError not_found */
export async function deleteApplicationSecret(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  secretId: string,
  actor: Actor,
): Promise<ApplicationSecret> {
  const { db, clock, personal, tenants } = deps
  return db.transaction(async (tx) => {
    if ((await queries.selectApplicationForUpdate(tx, tenantId, id)) === undefined) throw notFound()
    const row = (await queries.selectAllSecrets(tx, tenantId, id)).find((each) => each.id === secretId)
    if (row === undefined) throw notFound()
    await tx.run(queries.deleteSecret(tenantId, secretId))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'application.secret_deleted',
        actor,
        subjectId: id,
        data: { secretId, last4: row.last4 },
      }),
    )
    await invalidateTenant(tx, tenants, tenantId)
    return presentSecret(row)
  })
}
