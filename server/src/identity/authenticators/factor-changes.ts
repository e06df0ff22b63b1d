// What every change of a user's authenticators does beside changing its rows: it records an event and notifies the user, who may not have
// made the change.
import type { EventDataByType, EventType } from '@bailiwick/contract'
import type { FastifyRequest } from 'fastify'
import { invalidateUser } from '../../platform/cache/invalidation.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { AuthenticatorId, TenantId, UserId } from '../../platform/ids.ts'
import { fromJson } from '../../platform/json-text.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import type { Deps } from '../deps.ts'
import { notifyUser } from '../security-notices/notices.ts'
import type { OwnCall } from '../sessions/own-call.ts'
import { forgetTrustedDevices } from '../trusted-devices/trusted-devices.ts'
import { type UserRow, lockUser } from '../users/find-user.ts'
import { findFactorRules } from './factor-rules.ts'
import { offered, secondFactors } from './offers.ts'
import { deleteRecoveryCodes, insertRecoveryCodes } from './recovery-codes.ts'
import { enrolledSecondFactors } from './second-factors.ts'

export interface FactorOwner {
  readonly tenantId: TenantId
  readonly userId: UserId
  readonly actor: Actor
}

/** Where a user sets up a factor: in a session, or in an attempt to sign in that cannot go on without one. */
export interface FactorSetup extends FactorOwner {
  readonly tenant: TenantEntry
  readonly request: FastifyRequest
  /** The id of the session or the attempt: what is begun in one is finished there. */
  readonly place: string
}

/** The place of the signed-in user. */
export const ownSetup = (call: OwnCall): FactorSetup => ({
  tenant: call.tenant,
  tenantId: call.tenantId,
  userId: call.signedIn.row.user_id,
  request: call.request,
  actor: call.actor(),
  place: call.signedIn.row.id,
})

/**
 * Refuses to leave a user without a second factor where a rule requires one; called when the factor's row is gone.
 * @throws ApiError second_factor_required
 */
export async function assertMayRemoveLast({ clock }: Deps, tx: Transaction, { tenant, tenantId, signedIn }: OwnCall) {
  const userId = signedIn.row.user_id
  const rules = await findFactorRules(tx, tenant.auth, { tenantId, userId }, clock.now())
  if (rules.length === 0) return
  const left = await enrolledSecondFactors(tx, tenantId, userId)
  if (offered(secondFactors(tenant.auth, left)).length === 0) throw new ApiError('second_factor_required')
}

const mailboxProofs: readonly string[] = ['email_code', 'email_link', 'phone_code']

/**
 * Where a rule asks for a second factor, the first one is set up by POST /user/verifications, which asks for a code to a verified address:
 * whoever has stolen the password must not set up a factor of their own. A session that began with such a code needs no other.
 * @throws ApiError second_factor_required
 */
export async function assertMayAddFirst({ db, clock }: Deps, { tenant, tenantId, signedIn: { row } }: OwnCall) {
  const userId = row.user_id
  const proven: readonly string[] = row.factors === null ? [] : fromJson(row.factors)
  if (mailboxProofs.some((strategy) => proven.includes(strategy))) return
  if ((await enrolledSecondFactors(db, tenantId, userId)).length > 0) return
  const rules = await findFactorRules(db, tenant.auth, { tenantId, userId }, clock.now())
  if (rules.length === 0) return
  throw new ApiError('second_factor_required', {
    detail:
      'Set up the first second factor with POST /user/verifications, which asks for a code to a verified address.',
  })
}

export interface ChangedFactor {
  readonly kind: 'authenticator_code' | 'security_key'
  readonly id: AuthenticatorId
  readonly name: string | null
}

const factorNames = { authenticator_code: 'An authenticator app', security_key: 'A passkey' } as const

/** Holds the user, so that changes and uses of one user's authenticators happen one after the other. */
export async function lockFactorOwner(
  tx: Transaction,
  { tenantId, userId }: Omit<FactorOwner, 'actor'>,
): Promise<UserRow> {
  const user = await lockUser(tx, tenantId, userId)
  if (user === undefined) throw notFound()
  return user
}

export const notify = (
  deps: Deps,
  tx: Transaction,
  user: UserRow,
  type: 'factor-added' | 'factor-removed' | 'recovery-code-used',
  { language }: Actor,
  variables: Readonly<Record<string, unknown>>,
) => notifyUser(deps, tx, user, { type, language, variables })

export const authenticatorEvent = (
  { clock, personal }: Deps,
  type: Extract<EventType, `authenticator.${string}`>,
  user: UserRow,
  { kind, id, name }: ChangedFactor,
  actor: Actor,
) =>
  eventStatement(clock, personal, {
    tenantId: user.tenant_id,
    type,
    actor,
    subjectId: id,
    data: { userId: user.id, kind },
    personal: { salt: user.personal_salt, userId: user.id, data: { name } },
  })

/** Nodes keep the profile with the session, and it names the second factors. */
const forgetProfile = ({ sessions }: Deps, tx: Transaction, { tenant_id: tenantId, id }: UserRow) =>
  invalidateUser(tx, sessions, tenantId, id)

/** Nor is a device trusted any more: the user may have changed the factors because of it. */
export async function recordAdded(deps: Deps, tx: Transaction, user: UserRow, factor: ChangedFactor, actor: Actor) {
  await tx.run(forgetTrustedDevices(user.tenant_id, user.id))
  await tx.run(authenticatorEvent(deps, 'authenticator.created', user, factor, actor))
  await forgetProfile(deps, tx, user)
  await notify(deps, tx, user, 'factor-added', actor, { factor: factorNames[factor.kind], factorKind: factor.kind })
}

/** Removing the last second factor also removes the recovery codes, which only ever replace one. */
export async function recordRemoved(deps: Deps, tx: Transaction, user: UserRow, factor: ChangedFactor, actor: Actor) {
  await tx.run(forgetTrustedDevices(user.tenant_id, user.id))
  await tx.run(authenticatorEvent(deps, 'authenticator.deleted', user, factor, actor))
  await forgetProfile(deps, tx, user)
  const left = await enrolledSecondFactors(tx, user.tenant_id, user.id)
  if (left.length === 0) await tx.run(deleteRecoveryCodes(user.tenant_id, user.id))
  await notify(deps, tx, user, 'factor-removed', actor, { factor: factorNames[factor.kind], factorKind: factor.kind })
}

const recoveryEvent = <Type extends 'recovery_codes.created' | 'recovery_codes.used'>(
  { clock, personal }: Deps,
  type: Type,
  user: UserRow,
  actor: Actor,
  data: EventDataByType[Type],
) => eventStatement(clock, personal, { tenantId: user.tenant_id, type, actor, subjectId: user.id, data })

/** @param codes the codes that replace the existing ones. */
export async function replaceRecoveryCodes(
  deps: Deps,
  tx: Transaction,
  user: UserRow,
  codes: readonly string[],
  actor: Actor,
) {
  const { tenant_id: tenantId, id: userId } = user
  await tx.run(deleteRecoveryCodes(tenantId, userId))
  await tx.run(insertRecoveryCodes(tenantId, userId, codes, deps.clock.now()))
  await tx.run(recoveryEvent(deps, 'recovery_codes.created', user, actor, { count: codes.length }))
}

export async function recordRecoveryCodeUse(deps: Deps, tx: Transaction, user: UserRow, left: number, actor: Actor) {
  await tx.run(recoveryEvent(deps, 'recovery_codes.used', user, actor, { left }))
  await notify(deps, tx, user, 'recovery-code-used', actor, { left })
}
