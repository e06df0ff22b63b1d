// The puzzle of a page's form, where the tenant asks for one.
import type { ChallengePurpose } from '@bailiwick/contract'
import type { PageChallenge } from '@bailiwick/pages'
import { challengeRule } from '../../flows/challenges/challenge-rule.ts'
import { frontendPrefix } from '../../flows/routes.ts'
import { solverAsset } from '../assets.ts'
import type { PageCall } from './page-call.ts'

export function pageChallenge({ tenant }: PageCall, purpose: ChallengePurpose): PageChallenge | undefined {
  if (challengeRule(tenant.auth, purpose) === 'off') return undefined
  const query = new URLSearchParams({ purpose, publicKey: tenant.row.public_key }).toString()
  return { script: solverAsset().path, address: `${frontendPrefix}/challenges?${query}` }
}
