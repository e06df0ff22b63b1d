// Declares how the requests of a management operation name its tenant, which the server enters before the operation runs.
import type { Static, TSchema } from 'typebox'
import type { Permission, TenantPermission } from './permissions.ts'

/** The records that requests name by id alone, by the names of their tables. */
export type LocatedRecord =
  | 'api_keys'
  | 'applications'
  | 'channels'
  | 'connections'
  | 'custom_providers'
  | 'domains'
  | 'email_addresses'
  | 'grants'
  | 'import_jobs'
  | 'media_files'
  | 'media_uploads'
  | 'messages'
  | 'organization_invitations'
  | 'hooks'
  | 'organization_members'
  | 'organizations'
  | 'phone_numbers'
  | 'resources'
  | 'roles'
  | 'sessions'
  | 'sign_in_attempts'
  | 'sign_up_attempts'
  | 'social_providers'
  | 'templates'
  | 'tenant_invitations'
  | 'tenant_members'
  | 'transformations'
  | 'user_api_keys'
  | 'users'
  | 'waitlist_entries'
  | 'webhook_deliveries'
  | 'webhooks'

/** A part of a request and a property in it, such as `params.id`. */
export type Place = `params.${string}` | `query.${string}` | `body.${string}`

export type TenantSource<At extends string = Place> =
  /** The request contains the tenant's id. */
  | { readonly from: At }
  /** The request names a record by its id, and the tenant is the one to which the record belongs. */
  | { readonly locates: LocatedRecord; readonly by: At }
  /**
   * The request names the tenant by something other than its id. The operation looks it up, enters it, and returns null if there is no
   * tenant that the caller may know of.
   */
  | { readonly finds: At }

/** A second tenant that an operation reads from, and the permission that the caller needs there. */
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
 * The requirements on an endpoint's tenant for it to compile: an operation with a permission in a tenant names that tenant by a property
 * that its requests have.
 */
export type SaysItsTenant<E extends Parts> = E['permission'] extends TenantPermission
  ? { readonly tenant: TenantSource<PlacesOf<E>>; readonly alsoReads?: FurtherTenant<PlacesOf<E>> }
  : { readonly tenant?: TenantSource<PlacesOf<E>>; readonly alsoReads?: FurtherTenant<PlacesOf<E>> }
