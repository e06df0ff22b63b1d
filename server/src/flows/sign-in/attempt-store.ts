// Attempts to sign in as rows: beginning them, finding them for the browser that began them, advancing them.
import type { SignInFailureReason, SignInStatus, SignInStrategy } from '@bailiwick/contract'
import { type AttemptWrite, insertSignIn } from '../../identity/attempts/new-sign-in.ts'
import { type SignInAttemptRow, signInAttempts } from '../../identity/attempts/tables.ts'
import type { Deps } from '../../identity/deps.ts'
import type { Timestamp } from '../../platform/clock.ts'
import { NothingChanged, type Reader } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import { toJson } from '../../platform/json-text.ts'
import type { SignInFlow } from '../frontend/flow.ts'

export type FlowRow = SignInAttemptRow

/** Finds an attempt only for the browser that began it; for any other it does not exist. */
export const selectFlow = (db: Reader, tenantId: TenantId, id: string, flowHash: string) =>
  signInAttempts.first(db)`tenant_id = ${tenantId} AND id = ${id} AND flow_hash = ${flowHash}`

/** Returns the hash of the token that the browser holds. */
export const hashOfBrowser = ({ attempt, unwritten }: SignInFlow): string =>
  unwritten?.flowHash ?? (attempt.flow_hash as string)

/** Returns the attempt of a flow, held until the transaction ends, if it is still where the step began. */
export const selectFlowForUpdate = (db: Reader, row: FlowRow) =>
  signInAttempts.first(db)`tenant_id = ${row.tenant_id} AND id = ${row.id} AND status = ${row.status}${sql.forUpdate}`

/** Returns the error for a step that does not apply to an attempt: it is over, or waits for another factor. */
export function wrongStepError({ status, expires_at: expiresAt }: FlowRow, now: Timestamp): ApiError {
  if (status === 'complete' || expiresAt <= now) return new ApiError('attempt_not_open')
  const isProven = status === 'needs_factor_two' || status === 'needs_enrolment'
  const detail = isProven
    ? 'The first factor of this attempt was already proved. Continue with the second factor.'
    : 'Prove the first factor of this attempt before the second.'
  return new ApiError('attempt_at_another_step', { detail })
}

/** Returns the same error for an attempt that was at the right step a moment ago. */
export async function changedStepError(db: Reader, row: FlowRow, now: Timestamp): Promise<ApiError> {
  const current = await signInAttempts.byKey(db, row.tenant_id, row.id)
  return current === undefined ? new ApiError('attempt_not_open') : wrongStepError(current, now)
}

export interface Move {
  readonly status: SignInStatus
  readonly strategy: SignInStrategy | null
  readonly userId: UserId | null
  readonly firstFactor: SignInStrategy | null
  readonly secondFactors: readonly SignInStrategy[]
}

const updateMoved = signInAttempts.update(
  'status',
  'strategy',
  'user_id',
  'first_factor',
  'first_factor_at',
  'supported_second_factors',
  'updated_at',
)

/** Returns the row as it will then be, and the statement that writes it. */
export function moveAttempt(deps: Deps, row: FlowRow, move: Move, flow: SignInFlow): AttemptWrite {
  const at = deps.clock.now()
  const moved = {
    ...row,
    status: move.status,
    strategy: move.strategy,
    user_id: move.userId,
    first_factor: move.firstFactor,
    first_factor_at: at,
    supported_second_factors: toJson(move.secondFactors),
    updated_at: at,
  }
  if (flow.unwritten !== undefined) return insertSignIn(deps, moved, flow.unwritten.flowHash, flow.call.actor(null))
  return { row: moved, statements: [updateMoved(moved)], events: [], counts: {} }
}

const updateFailed = signInAttempts.update(
  'failures',
  'failure_reason',
  'failed_strategy',
  'failed_at',
  'failure_ip',
  'failure_ua',
)

/** Returns the attempt with what was refused in it, and the statement that writes it. */
export function failAttempt(
  deps: Deps,
  { attempt, unwritten, call }: SignInFlow & { readonly attempt: FlowRow },
  { reason, strategy }: { readonly reason: SignInFailureReason; readonly strategy: SignInStrategy },
): AttemptWrite {
  const actor = call.actor(null)
  const failed = {
    ...attempt,
    failures: attempt.failures + 1,
    failure_reason: reason,
    failed_strategy: strategy,
    failed_at: deps.clock.now(),
    failure_ip: actor.ip,
    failure_ua: actor.ua,
  }
  if (unwritten !== undefined) return insertSignIn(deps, failed, unwritten.flowHash, actor)
  return { row: failed, statements: [updateFailed(failed)], events: [], counts: {} }
}

/** Before the first proof, another request of the browser may name the user while a message is being sent. */
const phaseOf = (status: SignInStatus): readonly [SignInStatus, SignInStatus] =>
  status === 'needs_identifier' || status === 'needs_factor_one'
    ? ['needs_identifier', 'needs_factor_one']
    : [status, status]

const changeable = [
  'identifier',
  'user_id',
  'strategy',
  'status',
  'redirect_uri',
  'supported_first_factors',
  'oauth_provider_id',
  'updated_at',
] as const
const setChanged = signInAttempts.set(...changeable)

/**
 * Sets another identifier or strategy of an attempt that is still where the step began, together with `others`.
 * @throws ApiError attempt_not_open, attempt_at_another_step if it has advanced meanwhile: its new state is not overwritten.
 */
export async function changeAttempt(
  { db, clock }: Deps,
  row: FlowRow,
  changes: Partial<Pick<FlowRow, Exclude<(typeof changeable)[number], 'updated_at'>>>,
  others: readonly Statement[] = [],
): Promise<FlowRow> {
  const after = { ...row, ...changes, updated_at: clock.now() }
  const [first, second] = phaseOf(row.status)
  const change = sql`${setChanged(after)} WHERE tenant_id = ${row.tenant_id} AND id = ${row.id} AND status IN (${first}, ${second})`
  try {
    await db.write(() => [...others, change], { mustChange: true })
  } catch (error) {
    throw error instanceof NothingChanged ? await changedStepError(db, row, after.updated_at) : error
  }
  return after
}
