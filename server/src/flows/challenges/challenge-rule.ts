// Whether a tenant asks for puzzles. Most do not, so what makes and checks them is loaded by the first that does.
import type { ChallengePurpose, TenantAuthSettings } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import type { AnyCall } from '../frontend/flow.ts'

const settings = {
  sign_up: 'challengeOnSignUp',
  sign_in: 'challengeOnSignIn',
  password_reset: 'challengeOnPasswordReset',
} as const satisfies Readonly<Record<ChallengePurpose, keyof TenantAuthSettings>>

let challenges: Promise<typeof import('./challenges.ts')> | undefined

/** Loads it once; to import it again for each request would take longer than to make or check a puzzle. */
export const loadChallenges = () => (challenges ??= import('./challenges.ts'))

export const challengeRule = (auth: TenantAuthSettings, purpose: ChallengePurpose) => auth[settings[purpose]]

/**
 * Refuses a request without the answer to a puzzle where the tenant asks for one.
 * @throws ApiError challenge_required
 */
export async function assertChallenge(deps: Deps, call: AnyCall, purpose: ChallengePurpose): Promise<void> {
  if (challengeRule(call.tenant.auth, purpose) === 'off') return
  const { demandAnswer } = await loadChallenges()
  await demandAnswer(deps, call, purpose)
}

/** Remembers for an hour that a proof from this address was wrong. */
export async function noteWrongProof(deps: Deps, call: AnyCall): Promise<void> {
  if (challengeRule(call.tenant.auth, 'sign_in') === 'off') return
  const { countSuspicion } = await loadChallenges()
  await countSuspicion(deps, call, 'sign_in')
}
