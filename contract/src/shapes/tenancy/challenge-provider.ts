// Who makes the puzzles of a tenant: the service itself, or a provider with the tenant's own keys.
import type { Static } from 'typebox'
import { boolean, nullableText, nullableTimestamp, object, oneOf, optional, text } from '../../schema.ts'
import { captchaProviders, challengeProviders } from '../../settings/challenges.ts'

export const challengeFailureRules = ['deny', 'allow'] as const
export type ChallengeFailureRule = (typeof challengeFailureRules)[number]

const onFailure = () =>
  oneOf(challengeFailureRules, {
    description: 'What holds while the provider does not answer: `deny` refuses requests, `allow` lets them through',
  })

/** Who makes the puzzles that a tenant asks for. */
export const ChallengeProviderSettings = object({
  provider: oneOf(challengeProviders),
  siteKey: nullableText({ description: 'Null for puzzles of the service itself' }),
  hasSecret: boolean({ description: 'Whether a secret is stored; it is never returned' }),
  onFailure: onFailure(),
  updatedAt: nullableTimestamp(),
})
export type ChallengeProviderSettings = Static<typeof ChallengeProviderSettings>

const key = { minLength: 1, maxLength: 200, pattern: '^[\\w.-]+$' } as const

/** A provider with the keys that the tenant has got there. */
export const PutChallengeProvider = object({
  provider: oneOf(captchaProviders),
  siteKey: text({ ...key, description: 'The key that pages show' }),
  secret: optional(
    text({
      ...key,
      'x-secret': true,
      description: 'The key with which answers are checked. Left out, the stored one of the provider stays',
    }),
  ),
  onFailure: optional(onFailure()),
})
export type PutChallengeProvider = Static<typeof PutChallengeProvider>
