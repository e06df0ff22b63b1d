// Whether a tenant asks for puzzles. Most do not, so what makes and checks them is loaded by the first that does.
import type { ChallengePurpose, TenantAuthSettings } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import type { AnyCall } from '../frontend/flow.ts'

const settings = {
  sign_up: 'challengeOnSignUp',
  sign_in: 'challengeOnSignIn',
  password_reset: 'challengeOnPasswordReset',
} as const satisfies Readonly<Record<ChallengePurpose, keyof TenantAuthSettings>>

export const challengeRule = (auth: TenantAuthSettings, purpose: ChallengePurpose) => auth[settings[purpose]]

/**
 * Refuses a request without the answer to a puzzle where the tenant asks for one.
 * @throws ApiError challenge_required
 */
export async function assertChallenge(deps: Deps, call: AnyCall, purpose: ChallengePurpose): Promise<void> {
  if (challengeRule(call.tenant.auth, purpose) === 'off') return
  const { demandAnswer } = await import('./challenges.ts')
  await demandAnswer(deps, call, purpose)
}

/** Remembers for an hour that a proof from this address was wrong. */
export async function noteWrongProof(deps: Deps, call: AnyCall): Promise<void> {
  if (challengeRule(call.tenant.auth, 'sign_in') === 'off') return
  const { countSuspicion } = await import('./challenges.ts')
  await countSuspicion(deps, call, 'sign_in')
}
