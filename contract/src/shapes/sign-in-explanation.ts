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
  at: optional(text({ format: 'cursor', description: 'Under the configuration of that time; now unless said' })),
})
export type ExplainSignIn = Static<typeof ExplainSignIn>

const step = object({
  strategy: oneOf(signInStrategies),
  offered: boolean({ description: 'Whether the tenant offers it to whoever has such an identifier' }),
  usable: boolean({ description: 'Whether this user could prove it' }),
  reasons: array(text(), { description: 'Why not; empty where it is both' }),
})

const lock = object({
  what: oneOf(['password', 'second_factor', 'sent_codes'], {
    description: 'What devices that the user has not signed in with are refused; those that are known go on',
  }),
  until: nullableTimestamp({ description: 'When waiting ends it; null where it does not' }),
  clearedBy: array(text(), { description: 'What ends it before' }),
})

/** What somebody who enters an identifier is shown, and why. */
export const SignInExplanation = object({
  identifierKind: oneOf(['email', 'phone', 'username']),
  configurationVersion: integer(),
  at: timestamp(),
  user: nullable(object({ id: text(), status: oneOf(userStatuses), blockedUntil: nullableTimestamp() })),
  locks: array(lock, {
    description: 'What is refused just now because somebody has guessed too often, or had too much sent',
  }),
  canSignIn: boolean(),
  reasons: array(text(), { description: 'What stops every way at once' }),
  firstFactors: array(step),
  secondFactors: array(step, { description: 'What is asked for after the first factor; empty where nothing is' }),
})
export type SignInExplanation = Static<typeof SignInExplanation>
