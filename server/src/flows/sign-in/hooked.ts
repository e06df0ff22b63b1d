// What the tenant's hooks decide at the end of a sign-in.
import type { UserRow } from '../../identity/users/find-user.ts'
import type { UserRecord } from '../../identity/users/present.ts'
import { type HookInUse, decisionAt, textFor } from '../../messaging/hooks/decisions.ts'
import { UserDenied } from '../../messaging/hooks/new-user.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { FlowRow } from './attempt-store.ts'
import type { ProvenFactor } from './complete.ts'
import type { Refusal } from './refusals.ts'

/** Rolls a denied sign-in back: its proof is not used up. */
class SignInDenied extends Error {
  override readonly name = 'SignInDenied'
}

/**
 * Where a hook denied without a text, the refusal is answered like a wrong proof: a stranger with the right password learns nothing.
 * @throws ApiError sign_in_denied with the text of the hook
 */
export async function unlessDenied<T>(redeem: () => Promise<T>, language: string | undefined): Promise<T | Refusal> {
  try {
    return await redeem()
  } catch (error) {
    const isUser = error instanceof UserDenied
    if (!isUser && !(error instanceof SignInDenied)) throw error
    const detail = isUser ? (textFor(error.texts, language) ?? '') : error.message
    if (detail === '') return { refused: 'hook_denied' }
    throw new ApiError('sign_in_denied', { detail })
  }
}

interface AskedFor extends ProvenFactor {
  /** Whether this sign-in creates the user. */
  readonly isNew: boolean
  /** The hooks before a session, as the transaction has read them. */
  readonly hooks: readonly HookInUse[]
}

/**
 * Returns whether a hook asks for a second factor beside the first, which has been proven. Proofs within a session are not asked about.
 * @param owner the user as it was before this step changed it, so that the hook is not asked again for what the step itself does.
 */
export async function isSecondFactorDemanded(
  tx: Transaction,
  user: UserRecord,
  held: FlowRow,
  owner: UserRow,
  { flow, strategy, proof, which, isNew, hooks }: AskedFor,
): Promise<boolean> {
  if (held.session_id !== null) return false
  const { call, tenantId } = flow
  const { row, emailAddresses } = user
  const facts = {
    attemptId: held.id,
    user: {
      // A user whom this sign-in creates has no id before the hook has agreed.
      id: isNew ? null : owner.id,
      updatedAt: isNew ? null : owner.updated_at,
      name: row.name,
      username: row.username,
      email: emailAddresses.find(({ id }) => isNew || id === row.primary_email_id)?.email ?? null,
    },
    firstFactor: which === 'first' ? strategy.name : held.first_factor,
    secondFactor: which === 'first' ? null : strategy.name,
    ip: call.ip,
    userAgent: call.ua,
    language: call.language ?? null,
  }
  const verdict = await decisionAt(tx, tenantId, 'sign_in.before_session', facts, hooks)
  if (!verdict.isAllowed) throw new SignInDenied(textFor(verdict.message, call.language) ?? '')
  return verdict.requiresSecondFactor && which === 'first' && proof.isTwoFactors !== true
}
