// Attempts to sign up as rows: begun, found by the browser that began them, filled step by step.
import type { SignUpStatus } from '@bailiwick/contract'
import { type Timestamp, addMilliseconds } from '../../platform/clock.ts'
import { addToCounters } from '../../platform/db/counters.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Deps } from '../../identity/deps.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/principal.ts'
import { type TenantId, type UserId, newId } from '../../platform/ids.ts'
import type { GivenFields, Requirements } from './requirements.ts'
import { type SignUpAttemptRow, signUpNames } from '../../identity/attempts/attempt-rows.ts'

/** Long enough to look for a mail, and to fill in what is missing. */
const attemptMs = 60 * 60_000

export interface SignUpRow extends SignUpAttemptRow {
  readonly sealed_fields: string
}

const names = [...signUpNames, 'sealed_fields'] as const
const columns = sql.join(
  names.map((name) => sql.identifier(name)),
  ', ',
)

const placeOf = (tenantId: TenantId, id: string) => `sign_up_attempts:${tenantId}:${id}:fields`

export const givenFields = ({ sealer }: Deps, row: SignUpRow): GivenFields =>
  JSON.parse(sealer.open(row.sealed_fields, placeOf(row.tenant_id, row.id))) as GivenFields

const sealFields = ({ sealer }: Deps, tenantId: TenantId, id: string, given: GivenFields) =>
  sealer.seal(JSON.stringify(given), placeOf(tenantId, id))

export const statusOf = ({ missingFields, missingVerifications }: Requirements): SignUpStatus =>
  missingFields.length > 0
    ? 'missing_requirements'
    : missingVerifications.length > 0
      ? 'needs_verification'
      : 'complete'

const listsOf = (requirements: Requirements) => ({
  required_fields: JSON.stringify(requirements.requiredFields),
  missing_fields: JSON.stringify(requirements.missingFields),
  required_verifications: JSON.stringify(requirements.requiredVerifications),
  missing_verifications: JSON.stringify(requirements.missingVerifications),
})

export interface NewSignUp {
  readonly tenantId: TenantId
  readonly flowHash: string
  readonly given: GivenFields
  readonly requirements: Requirements
  readonly redirectUri: string | null
}

const openStatus = (requirements: Requirements): SignUpStatus => {
  const status = statusOf(requirements)
  // Complete is what it becomes together with the user.
  return status === 'complete' ? 'needs_verification' : status
}

export async function insertSignUp(deps: Deps, tx: Transaction, input: NewSignUp, actor: Actor): Promise<SignUpRow> {
  const { clock, personal } = deps
  const { tenantId, given, requirements } = input
  const at = clock.next()
  const id = newId<'SignUpAttemptId'>()
  const row: SignUpRow = {
    tenant_id: tenantId,
    id,
    user_id: null,
    identifier: given.email ?? given.phone ?? given.username ?? null,
    status: openStatus(requirements),
    strategy: null,
    supported_first_factors: '[]',
    supported_second_factors: '[]',
    oauth_provider_id: null,
    redirect_uri: input.redirectUri,
    expires_at: addMilliseconds(clock.now(), attemptMs),
    created_at: at,
    updated_at: at,
    ...listsOf(requirements),
    sealed_fields: sealFields(deps, tenantId, id, given),
  }
  const values = [[input.flowHash, ...names.map((name) => row[name])]]
  await tx.run(sql`INSERT INTO sign_up_attempts (flow_hash, ${columns}) ${sql.values(values)}`)
  await tx.run(addToCounters(tx, tenantId, { sign_up_attempts: 1 }))
  await tx.run(
    eventStatement(clock, personal, {
      tenantId,
      type: 'sign_up_attempt.created',
      actor,
      subjectId: id,
      data: {},
    }),
  )
  return row
}

/** For the browser that began it alone. */
export const selectSignUp = (db: Reader, tenantId: TenantId, id: string, flowHash: string) =>
  db.first<SignUpRow>(sql`SELECT ${columns} FROM sign_up_attempts
    WHERE tenant_id = ${tenantId} AND id = ${id} AND flow_hash = ${flowHash}`)

/** Held until the transaction ends. */
export const selectSignUpForUpdate = (db: Reader, { tenant_id: tenantId, id }: SignUpRow) =>
  db.first<SignUpRow>(sql`SELECT ${columns} FROM sign_up_attempts
    WHERE tenant_id = ${tenantId} AND id = ${id}${sql.forUpdate}`)

/**
 * What to say of an attempt that is not as a step has found it.
 * @param held the attempt as it is now.
 */
export function changedMeanwhile(held: SignUpRow | undefined, now: Timestamp): ApiError {
  if (held === undefined || held.status === 'complete' || held.expires_at <= now)
    return new ApiError('attempt_not_open')
  return new ApiError('attempt_at_another_step', {
    detail: 'Another request has changed this attempt meanwhile; read it, and go on from there.',
  })
}

export interface SignUpChange {
  readonly given: GivenFields
  readonly requirements: Requirements
  readonly strategy?: SignUpRow['strategy']
}

export async function fillSignUp(
  deps: Deps,
  tx: Transaction,
  row: SignUpRow,
  { given, requirements, strategy = row.strategy }: SignUpChange,
): Promise<SignUpRow> {
  const after: SignUpRow = {
    ...row,
    ...listsOf(requirements),
    status: openStatus(requirements),
    strategy,
    identifier: given.email ?? given.phone ?? given.username ?? null,
    sealed_fields: sealFields(deps, row.tenant_id, row.id, given),
    updated_at: deps.clock.now(),
  }
  await tx.run(sql`UPDATE sign_up_attempts SET status = ${after.status}, strategy = ${after.strategy},
      identifier = ${after.identifier}, required_fields = ${after.required_fields}, missing_fields = ${after.missing_fields},
      required_verifications = ${after.required_verifications}, missing_verifications = ${after.missing_verifications},
      sealed_fields = ${after.sealed_fields}, updated_at = ${after.updated_at}
    WHERE tenant_id = ${after.tenant_id} AND id = ${after.id}`)
  return after
}

/** The user stands: nothing that was given is kept here any longer. */
export async function completeSignUp({ clock }: Deps, tx: Transaction, row: SignUpRow, userId: UserId) {
  const at = clock.now()
  await tx.run(sql`UPDATE sign_up_attempts SET status = 'complete', user_id = ${userId}, missing_fields = '[]',
      missing_verifications = '[]', sealed_fields = NULL, updated_at = ${at}
    WHERE tenant_id = ${row.tenant_id} AND id = ${row.id}`)
  const nothing = { missing_fields: '[]', missing_verifications: '[]' }
  return { ...row, ...nothing, status: 'complete' as const, user_id: userId, updated_at: at }
}
