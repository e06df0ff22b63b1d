// A user's authenticator app: how it is set up, confirmed, used and removed.
import { addMilliseconds, machineMs } from '../../platform/clock.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { type AuthenticatorId, type TenantId, type UserId, newId } from '../../platform/ids.ts'
import { type Quota, takeQuota } from '../../platform/quotas/quotas.ts'
import type { Deps } from '../deps.ts'
import { assertFresh } from '../sessions/fresh-session.ts'
import type { OwnCall } from '../sessions/own-call.ts'
import { rotateToken } from '../sessions/rotate-token.ts'
import { lockUser } from '../users/find-user.ts'
import { accountLabel } from '../users/present.ts'
import { getUser } from '../users/users.ts'
import {
  type FactorOwner,
  type FactorSetup,
  assertMayAddFirst,
  assertMayRemoveLast,
  lockFactorOwner,
  ownSetup,
  recordAdded,
  recordRecoveryCodeUse,
  recordRemoved,
  replaceRecoveryCodes,
} from './factor-changes.ts'
import { isRecoveryShaped, newRecoveryCodes, selectRecoveryCodes, takeRecoveryCode } from './recovery-codes.ts'
import { enrolledSecondFactors } from './second-factors.ts'
import { authenticatorCodes } from './tables.ts'
import { type Totp, isTotpShaped, loadTotp } from './totp.ts'

const pendingMs = 10 * 60_000
const codeQuota: Quota = { name: 'authenticator_codes:5min', usesMax: 5, windowSeconds: 5 * 60 }
/** The limits are higher in development, where people try things out. */
const developmentFactor = 100

export const selectAuthenticatorCode = (db: Reader, tenantId: TenantId, userId: UserId, isConfirmed = true) =>
  authenticatorCodes.first(db)`tenant_id = ${tenantId} AND user_id = ${userId}
    AND is_confirmed = ${isConfirmed ? 1 : 0}`

const deleteCode = (tenantId: TenantId, userId: UserId, isConfirmed: boolean) =>
  sql`DELETE FROM authenticator_codes
    WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND is_confirmed = ${isConfirmed ? 1 : 0}`

/** Returns the time step that a code belongs to, if it is later than the last step that was accepted. */
function stepOf({ clock, sealer }: Deps, totp: Totp, row: RowOf<typeof authenticatorCodes>, code: string) {
  const text = code.replaceAll(/\s/g, '')
  if (!isTotpShaped(text)) return undefined
  return totp.matchingStep(
    sealer.open(row.sealed_secret, authenticatorCodes.place('sealed_secret', row)),
    text,
    // The app that shows the codes goes by the real time.
    machineMs(clock),
    row.last_step,
  )
}

const changed = (id: AuthenticatorId) => ({ kind: 'authenticator_code', id, name: null }) as const

function assertEnabled({ tenant }: Pick<FactorSetup, 'tenant'>) {
  if (!tenant.auth.strategyAuthenticatorCodeEnabled) throw new ApiError('strategy_unavailable')
}

/**
 * Counts an entered code, right or wrong, across all nodes.
 * @param subject the user, for strangers; otherwise the text that identifies the user's own device or session.
 */
export const takeCodeQuota = (deps: Deps, tenantId: TenantId, subject: string): Promise<void> => {
  const factor = deps.config.env === 'development' ? developmentFactor : 1
  const quota = { ...codeQuota, usesMax: codeQuota.usesMax * factor }
  return deps.db.transaction((tx) => takeQuota(deps, tx, tenantId, quota, subject))
}

/**
 * Makes a new secret. It replaces the current one once it is confirmed.
 * @throws ApiError strategy_unavailable
 */
export async function setUpAuthenticatorCode(deps: Deps, setup: FactorSetup) {
  const { clock, sealer } = deps
  const { tenantId, tenant, userId } = setup
  assertEnabled(setup)
  const totp = await loadTotp()
  const secret = totp.newSecret()
  const label = accountLabel(await getUser(deps, tenantId, userId))
  const place = { tenant_id: tenantId, id: newId<'AuthenticatorId'>() }
  await deps.db.transaction(async (tx) => {
    await lockFactorOwner(tx, { tenantId, userId })
    await tx.run(deleteCode(tenantId, userId, false))
    const at = clock.now()
    await tx.run(
      authenticatorCodes.insert({
        ...place,
        user_id: userId,
        is_confirmed: 0,
        session_id: setup.place,
        sealed_secret: sealer.seal(secret, authenticatorCodes.place('sealed_secret', place)),
        last_step: 0,
        created_at: at,
        updated_at: at,
      }),
    )
  })
  return { secret, uri: totp.uriOf(secret, tenant.row.name, label) }
}

/**
 * Confirms the app that was begun in the same place, whose user was shown the secret there, so there is nothing to guess.
 * @returns the new recovery codes; undefined if the code is wrong.
 * @throws ApiError attempt_not_open
 */
export async function enrolAuthenticatorCode(
  deps: Deps,
  tx: Transaction,
  totp: Totp,
  { tenantId, userId, place, actor }: FactorSetup,
  code: string,
): Promise<readonly string[] | undefined> {
  const { clock } = deps
  const user = await lockFactorOwner(tx, { tenantId, userId })
  const row = await selectAuthenticatorCode(tx, tenantId, userId, false)
  const isOpen = row?.session_id === place && addMilliseconds(row.created_at, pendingMs) > clock.now()
  if (row === undefined || !isOpen) throw new ApiError('attempt_not_open')
  const step = stepOf(deps, totp, row, code)
  if (step === undefined) return undefined
  const before = await selectAuthenticatorCode(tx, tenantId, userId)
  await tx.run(deleteCode(tenantId, userId, true))
  const at = clock.now()
  await tx.run(sql`UPDATE authenticator_codes SET is_confirmed = 1, session_id = NULL, last_step = ${step},
    updated_at = ${at} WHERE tenant_id = ${tenantId} AND id = ${row.id}`)
  if (before !== undefined) await recordRemoved(deps, tx, user, changed(before.id), actor)
  await recordAdded(deps, tx, user, changed(row.id), actor)
  const codes = newRecoveryCodes()
  await replaceRecoveryCodes(deps, tx, user, codes, actor)
  return codes
}

/** @throws ApiError reauthentication_required, second_factor_required, strategy_unavailable */
export async function beginAuthenticatorCode(deps: Deps, call: OwnCall) {
  assertEnabled(call)
  assertFresh(deps, call.signedIn)
  await assertMayAddFirst(deps, call)
  return setUpAuthenticatorCode(deps, ownSetup(call))
}

/**
 * Confirms the app that was begun in the same session.
 * @throws ApiError attempt_not_open, factor_refused, second_factor_required, strategy_unavailable, too_many_attempts
 */
export async function confirmAuthenticatorCode(deps: Deps, call: OwnCall, code: string) {
  const { signedIn, tenantId } = call
  assertEnabled(call)
  await assertMayAddFirst(deps, call)
  await takeCodeQuota(deps, tenantId, `session:${signedIn.row.id}`)
  const totp = await loadTotp()
  const { codes, token } = await deps.db.transaction(async (tx) => {
    const enrolled = await enrolAuthenticatorCode(deps, tx, totp, ownSetup(call), code)
    if (enrolled === undefined) throw new ApiError('factor_refused')
    return { codes: enrolled, token: await rotateToken(deps, tx, signedIn) }
  })
  return { recoveryCodes: [...codes], ...call.reissueSessionToken(token) }
}

/** @throws ApiError reauthentication_required, not_found, second_factor_required */
export async function removeAuthenticatorCode(deps: Deps, call: OwnCall) {
  const { signedIn, tenantId } = call
  const userId = signedIn.row.user_id
  assertFresh(deps, signedIn)
  const token = await deps.db.transaction(async (tx) => {
    const user = await lockFactorOwner(tx, { tenantId, userId })
    const row = await selectAuthenticatorCode(tx, tenantId, userId)
    if (row === undefined) throw notFound()
    await tx.run(deleteCode(tenantId, userId, true))
    await assertMayRemoveLast(deps, tx, call)
    await recordRemoved(deps, tx, user, changed(row.id), call.actor())
    return rotateToken(deps, tx, signedIn)
  })
  return call.reissueSessionToken(token)
}

/**
 * Returns whether a code is right: either a code of the app from a step that was not used before, or a recovery code. A right code is used
 * up. The caller's transaction commits either way.
 */
export async function useAuthenticatorCode(
  deps: Deps,
  tx: Transaction,
  totp: Totp,
  { tenantId, userId, actor }: FactorOwner,
  code: string,
): Promise<boolean> {
  const user = await lockUser(tx, tenantId, userId)
  if (user === undefined) return false
  if (isRecoveryShaped(code)) {
    if (!(await takeRecoveryCode(tx, { tenantId, userId, code, at: deps.clock.now() }))) return false
    const left = await selectRecoveryCodes(tx, tenantId, userId)
    await recordRecoveryCodeUse(deps, tx, user, left.length, actor)
    return true
  }
  const row = await selectAuthenticatorCode(tx, tenantId, userId)
  const step = row && stepOf(deps, totp, row, code)
  if (row === undefined || step === undefined) return false
  const at = deps.clock.now()
  await tx.run(sql`UPDATE authenticator_codes SET last_step = ${step}, last_used_at = ${at}, updated_at = ${at}
    WHERE tenant_id = ${tenantId} AND id = ${row.id}`)
  return true
}

/**
 * @returns the new codes, shown which are shown only this once.
 * @throws ApiError reauthentication_required, second_factor_missing
 */
export async function renewRecoveryCodes(deps: Deps, call: OwnCall) {
  const { signedIn, tenantId } = call
  const userId = signedIn.row.user_id
  assertFresh(deps, signedIn)
  const codes = newRecoveryCodes()
  const token = await deps.db.transaction(async (tx) => {
    const user = await lockFactorOwner(tx, { tenantId, userId })
    if ((await enrolledSecondFactors(tx, tenantId, userId)).length === 0) throw new ApiError('second_factor_missing')
    await replaceRecoveryCodes(deps, tx, user, codes, call.actor())
    return rotateToken(deps, tx, signedIn)
  })
  return { recoveryCodes: codes, ...call.reissueSessionToken(token) }
}

/** Returns how many unused recovery codes the user has. */
export async function countRecoveryCodes({ db }: Deps, { signedIn, tenantId }: OwnCall): Promise<number> {
  return (await selectRecoveryCodes(db, tenantId, signedIn.row.user_id)).length
}
