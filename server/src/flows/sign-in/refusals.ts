// Why steps of a sign-in are refused: kept in the attempt for the tenant's administrators, and hidden from the person, whom some of the
// reasons would tell who exists.
import type { ErrorCode, SignInFailureReason } from '@bailiwick/contract'
import { statementsOf } from '../../identity/attempts/new-sign-in.ts'
import type { Deps } from '../../identity/deps.ts'
import type { NewEvent } from '../../platform/events/append.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { SignInFlow, Strategy } from '../frontend/flow.ts'
import { type FlowRow, failAttempt } from './attempt-store.ts'

/** The errors by which the person is told of a refusal, although the proof may have been right. */
const openReasonsByCode: Readonly<Partial<Record<ErrorCode, SignInFailureReason>>> = {
  too_many_attempts: 'locked',
  email_unverified: 'email_unverified',
  phone_unverified: 'phone_unverified',
  password_change_required: 'password_change_required',
}
const openReasons: ReadonlySet<SignInFailureReason> = new Set(Object.values(openReasonsByCode))

/** Returns the reason for which an error refuses a step; undefined for any other error. */
export const findReason = (error: unknown): SignInFailureReason | undefined =>
  error instanceof ApiError ? openReasonsByCode[error.code] : undefined

/** Why a proof signs nobody in. */
export interface Refusal {
  readonly refused: SignInFailureReason
}

export const isRefusal = (outcome: object): outcome is Refusal => 'refused' in outcome

/** Records in the attempt why a step was refused, and a wrong proof in the log as well. */
export async function recordRefusal(
  deps: Deps,
  flow: SignInFlow & { readonly attempt: FlowRow },
  { name }: Strategy,
  reason: SignInFailureReason,
): Promise<void> {
  const { tenantId, attempt, identified, call } = flow
  await deps.db.write((context) => {
    const { events, ...write } = failAttempt(deps, flow, { reason, strategy: name })
    const failed: NewEvent = {
      tenantId,
      type: 'sign_in_attempt.failed',
      actor: call.actor(null),
      subjectId: attempt.id,
      data: { strategy: name, userId: identified?.userId ?? null },
    }
    return statementsOf(deps, context, tenantId, {
      ...write,
      events: openReasons.has(reason) ? events : [...events, failed],
    })
  })
}
