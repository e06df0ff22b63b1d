// Attempts to sign up as rows: beginning them, finding them for the browser that began them, filling them step by step.
import type { SignUpStatus } from '@bailiwick/contract'
import { type SignUpAttemptRow, signUpAttempts } from '../../identity/attempts/tables.ts'
import type { Deps } from '../../identity/deps.ts'
import { type Timestamp, addMilliseconds } from '../../platform/clock.ts'
import { addToCounters } from '../../platform/db/counters.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Selection } from '../../platform/db/table.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { type TenantId, type UserId, newId } from '../../platform/ids.ts'
import { toJson } from '../../platform/json-text.ts'
import type { GivenFields, Requirements } from './requirements.ts'

/** Long enough to find a mail, and to enter what is missing. */
const attemptMs = 60 * 60_000

export interface SignUpRow extends SignUpAttemptRow {
  readonly sealed_fields: string
}

/** Callers have checked that the attempt is not complete; only a complete one has no fields. */
const openSignUps = signUpAttempts as Selection<SignUpAttemptRow> as Selection<SignUpRow>

export const givenFields = ({ sealer }: Deps, row: SignUpRow): GivenFields =>
  JSON.parse(sealer.open(row.sealed_fields, signUpAttempts.place('sealed_fields', row))) as GivenFields

const sealFields = ({ sealer }: Deps, row: Pick<SignUpRow, 'tenant_id' | 'id'>, given: GivenFields) =>
  sealer.seal(JSON.stringify(given), signUpAttempts.place('sealed_fields', row))

export const statusOf = ({ missingFields, missingVerifications }: Requirements): SignUpStatus =>
  missingFields.length > 0
    ? 'missing_requirements'
    : missingVerifications.length > 0
      ? 'needs_verification'
      : 'complete'

const listsOf = (requirements: Requirements) => ({
  required_fields: toJson(requirements.requiredFields),
  missing_fields: toJson(requirements.missingFields),
  required_verifications: toJson(requirements.requiredVerifications),
  missing_verifications: toJson(requirements.missingVerifications),
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
  // An attempt becomes complete together with the user's creation.
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
    supported_first_factors: toJson([]),
    supported_second_factors: toJson([]),
    oauth_provider_id: null,
    redirect_uri: input.redirectUri,
    flow_hash: input.flowHash,
    expires_at: addMilliseconds(clock.now(), attemptMs),
    created_at: at,
    updated_at: at,
    ...listsOf(requirements),
    sealed_fields: sealFields(deps, { tenant_id: tenantId, id }, given),
  }
  await tx.run(signUpAttempts.insert(row))
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

/** Finds it only for the browser that began it. */
export const selectSignUp = (db: Reader, tenantId: TenantId, id: string, flowHash: string) =>
  openSignUps.first(db)`tenant_id = ${tenantId} AND id = ${id} AND flow_hash = ${flowHash}`

/** Held until the transaction ends. */
export const selectSignUpForUpdate = (db: Reader, { tenant_id: tenantId, id }: SignUpRow) =>
  openSignUps.first(db)`tenant_id = ${tenantId} AND id = ${id}${sql.forUpdate}`

/** Returns the error for an attempt that is not as a step has found it, but as `held`. */
function changedMeanwhile(held: SignUpRow | undefined, now: Timestamp): ApiError {
  if (held === undefined || held.status === 'complete' || held.expires_at <= now)
    return new ApiError('attempt_not_open')
  return new ApiError('attempt_at_another_step', {
    detail: 'Another request has changed this attempt. Read it again, and continue from there.',
  })
}

/**
 * Returns the attempt, locked until the transaction ends, if it is still as a step has found it.
 * @throws ApiError attempt_not_open, attempt_at_another_step
 */
export async function lockUnchanged(
  { clock }: Pick<Deps, 'clock'>,
  tx: Transaction,
  row: SignUpRow,
): Promise<SignUpRow> {
  const held = await selectSignUpForUpdate(tx, row)
  if (held === undefined || held.updated_at !== row.updated_at) throw changedMeanwhile(held, clock.now())
  return held
}

export interface SignUpChange {
  readonly given: GivenFields
  readonly requirements: Requirements
  readonly strategy?: SignUpRow['strategy']
}

const updateFilled = signUpAttempts.update(
  'status',
  'strategy',
  'identifier',
  'required_fields',
  'missing_fields',
  'required_verifications',
  'missing_verifications',
  'sealed_fields',
  'updated_at',
)

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
    sealed_fields: sealFields(deps, row, given),
    updated_at: deps.clock.now(),
  }
  await tx.run(updateFilled(after))
  return after
}

/** The user exists now: nothing that was entered is kept here any longer. */
export async function completeSignUp({ clock }: Deps, tx: Transaction, row: SignUpRow, userId: UserId) {
  const at = clock.now()
  await tx.run(sql`UPDATE sign_up_attempts SET status = 'complete', user_id = ${userId}, missing_fields = '[]',
      missing_verifications = '[]', sealed_fields = NULL, updated_at = ${at}
    WHERE tenant_id = ${row.tenant_id} AND id = ${row.id}`)
  const nothing = { missing_fields: toJson([]), missing_verifications: toJson([]) }
  return { ...row, ...nothing, status: 'complete' as const, user_id: userId, updated_at: at }
}
