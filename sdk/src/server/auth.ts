// What a verified token says, in the terms of an app.
import type { SessionJwt } from '../jwt.ts'
import { AuthError } from './auth-error.ts'

export interface AuthUser {
  readonly id: string
  readonly name: string | null
  readonly username: string | null
  readonly image: string | null
  readonly email: string | null
  /** Whether the user has proven to read that address: an unverified one may be anybody's. */
  readonly emailVerified: boolean
  readonly phone: string | null
  readonly phoneVerified: boolean
  /** The name of the role in the tenant. */
  readonly role: string | null
}

export interface AuthOrganization {
  readonly id: string
  /** The name of the user's role in the organization. */
  readonly role: string | null
  readonly permissions: readonly string[]
}

/** How the user of a request must have proven who it is. */
export interface RecentProof {
  /** How many seconds ago at most; without a level of `second_factor`, ten minutes unless given. */
  readonly maxAge?: number
  /** `second_factor`: by a second factor as well. `recent` is the default. */
  readonly level?: 'recent' | 'second_factor'
}

const twoFactors = 'urn:bailiwick:2fa'
const recentSeconds = 600

/**
 * Who sent a request, as the session's token says; later changes appear in the next token. A token lasts 60 seconds unless a longer time
 * was requested, and 15 minutes at most.
 */
export class Auth {
  readonly user: AuthUser
  readonly sessionId: string
  readonly tenant: { readonly id: string | undefined; readonly publicKey: string }
  /** The organization that the token is issued for. */
  readonly organization: AuthOrganization | undefined
  /** The permissions of the user's role in the tenant. Permissions in an organization are in `organization`. */
  readonly permissions: readonly string[]
  /** The actor in the user's place: an operator, a key or a member of the tenant that opened the session. */
  readonly actor: { readonly type: string; readonly id: string | null } | undefined
  /** When the user last proved who it is; undefined in the token of an older service. */
  readonly authenticatedAt: Date | undefined
  /** Whether a second factor was proven with it. */
  readonly hasSecondFactor: boolean
  /** How it was proven (RFC 8176): `pwd`, `otp`, `sms`, `hwk`, `fed`, `mfa`; empty if that is unknown. */
  readonly methods: readonly string[]
  /** The token itself, for requests to further servers of the app. */
  readonly token: string
  /** When the token ends; the session may continue. */
  readonly expiresAt: Date

  readonly #now: () => number

  constructor(token: string, jwt: SessionJwt, tenant: Auth['tenant'], now: () => number) {
    const { act, acr, amr = [], auth_time: authTime, claims, exp, sub } = jwt
    if (claims === undefined) throw new AuthError('invalid_token', "The token is not a session's token.")
    const {
      emailVerified = false,
      phoneVerified = false,
      orgId,
      orgRole,
      permissions = [],
      orgPermissions = [],
    } = claims
    const { email = null, image = null, name = null, phone = null, role = null, username = null } = claims
    this.#now = now
    this.user = { id: sub, name, username, image, email, emailVerified, phone, phoneVerified, role }
    this.sessionId = claims.sessionId
    this.tenant = tenant
    this.organization =
      typeof orgId === 'string' ? { id: orgId, role: orgRole ?? null, permissions: orgPermissions } : undefined
    this.permissions = permissions
    this.actor = act === undefined ? undefined : { type: act.type, id: act.sub }
    this.authenticatedAt = authTime === undefined ? undefined : new Date(authTime * 1000)
    this.hasSecondFactor = acr === twoFactors
    this.methods = amr
    this.token = token
    this.expiresAt = new Date(exp * 1000)
  }

  /**
   * Returns whether the user's role in the tenant gives the permission. Names are compared as a whole; an asterisk has no special meaning.
   */
  hasPermission(permission: string): boolean {
    return this.permissions.includes(permission)
  }

  /** Returns whether the user's role in the organization that the token is issued for gives the permission. */
  hasOrganizationPermission(permission: string): boolean {
    return this.organization?.permissions.includes(permission) === true
  }

  /** @throws AuthError permission_required */
  requirePermission(permission: string): void {
    if (!this.hasPermission(permission)) throw withoutPermission(permission)
  }

  /** Returns whether the user has proven who it is as recently and as strongly as wanted. Somebody who acts in the user's place has not. */
  hasRecent({ maxAge, level = 'recent' }: RecentProof = {}): boolean {
    if (this.actor !== undefined || (level === 'second_factor' && !this.hasSecondFactor)) return false
    const seconds = maxAge ?? (level === 'recent' ? recentSeconds : Infinity)
    return this.authenticatedAt !== undefined && this.#now() - this.authenticatedAt.getTime() <= seconds * 1000
  }

  /**
   * Requires a recent proof, or one with a second factor. The answer to a request without it says so as RFC 9470 does; the app then has
   * the user prove it, with `POST /user/verifications` or on the hosted page `/verify`, and sends the request with a new token.
   * @throws AuthError insufficient_authentication
   */
  requireRecent(proof: RecentProof = {}): void {
    if (this.hasRecent(proof)) return
    const { maxAge, level = 'recent' } = proof
    throw new AuthError('insufficient_authentication', 'This requires the user to prove again who it is.', {
      wanted: level === 'second_factor' ? { acrValues: twoFactors, maxAge } : { maxAge: maxAge ?? recentSeconds },
    })
  }

  /** @throws AuthError permission_required, also if the token names no organization. */
  requireOrganizationPermission(permission: string): void {
    if (!this.hasOrganizationPermission(permission)) throw withoutPermission(`${permission} in the organization`)
  }
}

const withoutPermission = (permission: string) =>
  new AuthError('permission_required', `This requires the permission ${permission}.`)
