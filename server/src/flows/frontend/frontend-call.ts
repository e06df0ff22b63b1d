// One request of an end user's browser or app: its tenant, the signed-in user, and how the answer carries tokens.
import {
  type BodyOf,
  type DataOf,
  type FrontendEndpoint,
  type ParamsOf,
  type QueryOf,
  tokenPrefixes,
} from '@bailiwick/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LiveSession } from '../../identity/sessions/live-session.ts'
import { hashToken, hasValidChecksum, newToken } from '../../platform/crypto/tokens.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { Exchange, userAgentOf } from '../../platform/http/pipeline.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { type CookieKind, accountCookieIds, accountCookies, cookieName, readCookie, setCookie } from './cookies.ts'
import { preferredLanguage } from './preferred-language.ts'

const flowSeconds = 60 * 60
const deviceSeconds = 365 * 24 * 60 * 60
const headerNames = { flow: 'x-flow-token', device: 'x-device-token' } as const

/** The tenant that a request is for, and the signed-in user. */
export interface CallContext {
  readonly tenant: TenantEntry
  readonly isOwnDomain: boolean
  readonly session: LiveSession | undefined
}

/** A call that comes from a hosted page, not from a request of the frontend interface. Its tokens travel in cookies. */
export interface PageInput<E extends FrontendEndpoint> {
  readonly params: ParamsOf<E>
  readonly query: QueryOf<E>
  readonly body: BodyOf<E>
  /** The language of the page. */
  readonly language: string
  /** The answer to a puzzle. */
  readonly challenge?: string | undefined
  /** Whether a code by mail takes the place of that answer. */
  readonly isMailFirst?: boolean
}

export class FrontendCall<E extends FrontendEndpoint> extends Exchange<E> {
  /** Set by `locate`. */
  tenant!: TenantEntry
  /** Set by `locate`: whether the request was sent to a domain of the tenant. */
  isOwnDomain = false
  /** Set by `authenticate`: the session of the signed-in user, if there is one. */
  session: LiveSession | undefined
  /** Tokens travel in cookies, or in the body if the caller asks for that. */
  readonly transport: 'cookie' | 'body'
  readonly #page: PageInput<E> | undefined

  /**
   * @param context what the steps would set, for a request that does not run them.
   * @param page what a page asks of the operation, in place of the request's own parameters, query and body.
   */
  constructor(request: FastifyRequest, reply: FastifyReply, context?: CallContext, page?: PageInput<E>) {
    super(request, reply)
    this.transport = page === undefined ? transportOf(request) : 'cookie'
    this.#page = page
    if (page !== undefined) {
      this.params = page.params
      this.query = page.query
      this.body = page.body
    }
    if (context === undefined) return
    this.tenant = context.tenant
    this.isOwnDomain = context.isOwnDomain
    this.session = context.session
  }

  get tenantId(): TenantId {
    return this.tenant.row.id
  }

  /** @throws ApiError unauthenticated */
  get signedIn(): LiveSession {
    if (this.session === undefined) throw new ApiError('unauthenticated')
    return this.session
  }

  /** The tenant's own domain that the request was sent to; null if it was sent to the deployment's address. */
  get ownHost(): string | null {
    return this.isOwnDomain ? this.request.host : null
  }

  get ip(): string {
    return this.request.ip
  }

  get ua(): string | null {
    return userAgentOf(this.request)
  }

  /** The answer to a puzzle that the caller has solved. */
  get challengeAnswer(): string | undefined {
    const answer = this.#page === undefined ? this.request.headers['x-challenge'] : this.#page.challenge
    return typeof answer === 'string' ? answer : undefined
  }

  /** Whether it comes from a page without JavaScript, where a code by mail takes the place of an answer. */
  get isMailFirst(): boolean {
    return this.#page?.isMailFirst === true
  }

  /** The language that the caller prefers. */
  get language(): string | undefined {
    return this.#page?.language ?? preferredLanguage(this.request.headers['accept-language'])
  }

  /** Returns the signed-in user, or the user who is about to sign in, as the caller whom the events of this request name. */
  actor(userId: string | null = this.session?.row.user_id ?? null): Actor {
    const row = this.session?.row
    const impersonator =
      row !== undefined && row.actor_type !== null ? { type: row.actor_type, id: row.actor_id } : undefined
    return {
      type: userId === null ? 'anonymous' : 'user',
      id: userId,
      ip: this.ip,
      ua: this.ua,
      language: this.language,
      ...(impersonator === undefined ? {} : { impersonatedBy: impersonator }),
    }
  }

  /** Returns the session that a new sign-in replaces, i.e. the one whose token was sent by the same means as tokens are returned. */
  get replacedSession(): LiveSession | undefined {
    const cameByCookie = this.request.headers.authorization === undefined
    return cameByCookie === (this.transport === 'cookie') ? this.session : undefined
  }

  /** Returns the token that the caller holds for its flow, or as a known device. */
  heldToken(kind: 'flow' | 'device'): string | undefined {
    const header = this.request.headers[headerNames[kind]]
    const token = this.transport === 'cookie' ? this.#cookie(kind) : header
    return typeof token === 'string' && isHeld(kind, token) ? token : undefined
  }

  /** Returns the hash of the token that the caller holds for its flow, or as a known device. */
  heldHash(kind: 'flow' | 'device'): string | undefined {
    const token = this.heldToken(kind)
    return token === undefined ? undefined : hashToken(token)
  }

  /**
   * Returns a token for the caller to hold, which `give` sends with the answer. A browser with hosted pages keeps the one that it has, so
   * that flows in its other tabs can continue.
   */
  newHeld(kind: 'flow' | 'device'): { readonly token: string; readonly hash: string } {
    const held = this.#page === undefined ? undefined : this.heldToken(kind)
    const token = held ?? newToken(tokenPrefixes[kind])
    return { token, hash: hashToken(token) }
  }

  /** Gives a token to the caller; returns what the body must contain if tokens travel there. */
  give(kind: CookieKind, token: string): Record<string, string> {
    if (this.transport === 'body') return { [`${kind}Token`]: token }
    const seconds = kind === 'flow' ? flowSeconds : kind === 'device' ? deviceSeconds : this.#sessionSeconds()
    setCookie(this.reply, this.#name(kind), token, seconds)
    return {}
  }

  /** Returns the session's new token by the means by which the old one was sent: no page ever sees a token that was in a cookie. */
  reissueSessionToken(token: string): Record<string, string> {
    if (this.request.headers.authorization !== undefined) return { sessionToken: token }
    setCookie(this.reply, this.#name('session'), token, this.#sessionSeconds())
    if (this.session?.row.actor_type === null) this.keepAccount(this.session.row.id, token)
    return {}
  }

  /** Whether the browser keeps several accounts of the tenant. A caller that sends its token holds the tokens of others itself. */
  get keepsAccounts(): boolean {
    const { auth, row } = this.tenant
    return auth.severalAccountsEnabled && row.kind !== 'console' && this.transport === 'cookie'
  }

  /** Returns the tokens that the browser holds, the active session's first; each with the id that its cookie names. */
  heldAccounts(): readonly { readonly id: string | undefined; readonly token: string }[] {
    if (this.transport !== 'cookie') return []
    const active = this.#cookie('session')
    const prefix = accountCookies(this.tenant, this.isOwnDomain)
    const { cookie } = this.request.headers
    const ids = this.keepsAccounts ? [...accountCookieIds(cookie, prefix)] : []
    const named = ids.map((id) => ({ id, token: readCookie(cookie, prefix + id) ?? '' }))
    return [...(active === undefined ? [] : [{ id: undefined, token: active }]), ...named]
  }

  /** Keeps the token of a session among the accounts of the browser, if it keeps several. */
  keepAccount(id: string, token: string) {
    if (!this.keepsAccounts) return
    setCookie(this.reply, accountCookies(this.tenant, this.isOwnDomain) + id, token, this.#sessionSeconds())
  }

  /** Removes an account from the browser. */
  dropAccount(id: string) {
    if (!this.keepsAccounts) return
    setCookie(this.reply, accountCookies(this.tenant, this.isOwnDomain) + id, '', 0)
  }

  /** Returns the whole answer as JSON text; properties that the contract does not list are left out. */
  serialize<Of extends FrontendEndpoint>(endpoint: Of, data: DataOf<Of>): string {
    return this.serializeBy(endpoint.response, { status: 'success', data })
  }

  /** Removes the session's cookie, and what the browser stores about the signed-in user. */
  forgetSession() {
    if (this.transport === 'cookie') setCookie(this.reply, this.#name('session'), '', 0)
    if (this.session !== undefined) this.dropAccount(this.session.row.id)
    this.reply.header('clear-site-data', '"cache", "storage"')
  }

  #sessionSeconds(): number {
    const { auth } = this.tenant
    return auth.sessionMaximumLifetimeEnabled ? auth.sessionMaximumLifetime : deviceSeconds
  }

  #cookie(kind: CookieKind) {
    return readCookie(this.request.headers.cookie, this.#name(kind))
  }

  #name(kind: CookieKind) {
    return cookieName(kind, this.tenant, this.isOwnDomain)
  }
}

const isHeld = (kind: 'flow' | 'device', token: string) =>
  token.startsWith(tokenPrefixes[kind]) && hasValidChecksum(token)

export const transportOf = (request: FastifyRequest): 'cookie' | 'body' =>
  request.headers['x-session-transport'] === 'body' || request.headers.authorization !== undefined ? 'body' : 'cookie'
