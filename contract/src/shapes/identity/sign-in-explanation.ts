import type { Static } from 'typebox'
import {
  array,
  boolean,
  integer,
  nullable,
  nullableInteger,
  nullableOneOf,
  nullableText,
  nullableTimestamp,
  object,
  oneOf,
  optional,
  text,
  timestamp,
} from '../../schema.ts'
import { hookCallResults, hookFailureRules } from '../messaging/hook.ts'
import { signInStrategies } from './attempt.ts'
import { userStatuses } from './user.ts'

/** Whose sign-in is explained, and at which time. */
export const ExplainSignIn = object({
  identifier: text({ minLength: 1, maxLength: 320, format: 'text', pattern: '\\S' }),
  at: optional(
    text({ format: 'cursor', description: 'Uses the configuration at this time. Default: the present configuration' }),
  ),
  withHooks: optional(
    boolean({ description: "Whether to ask the tenant's hooks before a session about the user. Default: false" }),
  ),
})
export type ExplainSignIn = Static<typeof ExplainSignIn>

const step = object({
  strategy: oneOf(signInStrategies),
  offered: boolean({ description: 'Whether the tenant offers the strategy for this kind of identifier' }),
  usable: boolean({ description: 'Whether this user has what the strategy needs, such as a password' }),
  reasons: array(text(), { description: 'Why the strategy cannot be used; empty if both are true' }),
})

const lock = object({
  what: oneOf(['password', 'second_factor', 'sent_codes'], {
    description:
      'What is refused on devices on which the user has not signed in before; known devices are not affected',
  }),
  until: nullableTimestamp({ description: 'When the lock ends by itself; null if it does not' }),
  clearedBy: array(text(), { description: 'What ends the lock earlier' }),
})

/** A rule that asks the user for a second factor. */
const factorRule = object({
  by: oneOf(['tenant', 'role', 'organization'], {
    description: 'An organization asks before the user acts for it, the others at every sign-in',
  }),
  id: nullableText({ description: "The record whose rule it is; null for the tenant's own" }),
  name: nullableText(),
})

/** What an organization of the user allows besides a second factor. */
const organizationRule = object({
  organizationId: text(),
  name: text(),
  allowedStrategies: array(oneOf(signInStrategies), {
    description: 'The ways to sign in that let the user act for the organization; empty if all do',
  }),
  usable: boolean({ description: 'Whether the user can sign in by one of them' }),
  sessionMaximumLifetime: nullableInteger({ description: 'In seconds; null if the organization sets none' }),
})

/** What somebody who enters an identifier is shown, and why. */
export const SignInExplanation = object({
  identifierKind: oneOf(['email', 'phone', 'username']),
  configurationVersion: integer(),
  at: timestamp(),
  user: nullable(
    object({
      id: text(),
      status: oneOf(userStatuses),
      hasPassword: boolean(),
      blockedUntil: nullableTimestamp(),
    }),
  ),
  locks: array(lock, {
    description: 'What is refused at present because of too many wrong attempts or too many messages',
  }),
  canSignIn: boolean(),
  reasons: array(text(), { description: 'What blocks every way to sign in' }),
  connections: array(object({ id: text(), name: text(), organizationId: text(), required: boolean() }), {
    description: "The live connections of the organization that has verified the address's domain by DNS",
  }),
  firstFactors: array(step),
  secondFactors: array(step, {
    description: 'The second factors that are required after the first factor; empty if none is',
  }),
  secondFactorRules: array(factorRule, { description: 'The rules that ask this user for a second factor' }),
  organizationRules: array(organizationRule, {
    description: 'The organizations of this user that a session acts for only by some ways to sign in, or for a time',
  }),
  hooks: array(
    object({
      id: text(),
      onFailure: oneOf(hookFailureRules),
      result: nullableOneOf(hookCallResults, { description: 'What the hook says; null unless it was asked' }),
      error: nullableText(),
    }),
    { description: "The tenant's hooks that a sign-in asks before the session begins" },
  ),
})
export type SignInExplanation = Static<typeof SignInExplanation>
