// Attempts to sign in and to sign up: two tables. The second also keeps which fields are still missing.
import type {
  SignInFailureReason,
  SignInStatus,
  SignInStrategy,
  SignUpStatus,
  VerificationLevel,
} from '@bailiwick/contract'
import { id, integer, json, many, record, text, time } from '../../platform/db/columns.ts'
import { type RowOf, table } from '../../platform/db/table.ts'
import type { SessionId, SignInAttemptId, SignUpAttemptId, UserId } from '../../platform/ids.ts'

const attempt = {
  user_id: id<UserId>().nullable(),
  ...many(text().nullable(), 'identifier', 'oauth_provider_id', 'redirect_uri'),
  strategy: text<SignInStrategy>().nullable(),
  ...many(json<SignInStrategy[]>(), 'supported_first_factors', 'supported_second_factors'),
  /** The hash of the token that is held by the browser that began the attempt. */
  flow_hash: text().nullable(),
  expires_at: time(),
}

export const signInAttempts = table(
  'sign_in_attempts',
  {
    ...record<SignInAttemptId>(),
    ...attempt,
    status: text<SignInStatus>(),
    first_factor: text<SignInStrategy>().nullable(),
    /** When the first factor was proven. */
    first_factor_at: time().nullable(),
    /** The session whose proof the attempt renews, and what has to be proven; null for one that begins a session. */
    session_id: id<SessionId>().nullable(),
    level: text<VerificationLevel>().nullable(),
    /** How many steps were refused, and the newest of these. */
    failures: integer().default(0),
    failure_reason: text<SignInFailureReason>().nullable(),
    failed_strategy: text<SignInStrategy>().nullable(),
    failed_at: time().nullable(),
    ...many(text().nullable(), 'failure_ip', 'failure_ua'),
  },
  { counted: [{ counter: 'sign_in_attempts' }], notExported: 'they expire within minutes' },
)

export const signUpAttempts = table(
  'sign_up_attempts',
  {
    ...record<SignUpAttemptId>(),
    ...attempt,
    status: text<SignUpStatus>(),
    ...many(json<string[]>(), 'required_fields', 'missing_fields', 'required_verifications', 'missing_verifications'),
    /** The values that have been given so far, and which of them have been proven. */
    sealed_fields: text().nullable(),
  },
  {
    counted: [{ counter: 'sign_up_attempts' }],
    sealed: { sealed_fields: 'fields' },
    notExported: 'they expire within minutes',
  },
)

export type SignInAttemptRow = RowOf<typeof signInAttempts>
export type SignUpAttemptRow = RowOf<typeof signUpAttempts>
export type AttemptTable = 'sign_in_attempts' | 'sign_up_attempts'
