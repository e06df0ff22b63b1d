import type { Static } from 'typebox'
import { integer, nullable, object, oneOf, optional, text } from '../schema.ts'
import { challengeProviders, challengePurposes } from '../settings/challenges.ts'
import { frontendEndpoint } from './frontend-endpoint.ts'

/** A puzzle in the protocol of altcha (PoW v1): find the number whose hash with the salt is the challenge. */
export const Puzzle = object({
  algorithm: oneOf(['SHA-256']),
  challenge: text({ description: 'SHA-256 of the salt followed by the number that is sought, in hexadecimal digits' }),
  salt: text(),
  maxnumber: integer({ description: 'The greatest number that it can be' }),
  signature: text(),
})
export type Puzzle = Static<typeof Puzzle>

export const Challenge = object({
  provider: oneOf(challengeProviders),
  puzzle: nullable(Puzzle),
  siteKey: optional(
    text({ description: "Instead of a puzzle: the tenant's key at the provider, whose widget makes the answer" }),
  ),
})
export type Challenge = Static<typeof Challenge>

const puzzle = {
  algorithm: 'SHA-256',
  challenge: '9f3c0c1be9a0f4d2a9c5de07b3f1a6c1f0c7b7a1e6d83a0c56b1f4c8a2d7e915',
  salt: '7d1f0a5c9e3b48d2?expires=1784567400&purpose=sign_up&tenant=cmi7x9q3r0a1c6v9f3j5l2o4s&',
  maxnumber: 50_000,
  signature: 'Zr0C3mT1x5Lq8hVwS2nYpQkJ7dFbEoAu6GiXcMvNtRg',
} as const

export const getChallenge = frontendEndpoint({
  id: 'getChallenge',
  method: 'GET',
  path: '/challenges',
  tag: 'Challenges',
  summary: 'Read a puzzle that a browser solves before it signs up, sends a password or resets one',
  description:
    'For requests that are refused with `challenge_required`. The puzzle is in the protocol of altcha, valid for ten minutes, for this tenant and ' +
    'purpose alone. The answer is the Base64 of `{"algorithm", "challenge", "number", "salt", "signature"}`; send it once, as the header ' +
    '`x-challenge`. With `turnstile` or `hcaptcha` the answer is the token of its widget, for Turnstile with the purpose as `action`. `challenge` is null ' +
    'while nothing has to be solved.',
  session: 'none',
  query: object({ purpose: oneOf(challengePurposes, { description: 'What the answer is for' }) }),
  data: object({ challenge: nullable(Challenge) }),
  errors: [],
  example: {
    query: { purpose: 'sign_up' },
    response: { challenge: { provider: 'proof_of_work', puzzle } },
  },
})
