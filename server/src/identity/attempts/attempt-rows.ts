// Attempts to sign in and to sign up: two tables, the second with what is still asked for.
import type { SignInStatus, SignInStrategy, SignUpStatus } from '@bailiwick/contract'
import type { Timestamp } from '../../platform/clock.ts'
import type { SignInAttemptId, SignUpAttemptId, TenantId, UserId } from '../../platform/ids.ts'

interface AttemptRow {
  readonly tenant_id: TenantId
  readonly user_id: UserId | null
  readonly identifier: string | null
  readonly strategy: SignInStrategy | null
  /** Lists are JSON. */
  readonly supported_first_factors: string
  readonly supported_second_factors: string
  readonly oauth_provider_id: string | null
  readonly redirect_uri: string | null
  readonly expires_at: Timestamp
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

export interface SignInAttemptRow extends AttemptRow {
  readonly id: SignInAttemptId
  readonly status: SignInStatus
}

export interface SignUpAttemptRow extends AttemptRow {
  readonly id: SignUpAttemptId
  readonly status: SignUpStatus
  readonly required_fields: string
  readonly missing_fields: string
  readonly required_verifications: string
  readonly missing_verifications: string
}

export const signInNames = [
  'tenant_id',
  'id',
  'user_id',
  'identifier',
  'status',
  'strategy',
  'supported_first_factors',
  'supported_second_factors',
  'oauth_provider_id',
  'redirect_uri',
  'expires_at',
  'created_at',
  'updated_at',
] as const
export const signUpNames = [
  ...signInNames,
  'required_fields',
  'missing_fields',
  'required_verifications',
  'missing_verifications',
] as const

export type AttemptTable = 'sign_in_attempts' | 'sign_up_attempts'
