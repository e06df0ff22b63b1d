// Who is signed in, as the session's token and the profile beside it say.
import type { BrowserAccount, OwnOrganization, Profile, PublicTenant } from '@bailiwick/contract'
import type { WithAttributes } from '@bailiwick/sdk/types'

/** The signed-in user. */
export type User = WithAttributes<Profile>

export interface ActiveOrganization {
  readonly id: string
  /** The name of the user's role in the organization. */
  readonly role: string | null
  readonly permissions: readonly string[]
}

export interface Session {
  readonly id: string
  /** The name of the user's role in the tenant. */
  readonly role: string | null
  /** The permissions of the user's role in the tenant. Permissions in an organization are in `organization`. */
  readonly permissions: readonly string[]
  /** The organization that tokens speak for; null if none is active. */
  readonly organization: ActiveOrganization | null
  /** When the user last proved who it is, in seconds since 1970; undefined if the service does not say. */
  readonly authenticatedAt?: number | undefined
  /** Whether a second factor was proven with it. */
  readonly hasSecondFactor?: boolean
  /** Who acts in the user's place, if somebody does. */
  readonly actor: { readonly type: string; readonly id: string | null } | null
}

export interface SignedInState {
  readonly status: 'signed_in'
  readonly user: User
  readonly session: Session
}

export type AuthState =
  /** Nothing is known yet; `error` says why if the service could not be reached. */
  { readonly status: 'loading'; readonly error?: unknown } | { readonly status: 'signed_out' } | SignedInState

export interface Snapshot {
  readonly auth: AuthState
  /** Undefined until a component asks for them. */
  readonly organizations: readonly OwnOrganization[] | undefined
  /** Those that this browser holds; undefined until a component asks for them. */
  readonly accounts?: readonly BrowserAccount[] | undefined
  /** Undefined until a component asks for it. */
  readonly tenant: PublicTenant | undefined
}

/** Who is signed in, as a server knows it; null if nobody is. It contains no token, so it can be sent to browsers. */
export type InitialState = { readonly user: User; readonly session: Session } | null

interface Claims {
  readonly sessionId: string
  readonly role?: string | null
  readonly permissions?: readonly string[]
  readonly orgId?: string | null
  readonly orgRole?: string | null
  readonly orgPermissions?: readonly string[]
}

interface Payload {
  readonly act?: { readonly type: string; readonly sub: string | null }
  readonly auth_time?: number
  readonly acr?: string
  readonly claims: Claims
}

function readPayload(jwt: string): Payload {
  const [, payload = ''] = jwt.split('.')
  const bytes = atob(payload.replaceAll('-', '+').replaceAll('_', '/'))
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))) as Payload
}

/** Reads a token that the service has just issued. It does not verify the token: the app's own servers do that. */
export function readSession(jwt: string): Session {
  const { act, acr, auth_time: authenticatedAt, claims } = readPayload(jwt)
  const { sessionId: id, orgId, orgRole = null, orgPermissions = [], role = null, permissions = [] } = claims
  return {
    id,
    role,
    permissions,
    organization: typeof orgId === 'string' ? { id: orgId, role: orgRole, permissions: orgPermissions } : null,
    authenticatedAt,
    hasSecondFactor: acr === 'urn:bailiwick:2fa',
    actor: act === undefined ? null : { type: act.type, id: act.sub },
  }
}

/** How a user must have proven who it is. */
export interface RecentProof {
  /** How many seconds ago at most; without a level of `second_factor`, ten minutes unless given. */
  readonly maxAge?: number | undefined
  /** `second_factor`: by a second factor as well. `recent` is the default. */
  readonly level?: 'recent' | 'second_factor' | undefined
}

/** Returns whether the session has been proven as wanted at this moment. Somebody who acts in the user's place has proven nothing. */
export function hasRecentProof(session: Session, { level = 'recent', maxAge }: RecentProof): boolean {
  const { actor, authenticatedAt, hasSecondFactor } = session
  if (actor !== null || (level === 'second_factor' && hasSecondFactor !== true)) return false
  const seconds = maxAge ?? (level === 'recent' ? 600 : Infinity)
  return authenticatedAt !== undefined && Date.now() / 1000 - authenticatedAt <= seconds
}
