// How a user has signed in, as tokens say it, and whether a new sign-in would be stronger.
import { signInAttempts } from '../../identity/attempts/tables.ts'
import { enrolledSecondFactors } from '../../identity/authenticators/second-factors.ts'
import { methodsOf, oneFactor, proofClaims, twoFactors } from '../../identity/sessions/proof.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type ProvenSession, methodsOfSignUp } from './sign-up-methods.ts'

/** Methods that are unknown, because the record of the sign-in was removed after 90 days, are left out rather than said to be none. */
const withMethods = (acr: string, methods: readonly string[]) =>
  methods.length === 0 ? { acr } : { acr, amr: methods }

/** Returns the methods (RFC 8176) and whether there was a second factor. */
export async function readStrength(db: Reader, row: ProvenSession) {
  if (row.factors !== null) {
    const { acr, amr = [] } = proofClaims(row)
    return withMethods(acr, amr)
  }
  if (row.sign_up_attempt_id !== null) return withMethods(oneFactor, await methodsOfSignUp(db, row))
  const attempt =
    row.sign_in_attempt_id === null ? undefined : await signInAttempts.byKey(db, row.tenant_id, row.sign_in_attempt_id)
  const used = [attempt?.first_factor, attempt?.strategy].filter((each) => each !== null && each !== undefined)
  const factors = [...new Set<string>(used)]
  const isTwo = factors.length > 1
  return withMethods(isTwo ? twoFactors : oneFactor, methodsOf(factors, isTwo))
}

/** Returns whether a new sign-in would be stronger, as the application requests, because the user has a second factor by now. */
export async function isTooWeak(db: Reader, row: ProvenSession, wanted: readonly string[]): Promise<boolean> {
  if (!wanted.includes(twoFactors)) return false
  const { acr } = await readStrength(db, row)
  if (wanted.includes(acr)) return false
  return (await enrolledSecondFactors(db, row.tenant_id, row.user_id)).length > 0
}
