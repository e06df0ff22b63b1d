// What the user does while an application waits: continue as signed in, consent, or go back. The engine continues from what is stored here.
import type { OAuthInteraction } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { enrolledSecondFactors } from '../../identity/authenticators/second-factors.ts'
import { signInAttempts } from '../../identity/attempts/tables.ts'
import type { LiveSession } from '../../identity/sessions/session-directory.ts'
import { toMs } from '../../platform/clock.ts'
import { hashToken, newToken } from '../../platform/crypto/tokens.ts'
import { methodsOfSignUp } from './sign-up-methods.ts'
import type { Reader } from '../../platform/db/database.ts'
import type { RowOf } from '../../platform/db/table.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { fromJson, toJson } from '../../platform/json-text.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { issuerToContinueAt } from '../settings/issuer.ts'
import { paths } from '../engine/paths.ts'
import { type Payload, hashOfId } from '../engine/request-store.ts'
import { oauthSettingsOf } from '../settings/oauth-settings.ts'
import { type AskedFor, askedFor, askedScopes } from './asked-scopes.ts'
import { shownClient } from './shown-client.ts'
import { oauthInteractions } from '../engine/tables.ts'

export type InteractionRow = RowOf<typeof oauthInteractions>

/** The members that are read from the engine's payload. */
export interface InteractionPayload {
  readonly params: Readonly<Record<string, unknown>>
  readonly prompt: { readonly name: string; readonly reasons?: readonly string[] }
  readonly session?: { readonly accountId?: string }
  readonly lastSubmission?: object
  readonly iat?: number
  /** The identifier of the issuer at which the browser has begun. */
  readonly issuer?: string
  /** The hash of the device code that waits for the interaction. */
  readonly device?: string
}

export interface FoundInteraction {
  readonly row: InteractionRow
  readonly payload: InteractionPayload
}

const payloadOf = (row: InteractionRow) => fromJson(row.payload) as unknown as InteractionPayload

/** @throws ApiError not_found, also for an expired one. */
export async function findInteraction(
  { db, clock }: Deps,
  tenant: TenantEntry,
  uid: string,
): Promise<FoundInteraction> {
  const row = await oauthInteractions.byKey(db, tenant.row.id, hashOfId(uid))
  if (row === undefined || row.expires_at <= clock.now()) throw notFound()
  return { row, payload: payloadOf(row) }
}

/** The prompt with which an application asks that the user chooses between accounts. */
const accountChoice = 'select_account'
const twoFactors = 'urn:bailiwick:2fa'
const oneFactor = 'urn:bailiwick:1fa'
const words = (value: unknown) => (typeof value === 'string' && value !== '' ? value.split(' ') : [])

/** Returns whether the user had signed in before the application asked. */
const isOlder = ({ row }: FoundInteraction, session: LiveSession | undefined): boolean =>
  session !== undefined && toMs(session.row.created_at) < toMs(row.created_at)

/** Returns whether the user has to sign in again although there is a session. */
async function mustSignInAnew(
  { db, clock }: Deps,
  found: FoundInteraction,
  session: LiveSession | undefined,
): Promise<boolean> {
  const { payload } = found
  const { prompt, max_age: maxAge, acr_values: acrValues } = payload.params
  if (payload.prompt.name === 'consent') return false
  const isLoginAsked = words(prompt).includes('login')
  if (session === undefined) return isLoginAsked || maxAge !== undefined
  // A user who has signed in since the application asked is not asked twice, however short the age that it allows.
  if (!isOlder(found, session)) return false
  const began = toMs(session.row.created_at)
  if (isLoginAsked) return true
  if (maxAge !== undefined && clock.nowMs() - began > Number(maxAge) * 1000) return true
  return isTooWeak(db, session, words(acrValues))
}

/** Returns whether a new sign-in would be stronger, as the application requests, because the user now has a second factor. */
async function isTooWeak(db: Reader, session: LiveSession, asked: readonly string[]): Promise<boolean> {
  if (!asked.includes(twoFactors)) return false
  const { acr } = await strengthOf(db, session)
  if (asked.includes(acr)) return false
  const { tenant_id: tenantId, user_id: userId } = session.row
  return (await enrolledSecondFactors(db, tenantId, userId)).length > 0
}

export async function presentInteraction(
  deps: Deps,
  tenant: TenantEntry,
  uid: string,
  found: FoundInteraction,
  session: LiveSession | undefined,
): Promise<OAuthInteraction> {
  const { row, payload } = found
  const { params } = payload
  const [application, asked, isAnew] = await Promise.all([
    shownClient(deps, tenant, row.client_id, params['redirect_uri']),
    askedScopes(deps, tenant, row.client_id, params, session),
    mustSignInAnew(deps, found, session),
  ])
  return {
    uid,
    prompt: payload.prompt.name === 'consent' ? 'consent' : 'login',
    application,
    ...asked,
    mustSignInAnew: isAnew,
    mustChooseAccount: payload.prompt.name === accountChoice && isOlder(found, session),
    maxAgeSeconds: params['max_age'] === undefined ? null : Number(params['max_age']),
    acrValues: words(params['acr_values']),
    loginHint: typeof params['login_hint'] === 'string' ? params['login_hint'] : null,
    uiLocales: words(params['ui_locales']),
    isDevice: payload.device !== undefined,
    expiresAt: row.expires_at,
  }
}

/** Stores the user's part and returns the browser's next address, with a ticket that only this caller gets. */
export async function resolveInteraction(
  deps: Deps,
  tenant: TenantEntry,
  uid: string,
  { row, payload }: FoundInteraction,
  result: object,
): Promise<{
  readonly statement: (ticketHash: string) => ReturnType<typeof writeResult>
  readonly redirectUri: string
  readonly ticketHash: string
}> {
  const ticket = newToken('oi_')
  // The cookies of the browser are at the issuer where it began, which may be the previous one during its grace period.
  const issuer = issuerToContinueAt(deps, tenant, await oauthSettingsOf(deps.db, tenant), payload.issuer)
  const after = {
    ...row,
    payload: toJson<Readonly<Record<string, unknown>>>({ ...(payload as unknown as Payload), result }),
  }
  const address = `${issuer.id}${paths.authorization}/${encodeURIComponent(uid)}?ticket=${encodeURIComponent(ticket)}`
  return {
    statement: (ticketHash) => writeResult({ ...after, ticket_hash: ticketHash }),
    redirectUri: address,
    ticketHash: hashToken(ticket),
  }
}

const writeResult = oauthInteractions.update('payload', 'ticket_hash', 'user_id')

/** Methods that are unknown, because the record of the sign-in was removed after 90 days, are left out rather than said to be none. */
const withMethods = (acr: string, methods: readonly string[]) =>
  methods.length === 0 ? { acr } : { acr, amr: methods }

/** How the user signed in: the methods (RFC 8176), and whether there was a second factor. */
async function strengthOf(db: Reader, { row }: LiveSession) {
  if (row.sign_up_attempt_id !== null) return withMethods(oneFactor, await methodsOfSignUp(db, row))
  const attempt =
    row.sign_in_attempt_id === null ? undefined : await signInAttempts.byKey(db, row.tenant_id, row.sign_in_attempt_id)
  const used = [attempt?.first_factor, attempt?.strategy].filter((each) => each !== null && each !== undefined)
  const factors = [...new Set<string>(used)]
  const methods = new Set(factors.map(methodOf))
  const isTwo = factors.length > 1
  if (isTwo) methods.add('mfa')
  return withMethods(isTwo ? twoFactors : oneFactor, [...methods])
}

function methodOf(strategy: string): string {
  if (strategy.endsWith('_password')) return 'pwd'
  if (strategy === 'security_key') return 'hwk'
  return strategy === 'phone_code' ? 'sms' : strategy === 'oauth' ? 'fed' : 'otp'
}

/** An actor in a user's place cannot sign in to applications as the user. @throws ApiError reauthentication_required */
export function assertOwnSession({ row }: LiveSession) {
  if (row.actor_type !== null) throw new ApiError('reauthentication_required')
}

/**
 * Continues as the signed-in user. There is no session before the second factor, so none that awaits one gets here.
 * @throws ApiError not_found, reauthentication_required
 */
export async function loginInteraction(deps: Deps, session: LiveSession, uid: string) {
  const { tenant, row: own } = session
  assertOwnSession(session)
  const found = await findInteraction(deps, tenant, uid)
  if (found.payload.prompt.name === 'consent' || found.payload.device !== undefined) throw notFound()
  if (await mustSignInAnew(deps, found, session)) throw new ApiError('reauthentication_required')
  const strength = await strengthOf(deps.db, session)
  const ts = Math.floor(toMs(own.created_at) / 1000)
  const login = { accountId: own.user_id, ts, remember: true, sessionId: own.id, ...strength }
  // The engine's session from the time of the request is not continued: it was another user's, or has ended with the session that
  // a new sign-in has replaced. The ticket and the cookie of the interaction identify the browser.
  const { session: _before, ...payload } = found.payload
  const next = await resolveInteraction(
    deps,
    tenant,
    uid,
    { row: { ...found.row, user_id: own.user_id }, payload },
    // Continuing as this user is also the choice of the account.
    { login, [accountChoice]: {} },
  )
  await deps.db.write(() => [next.statement(next.ticketHash)])
  return { redirectUri: next.redirectUri }
}

export type { AskedFor }
export { askedFor }
