// What a browser can be asked to solve, and before what.
import type { ChoiceSetting, IntegerSetting } from './setting-kinds.ts'

export const challengePurposes = ['sign_up', 'sign_in', 'password_reset'] as const
export type ChallengePurpose = (typeof challengePurposes)[number]

/** Those beside the service's own puzzle check answers on servers of theirs. */
export const captchaProviders = ['turnstile', 'hcaptcha'] as const
export type CaptchaProvider = (typeof captchaProviders)[number]

export const challengeProviders = ['proof_of_work', ...captchaProviders] as const
export type ChallengeProvider = (typeof challengeProviders)[number]

const challenge = (label: string, help: string) =>
  ({
    kind: 'choice',
    default: 'off',
    values: ['off', 'suspicious', 'always'],
    group: 'bots',
    label,
    help,
  }) as const satisfies ChoiceSetting

export const challengeSettings = {
  challengeOnSignUp: challenge(
    'Puzzle before sign-up',
    'When a browser has to solve a puzzle before a user signs up: never, for addresses from which many have signed up within the hour, or always. Invited users are exempt.',
  ),
  challengeOnSignIn: challenge(
    'Puzzle before a password',
    'When a browser has to solve a puzzle before it sends a password: never, for addresses with wrong passwords or codes within the hour, or always.',
  ),
  challengeOnPasswordReset: challenge(
    'Puzzle before a password reset',
    'When a browser has to solve a puzzle before it asks for the code that resets a password: never, for addresses from which many have asked within the hour, or always.',
  ),
  challengeDifficulty: {
    kind: 'integer',
    default: 50_000,
    minimum: 1000,
    maximum: 1_000_000,
    unit: 'hashes',
    group: 'bots',
    label: 'Difficulty of the puzzle',
    help: 'How many hashes solve a puzzle at most; on average it takes half of them. Suspicious addresses get puzzles that are up to sixteen times as hard.',
  } satisfies IntegerSetting,
} as const
