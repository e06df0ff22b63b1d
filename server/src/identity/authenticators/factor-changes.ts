// What every change of a user's authenticators does beside changing its rows: it records an event and notifies the user, who may not have
// made the change.
import type { EventDataByType, EventType } from '@bailiwick/contract'
import { invalidateUser } from '../../platform/cache/invalidation.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Deps } from '../deps.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { AuthenticatorId, TenantId, UserId } from '../../platform/ids.ts'
import { queueMessage } from '../../messaging/notifications/messages/queue-message.ts'
import { type UserRow, lockUser, verifiedPrimaryEmail } from '../users/find-user.ts'
import { deleteRecoveryCodes, insertRecoveryCodes } from './recovery-codes.ts'
import { enrolledSecondFactors } from './second-factors.ts'

export interface FactorOwner {
  readonly tenantId: TenantId
  readonly userId: UserId
  readonly actor: Actor
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

export async function notify(
  deps: Deps,
  tx: Transaction,
  user: UserRow,
  type: 'factor-added' | 'factor-removed' | 'recovery-code-used',
  { language }: Actor,
  variables: Readonly<Record<string, unknown>>,
) {
  const { tenant_id: tenantId, id: userId } = user
  const to = await verifiedPrimaryEmail(tx, user)
  if (to === undefined) return
  await queueMessage(tx, deps, {
    tenantId,
    channelType: 'email',
    template: { type },
    to,
    userId,
    language,
    variables: { user: { name: user.name }, ...variables },
    purpose: 'security_notice',
  })
}

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

export async function recordAdded(deps: Deps, tx: Transaction, user: UserRow, factor: ChangedFactor, actor: Actor) {
  await tx.run(authenticatorEvent(deps, 'authenticator.created', user, factor, actor))
  await forgetProfile(deps, tx, user)
  await notify(deps, tx, user, 'factor-added', actor, { factor: factorNames[factor.kind], factorKind: factor.kind })
}

/** Removing the last second factor also removes the recovery codes, which only ever replace one. */
export async function recordRemoved(deps: Deps, tx: Transaction, user: UserRow, factor: ChangedFactor, actor: Actor) {
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
