// Step-up: the user of a session proves once more who it is, by the steps of a sign-in. At their end the session itself goes on, with the
// time and the strength of the new proof.
import type { CreateVerification, SignInStrategy } from '@bailiwick/contract'
import { attemptStatements, newAttemptRow, presentSignIn } from '../../identity/attempts/new-sign-in.ts'
import type { SignInAttemptRow } from '../../identity/attempts/tables.ts'
import { firstFactors, offered, switchedOn } from '../../identity/authenticators/offers.ts'
import { enrolledSecondFactors, secondFactorsToProve } from '../../identity/authenticators/second-factors.ts'
import { findSecondContact, findVerifiedContact } from '../../identity/authenticators/verified-contact.ts'
import type { Deps } from '../../identity/deps.ts'
import { freshMs } from '../../identity/sessions/fresh-session.ts'
import { provenAt } from '../../identity/sessions/proof.ts'
import { parseIdentifier } from '../../identity/users/identifier.ts'
import type { UserRecord } from '../../identity/users/present.ts'
import { getUser } from '../../identity/users/users.ts'
import { type Timestamp, toMs } from '../../platform/clock.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { fromJson, toJson } from '../../platform/json-text.ts'
import { strategyFactsOf } from '../../tenancy/auth-configuration/auth-configuration.ts'
import { hasSecondFactors } from '../../tenancy/tenants/second-factor-settings.ts'
import { destinationOf } from '../frontend/destinations.ts'
import type { AnyCall } from '../frontend/flow.ts'

const ageOf = ({ clock }: Deps, at: Timestamp) => clock.nowMs() - toMs(at)

/** Returns whether the session has been proven as the caller asks already. */
function isProven(deps: Deps, { signedIn: { row } }: AnyCall, { level, maxAgeSeconds }: CreateVerification): boolean {
  const at = level === 'recent' ? provenAt(row) : row.second_factor_at
  if (at === null) return false
  const maxAgeMs = maxAgeSeconds === undefined ? (level === 'recent' ? freshMs : Infinity) : maxAgeSeconds * 1000
  return ageOf(deps, at) <= maxAgeMs
}

/** The identifier by which the user signs in again: one for which the tenant offers a way, verified ones first. */
function ownIdentifier(deps: Deps, { tenant }: AnyCall, { row, emailAddresses, phoneNumbers }: UserRecord) {
  const byRank = <Row extends { readonly id: string; readonly verified_at: string | null }>(
    rows: readonly Row[],
    primary: string | null,
  ) => rows.toSorted((one, other) => rankOf(other, primary) - rankOf(one, primary))
  const emails = byRank(emailAddresses, row.primary_email_id).map(({ email }) => email)
  const phones = byRank(phoneNumbers, row.primary_phone_id).map(({ phone }) => phone)
  const candidates = [emails[0], row.username, phones[0]].filter((each) => typeof each === 'string')
  const ways = (text: string | undefined) => {
    const kind = text === undefined ? undefined : parseIdentifier(text).kind
    return offered(firstFactors(tenant.auth, strategyFactsOf(deps, tenant), kind))
  }
  const identifier = candidates.find((each) => ways(each).length > 0)
  return { identifier: identifier ?? null, factors: ways(identifier) }
}

const rankOf = (
  { id, verified_at: at }: { readonly id: string; readonly verified_at: string | null },
  primary: string | null,
) => (at === null ? 0 : 2) + (id === primary ? 1 : 0)

type Begin = Pick<SignInAttemptRow, 'status' | 'supported_first_factors' | 'supported_second_factors'>

/** A user with a second factor proves that one alone. One without sets it up, from a session that is proven recently or proven again. */
async function beginSecond(deps: Deps, { tenant, tenantId, signedIn }: AnyCall): Promise<Begin | undefined> {
  const { db } = deps
  const { auth } = tenant
  const { row } = signedIn
  const enrolled = await enrolledSecondFactors(db, tenantId, row.user_id)
  const toProve = await secondFactorsToProve(db, auth, tenantId, row.user_id, enrolled)
  const begin = (status: Begin['status'], factors: readonly SignInStrategy[]): Begin => ({
    status,
    supported_first_factors: toJson([]),
    supported_second_factors: toJson([...factors]),
  })
  if (toProve.length > 0) return begin('needs_factor_two', toProve)
  const facts = strategyFactsOf(deps, tenant)
  const proven = row.factors === null ? [] : fromJson(row.factors)
  const second = await findSecondContact(db, auth, { tenantId, userId: row.user_id }, facts, proven)
  if (second !== undefined && proven.length > 0) return begin('needs_factor_two', [second.strategy])
  if (!hasSecondFactors(auth)) throw new ApiError('strategy_unavailable')
  if (ageOf(deps, provenAt(row)) > freshMs) return undefined
  const contact = await findVerifiedContact(db, tenantId, row.user_id, facts)
  return begin('needs_enrolment', contact === undefined ? switchedOn(auth, 'second') : [contact.strategy])
}

/**
 * Begins an attempt whose end renews the proof of the caller's session; none if the session has been proven as asked already.
 * @throws ApiError reauthentication_required for a session in the place of the user; sign_in_disabled, strategy_unavailable,
 * redirect_refused
 */
export async function createVerification(deps: Deps, call: AnyCall, body: CreateVerification) {
  const { tenant, tenantId, signedIn } = call
  if (signedIn.row.actor_type !== null) throw new ApiError('reauthentication_required')
  if (!tenant.auth.signInEnabled) throw new ApiError('sign_in_disabled')
  const redirectUri = destinationOf(deps, call, body.redirectUri)
  if (isProven(deps, call, body)) return { isProven: true, signInAttempt: null }
  const userId = signedIn.row.user_id
  const user = await getUser(deps, tenantId, userId)
  const { identifier, factors } = ownIdentifier(deps, call, user)
  const begun: SignInAttemptRow = {
    ...newAttemptRow(deps, { tenantId, userId, identifier, factors, redirectUri }),
    session_id: signedIn.row.id,
    level: body.level,
    ...(body.level === 'second_factor' ? await beginSecond(deps, call) : {}),
  }
  const held = call.newHeld('flow')
  let row = begun
  await deps.db.write((context) => {
    const write = attemptStatements(deps, context, begun, { flowHash: held.hash }, call.actor())
    ;({ row } = write)
    return write.statements
  })
  return { isProven: false, signInAttempt: presentSignIn(row), ...call.give('flow', held.token) }
}
