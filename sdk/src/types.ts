// What a tenant's own roles, tokens and users contain, for programs that want to be checked against it. `bailiwick types` writes the declaration:
// docs/types.md. Nothing here exists at run time.

/**
 * Filled in by the declaration that `bailiwick types` writes; empty without one, and then every name is accepted.
 * @example
 * ```typescript
 * declare module '@bailiwick/sdk/types' {
 *   interface TenantTypes {
 *     claims: { readonly plan?: string }
 *     roles: 'Editor' | 'Reader'
 *     permissions: 'articles:read' | 'articles:write'
 *     publicMeta: { readonly company?: string }
 *   }
 * }
 * ```
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- what a tenant declares is added to it
export interface TenantTypes {}

type Declared<Name extends string, Otherwise> =
  TenantTypes extends Readonly<Record<Name, infer Type>> ? Type : Otherwise

/** The claims that the tenant adds to its session tokens; unknown ones cannot be read unless they are declared. */
export type TenantClaims = Declared<'claims', object>
/** The names of the tenant's roles. */
export type TenantRole = Declared<'roles', string>
/** The permissions that the tenant's roles give. */
export type TenantPermission = Declared<'permissions', string>
/** The tenant's attributes, which users have in publicMeta. */
export type TenantPublicMeta = Declared<'publicMeta', unknown>

type HasAttributes = TenantTypes extends Readonly<Record<'publicMeta', unknown>> ? true : false

/** A record of a user, or an answer with such records, in which publicMeta has the tenant's attributes. */
export type WithAttributes<Value> = HasAttributes extends false
  ? Value
  : Value extends readonly (infer Item)[]
    ? WithAttributes<Item>[]
    : Value extends object
      ? // Of all records with publicMeta, only users sign in.
        'lastSignInAt' extends keyof Value
        ? Omit<Value, 'publicMeta'> & { readonly publicMeta: TenantPublicMeta }
        : {
            [Key in keyof Value]: Key extends 'user' | 'sessionUser' | 'data' ? WithAttributes<Value[Key]> : Value[Key]
          }
      : Value

/** What a call sends about a user, with the tenant's attributes: an administrator sets publicMeta, the user writes attributes. */
export type AcceptingAttributes<Body> = HasAttributes extends false
  ? Body
  : 'username' extends keyof Body
    ? {
        [Key in keyof Body]: Key extends 'publicMeta'
          ? TenantPublicMeta
          : Key extends 'attributes'
            ? Written
            : Body[Key]
      }
    : Body

type Written = { readonly [Key in keyof TenantPublicMeta]?: OrNull<TenantPublicMeta[Key]> }

type OrNull<Value> = Value | null
