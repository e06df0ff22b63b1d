// Solves the puzzle that a tenant asks for. It is loaded once one has to be solved.
import type { ChallengePurpose } from '@bailiwick/contract'
import { solveChallenge } from '@bailiwick/sdk/challenge'
import type { FrontendOperations } from '@bailiwick/sdk/frontend'

/** Returns the answer as an option of the call that needs it; none if nothing has to be solved any more. */
export async function answerChallenge(
  { getChallenge }: Pick<FrontendOperations, 'getChallenge'>,
  purpose: ChallengePurpose,
) {
  const { challenge } = await getChallenge({ query: { purpose } })
  if (challenge === null) return {}
  const { provider, siteKey } = challenge
  if (provider === 'proof_of_work' || siteKey === undefined) return { challenge: await solveChallenge(challenge) }
  const { answerCaptcha } = await import('./captcha.ts')
  const answer = await answerCaptcha(provider, siteKey, purpose)
  return answer === undefined ? {} : { challenge: answer }
}
