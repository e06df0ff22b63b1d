import type { Static } from 'typebox'
import {
  array,
  boolean,
  integer,
  nullable,
  nullableTimestamp,
  object,
  oneOf,
  optional,
  text,
  timestamp,
} from '../schema.ts'
import { signInStrategies } from './attempt.ts'
import { userStatuses } from './user.ts'

export const ExplainSignIn = object({
  identifier: text({ minLength: 1, maxLength: 320, format: 'text', pattern: '\\S' }),
  at: optional(
    text({ format: 'cursor', description: 'Uses the configuration of that time; the present one by default' }),
  ),
})
export type ExplainSignIn = Static<typeof ExplainSignIn>

const step = object({
  strategy: oneOf(signInStrategies),
  offered: boolean({ description: 'Whether the tenant offers it for such an identifier' }),
  usable: boolean({ description: 'Whether this user could prove it' }),
  reasons: array(text(), { description: 'Why not; empty if both are true' }),
})

const lock = object({
  what: oneOf(['password', 'second_factor', 'sent_codes'], {
    description: 'What is refused on devices with which the user has not signed in; known devices are not affected',
  }),
  until: nullableTimestamp({ description: 'When it ends by waiting; null if it does not' }),
  clearedBy: array(text(), { description: 'What ends it earlier' }),
})

/** What somebody who enters an identifier is shown, and why. */
export const SignInExplanation = object({
  identifierKind: oneOf(['email', 'phone', 'username']),
  configurationVersion: integer(),
  at: timestamp(),
  user: nullable(object({ id: text(), status: oneOf(userStatuses), blockedUntil: nullableTimestamp() })),
  locks: array(lock, {
    description: 'What is refused at present because of too many guesses or messages',
  }),
  canSignIn: boolean(),
  reasons: array(text(), { description: 'What blocks every way of signing in' }),
  firstFactors: array(step),
  secondFactors: array(step, { description: 'What is required after the first factor; empty if nothing is' }),
})
export type SignInExplanation = Static<typeof SignInExplanation>
