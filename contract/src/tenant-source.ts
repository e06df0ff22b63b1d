// Where an operation of the management interface acts: the endpoint says how its request names the tenant, and the server enters that
// tenant before the operation runs.
import type { Static, TSchema } from 'typebox'
import type { Permission, TenantPermission } from './permissions.ts'

/** The records that requests name by their id alone, called as their tables are. */
export type LocatedRecord =
  | 'api_keys'
  | 'channels'
  | 'domains'
  | 'email_addresses'
  | 'media_files'
  | 'media_uploads'
  | 'messages'
  | 'organization_invitations'
  | 'organization_members'
  | 'organizations'
  | 'phone_numbers'
  | 'roles'
  | 'sessions'
  | 'sign_in_attempts'
  | 'sign_up_attempts'
  | 'social_providers'
  | 'templates'
  | 'tenant_invitations'
  | 'tenant_members'
  | 'transformations'
  | 'users'
  | 'webhook_deliveries'
  | 'webhooks'

/** A part of a request and a property in it, such as `params.id`. */
export type Place = `params.${string}` | `query.${string}` | `body.${string}`

export type TenantSource<At extends string = Place> =
  /** The request says the tenant's id. */
  | { readonly from: At }
  /** The request names a record by its id: the tenant is the one that the record belongs to. */
  | { readonly locates: LocatedRecord; readonly by: At }
  /**
   * The request names the tenant by something else than its id. The operation looks it up, enters it, and answers null where there
   * is none that the caller knows.
   */
  | { readonly finds: At }

/** A second tenant that an operation reads from, and what the caller must be allowed to do there. */
export interface FurtherTenant<At extends string = Place> {
  readonly from: At
  readonly permission: TenantPermission
}

interface Parts {
  readonly permission: Permission
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
}

type PlacesIn<Part extends string, Schema> = Schema extends TSchema
  ? keyof Static<Schema> extends infer Name
    ? `${Part}.${Name & string}`
    : never
  : never

type PlacesOf<E extends Parts> =
  | PlacesIn<'params', E['params']>
  | PlacesIn<'query', E['query']>
  | PlacesIn<'body', E['body']>

/**
 * What an endpoint must say about its tenant for it to compile: an operation that takes a right in a tenant says which tenant, by a
 * property that its requests have.
 */
export type SaysItsTenant<E extends Parts> = E['permission'] extends TenantPermission
  ? { readonly tenant: TenantSource<PlacesOf<E>>; readonly alsoReads?: FurtherTenant<PlacesOf<E>> }
  : { readonly tenant?: TenantSource<PlacesOf<E>>; readonly alsoReads?: FurtherTenant<PlacesOf<E>> }
