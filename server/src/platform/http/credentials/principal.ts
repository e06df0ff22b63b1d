// The kinds of callers. `authorize.ts` decides what each may do.
import type { RoleFlag, Scope } from '@bailiwick/contract'
import type { Timestamp } from '../../clock.ts'
import type { ApiKeyId, ApplicationId, SessionId, TenantId, UserId } from '../../ids.ts'

/** A signed-in console user, with flags for each tenant. */
export interface ConsoleUser {
  readonly type: 'console_user'
  /** The console's own tenant. */
  readonly tenantId: TenantId
  readonly userId: UserId
  readonly sessionId: SessionId
  readonly flags: ReadonlyMap<TenantId, ReadonlySet<RoleFlag>>
  /** The person who acts in the user's place, if it is not the user. */
  readonly impersonatedBy: { readonly type: string; readonly id: string | null } | undefined
}

/** A key that a tenant has made for one of its programs. */
export interface ApiKeyPrincipal {
  readonly type: 'api_key'
  readonly tenantId: TenantId
  readonly id: ApiKeyId
  readonly scopes: ReadonlySet<Scope>
  readonly expiresAt: Timestamp | null
}

/** A machine application, known by an access token. */
export interface ApplicationPrincipal {
  readonly type: 'application'
  readonly tenantId: TenantId
  readonly id: ApplicationId
  readonly scopes: ReadonlySet<Scope>
  /** When its token expires. */
  readonly expiresAt: Timestamp
}

export type Principal =
  /** The operator key or, in the development deployment, a caller on this machine. */
  | { readonly type: 'operator' }
  /** A tenant's secret key. */
  | { readonly type: 'secret_key'; readonly tenantId: TenantId }
  | ApiKeyPrincipal
  | ApplicationPrincipal
  | ConsoleUser
  /** Any caller, if no credential is required. */
  | { readonly type: 'anonymous' }

/** A caller that belongs to one tenant and may know of no other. */
export type TenantsOwnPrincipal = Extract<Principal, { readonly type: 'secret_key' | 'api_key' | 'application' }>

export const isTenantsOwn = (principal: Principal): principal is TenantsOwnPrincipal =>
  principal.type === 'secret_key' || principal.type === 'api_key' || principal.type === 'application'

export const operator: Principal = { type: 'operator' }
export const anonymous: Principal = { type: 'anonymous' }

/** The caller as events describe it. */
export interface Actor {
  readonly type: Principal['type'] | 'user' | 'system' | 'setup_link'
  readonly id: string | null
  readonly ip: string | null
  readonly ua: string | null
  /** The caller's preferred language as a BCP 47 tag; used for messages, not for events. */
  readonly language?: string | undefined
  /** Included in the data of every event of an impersonated session. */
  readonly impersonatedBy?: { readonly type: string; readonly id: string | null }
}

export function actorId(principal: Principal): string | null {
  switch (principal.type) {
    case 'operator':
    case 'anonymous':
      return null
    case 'secret_key':
      return principal.tenantId
    case 'api_key':
    case 'application':
      return principal.id
    case 'console_user':
      return principal.userId
  }
}

/** Who makes a change: what the credential may do, and as whom it is recorded. */
export interface Caller {
  readonly principal: Principal
  readonly actor: Actor
}
