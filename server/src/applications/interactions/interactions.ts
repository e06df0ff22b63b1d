// What the user does while an application waits: continue as signed in, consent, or go back. The engine continues from what is stored here.
import { type OAuthInteraction, tokenPrefixes } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import type { LiveSession } from '../../identity/sessions/live-session.ts'
import { provenAt } from '../../identity/sessions/proof.ts'
import { toMs } from '../../platform/clock.ts'
import { hashToken, newToken } from '../../platform/crypto/tokens.ts'
import type { RowOf } from '../../platform/db/table.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { fromJson, toJson } from '../../platform/json-text.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { requiresSecondFactor } from '../applications/application-records.ts'
import { paths } from '../engine/paths.ts'
import { type Payload, hashOfId } from '../engine/requests/request-store.ts'
import { oauthInteractions } from '../engine/tables.ts'
import { issuerToContinueAt } from '../settings/issuer.ts'
import { oauthSettingsOf } from '../settings/oauth-settings.ts'
import { identifierHint, requestedStrengths, requestedSubject, words } from '../sign-ins/requirements.ts'
import { isTooWeak, readStrength } from '../sign-ins/strength.ts'
import { type AskedFor, askedFor, askedScopes } from './asked-scopes.ts'
import { shownClient } from './shown-client.ts'

export type InteractionRow = RowOf<typeof oauthInteractions>

/** The members that are read from the engine's payload. */
export interface InteractionPayload {
  readonly params: Readonly<Record<string, unknown>>
  readonly prompt: { readonly name: string; readonly reasons?: readonly string[] }
  readonly session?: { readonly accountId?: string }
  /** What the user has answered in the earlier steps of the same request. */
  readonly lastSubmission?: InteractionAnswers
  readonly iat?: number
  /** The identifier of the issuer at which the browser has begun. */
  readonly issuer?: string
  /** The hash of the device code that waits for the interaction. */
  readonly device?: string
}

/** The answers of one request, by the prompt that they answer. */
export interface InteractionAnswers {
  readonly login?: { readonly accountId: string; readonly sessionId: string }
}

export interface FoundInteraction {
  readonly row: InteractionRow
  readonly payload: InteractionPayload
}

// The engine has written it.
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
/** The prompt with which it asks for a new account (Initiating User Registration via OpenID Connect 1.0). */
const accountCreation = 'create'

/** Returns whether the user had signed in before the application asked. */
const isOlder = ({ row }: FoundInteraction, session: LiveSession | undefined): boolean =>
  session !== undefined && toMs(provenAt(session.row)) < toMs(row.created_at)

/** Returns whether the application wants another user than the one who is signed in. */
const isAnotherWanted = ({ payload }: FoundInteraction, session: LiveSession | undefined): boolean => {
  const subject = requestedSubject(payload.params)
  return session !== undefined && subject !== undefined && subject !== session.row.user_id
}

/** Returns whether the question is the user's own consent, which a sign-in came before. */
const isAskedToConsent = ({ payload }: FoundInteraction, session: LiveSession | undefined): boolean =>
  payload.prompt.name === 'consent' && (session === undefined || session.row.user_id === payload.session?.accountId)

/** Returns whether the user has to sign in again although there is a session. */
async function mustSignInAnew(
  { db, clock }: Deps,
  found: FoundInteraction,
  session: LiveSession | undefined,
): Promise<boolean> {
  const { payload } = found
  const { prompt, max_age: maxAge } = payload.params
  if (isAskedToConsent(found, session)) return false
  const isProofAsked = words(prompt).some((each) => each === 'login' || each === accountCreation)
  if (session === undefined) return isProofAsked || maxAge !== undefined
  // Applications know users who can come back.
  if (isAnotherWanted(found, session) || session.row.user_is_anonymous === 1) return true
  // A user who has signed in since the application asked is not asked twice, however short the age that it allows.
  if (!isOlder(found, session)) return false
  const began = toMs(provenAt(session.row))
  if (isProofAsked) return true
  if (maxAge !== undefined && clock.nowMs() - began > Number(maxAge) * 1000) return true
  return isTooWeak(db, session.row, requestedStrengths(payload.params))
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
    acrValues: [...words(params['acr_values'])],
    prefersSignUp: words(params['prompt']).includes(accountCreation),
    isAnotherAccountWanted: isAnotherWanted(found, session),
    loginHint: identifierHint(params),
    uiLocales: [...words(params['ui_locales'])],
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
  const ticket = newToken(tokenPrefixes.interactionTicket)
  // The cookies of the browser are at the issuer where it began, which may be the previous one during its grace period.
  const issuer = issuerToContinueAt(deps, tenant, await oauthSettingsOf(deps.db, tenant), payload.issuer)
  const after = {
    ...row,
    // The engine reads the payload as any JSON.
    payload: toJson<Readonly<Record<string, unknown>>>({ ...(payload as unknown as Payload), result }),
  }
  const address = new URL(`${issuer.id}${paths.authorization}/${encodeURIComponent(uid)}`)
  address.searchParams.set('ticket', ticket)
  // For the page that is shown if the request is over by then.
  if (!row.client_id.startsWith('https://')) address.searchParams.set('client_id', row.client_id)
  return {
    statement: (ticketHash) => writeResult({ ...after, ticket_hash: ticketHash }),
    redirectUri: address.href,
    ticketHash: hashToken(ticket),
  }
}

const writeResult = oauthInteractions.update('payload', 'ticket_hash', 'user_id')

/** An actor in a user's place cannot sign in to applications as the user. @throws ApiError reauthentication_required */
export function assertOwnSession({ row }: LiveSession) {
  if (row.actor_type !== null) throw new ApiError('reauthentication_required')
}

/** An application may want nobody without a second factor. @throws ApiError second_factor_required */
export async function assertStrongEnough({ db }: Deps, { tenant, row: own }: LiveSession, { row }: FoundInteraction) {
  if (own.second_factor_at === null && (await requiresSecondFactor(db, tenant, row.client_id))) {
    throw new ApiError('second_factor_required', {
      detail: 'Prove a second factor with POST /user/verifications before you sign in to this application.',
    })
  }
}

/**
 * Continues as the signed-in user. There is no session before the second factor, so none that awaits one gets here.
 * @throws ApiError not_found, reauthentication_required, second_factor_required
 */
export async function loginInteraction(deps: Deps, session: LiveSession, uid: string) {
  const { tenant, row: own } = session
  assertOwnSession(session)
  const found = await findInteraction(deps, tenant, uid)
  if (found.payload.device !== undefined) throw notFound()
  // Instead of consenting, the user can sign in anew, also with another account, and is asked then.
  if (isAskedToConsent(found, session) && isOlder(found, session)) throw notFound()
  await assertStrongEnough(deps, session, found)
  if (await mustSignInAnew(deps, found, session)) throw new ApiError('reauthentication_required')
  const strength = await readStrength(deps.db, own)
  const ts = Math.floor(toMs(provenAt(own)) / 1000)
  const login = { accountId: own.user_id, ts, remember: true, sessionId: own.id, ...strength }
  // The engine's session from the time of the request is not continued: it was another user's, or has ended with the session that
  // a new sign-in has replaced. The ticket and the cookie of the interaction identify the browser.
  const { session: _before, ...payload } = found.payload
  const next = await resolveInteraction(
    deps,
    tenant,
    uid,
    { row: { ...found.row, user_id: own.user_id }, payload },
    // Continuing as this user is also the choice of the account, and answers whether a new one is wanted.
    { login, [accountChoice]: {}, [accountCreation]: {} },
  )
  await deps.db.write(() => [next.statement(next.ticketHash)])
  return { redirectUri: next.redirectUri }
}

export type { AskedFor }
export { askedFor }
