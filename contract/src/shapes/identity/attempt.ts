import type { Static } from 'typebox'
import { array, integer, nullable, nullableOneOf, nullableText, object, oneOf, text, timestamp } from '../../schema.ts'
import { UserSummary } from './user.ts'

export const signInStrategies = [
  'username_password',
  'email_password',
  'phone_password',
  'email_link',
  'email_code',
  'phone_code',
  'oauth',
  'enterprise',
  'authenticator_code',
  'security_key',
] as const
export type SignInStrategy = (typeof signInStrategies)[number]

export const signInStatuses = [
  'needs_identifier',
  'needs_factor_one',
  'needs_factor_two',
  'needs_enrolment',
  'complete',
] as const
export type SignInStatus = (typeof signInStatuses)[number]

/** Why a step of a sign-in was refused. */
export const signInFailureReasons = [
  'wrong_proof',
  'unknown_user',
  'user_not_active',
  'hook_denied',
  'locked',
  'email_unverified',
  'phone_unverified',
  'password_change_required',
  'connection_required',
] as const
export type SignInFailureReason = (typeof signInFailureReasons)[number]

/** How a session is proven once more: by a first factor, and the second one if the user has it; or by a second factor. */
export const verificationLevels = ['recent', 'second_factor'] as const
export type VerificationLevel = (typeof verificationLevels)[number]

export const signUpStatuses = ['missing_requirements', 'needs_verification', 'complete', 'abandoned'] as const
export type SignUpStatus = (typeof signUpStatuses)[number]

const beforeStatus = {
  id: text(),
  tenantId: text(),
  userId: nullableText(),
  identifier: nullableText(),
}

const afterStatus = {
  strategy: nullableOneOf(signInStrategies),
  supportedFirstFactors: array(text()),
  supportedSecondFactors: array(text()),
  oauthProviderId: nullableText(),
  redirectUri: nullableText(),
  expiresAt: timestamp(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
}

/** A sign-in that was begun: how far it is, and which factors can follow. */
export const SignInAttempt = object({ ...beforeStatus, status: oneOf(signInStatuses), ...afterStatus })
export type SignInAttempt = Static<typeof SignInAttempt>

/** A sign-up that was begun: what it has, and what is still missing. */
export const SignUpAttempt = object({
  ...beforeStatus,
  status: oneOf(signUpStatuses),
  requiredFields: array(text()),
  missingFields: array(text()),
  requiredVerifications: array(text()),
  missingVerifications: array(text()),
  ...afterStatus,
})
export type SignUpAttempt = Static<typeof SignUpAttempt>

/** What was refused in an attempt to sign in. */
export const SignInFailure = object({
  reason: oneOf(signInFailureReasons, { description: 'Why the newest of them was refused' }),
  strategy: oneOf(signInStrategies, { description: 'What was tried' }),
  count: integer({ description: 'How many steps of this attempt were refused' }),
  at: timestamp({ description: 'When the newest of them was refused' }),
  ip: nullableText({ description: 'The address it came from' }),
  ua: nullableText({ description: 'The browser it came from' }),
})
export type SignInFailure = Static<typeof SignInFailure>

/** A sign-in that was begun, with what was refused in it; null if nothing was. */
export const SignInAttemptWithFailure = object({ ...SignInAttempt.properties, failure: nullable(SignInFailure) })
export type SignInAttemptWithFailure = Static<typeof SignInAttemptWithFailure>

/**
 * Attempts as a tenant sees them: with their user, or null if there is no such user. The person signing in sees only the attempt, because
 * the user would reveal to a stranger whether the user exists.
 */
export const SignInAttemptRecord = object({ ...SignInAttemptWithFailure.properties, user: nullable(UserSummary) })
export type SignInAttemptRecord = Static<typeof SignInAttemptRecord>
/** A sign-up that was begun, as the tenant sees it. */
export const SignUpAttemptRecord = object({ ...SignUpAttempt.properties, user: nullable(UserSummary) })
export type SignUpAttemptRecord = Static<typeof SignUpAttemptRecord>
