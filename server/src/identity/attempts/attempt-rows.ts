// Attempts to sign in and to sign up, as sign-in and sign-up see them.
import type { RowOf } from '../../platform/db/table.ts'
import type { signInAttempts, signUpAttempts } from './tables.ts'

export type SignInAttemptRow = RowOf<typeof signInAttempts>
export type SignUpAttemptRow = RowOf<typeof signUpAttempts>
export type AttemptTable = 'sign_in_attempts' | 'sign_up_attempts'
