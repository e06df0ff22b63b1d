// How a user has proven their identity by signing up, because the session of a sign-up has no factors of a sign-in.
import { signUpAttempts } from '../../identity/attempts/tables.ts'
import { passwords } from '../../identity/passwords/tables.ts'
import type { LiveSession } from '../../identity/sessions/live-session.ts'
import type { SessionProof } from '../../identity/sessions/proof.ts'
import { socialConnections } from '../../identity/social-connections/tables.ts'
import type { Reader } from '../../platform/db/database.ts'
import { fromJson } from '../../platform/json-text.ts'

/** What a session says about how it was begun. */
export type ProvenSession = Pick<
  LiveSession['row'],
  'tenant_id' | 'user_id' | 'sign_in_attempt_id' | 'sign_up_attempt_id' | keyof SessionProof
>

/** Changes of the account since the session began do not count. */
export async function methodsOfSignUp(db: Reader, row: ProvenSession): Promise<string[]> {
  const { tenant_id: tenantId, user_id: userId, sign_up_attempt_id: attemptId, created_at: began } = row
  const [attempt, password, connection] = await Promise.all([
    attemptId === null ? undefined : signUpAttempts.byKey(db, tenantId, attemptId),
    passwords.byKey(db, tenantId, userId),
    socialConnections.first(db)`tenant_id = ${tenantId} AND user_id = ${userId} AND created_at < ${began}`,
  ])
  const isFederated = connection !== undefined
  const verified: readonly string[] = attempt === undefined ? [] : fromJson(attempt.required_verifications)
  const methods = [
    password !== undefined && password.created_at < began ? 'pwd' : undefined,
    isFederated ? 'fed' : undefined,
    // The provider may have vouched for the address.
    verified.includes('email') && !isFederated ? 'otp' : undefined,
    verified.includes('phone') ? 'sms' : undefined,
  ]
  return methods.filter((method) => method !== undefined)
}
