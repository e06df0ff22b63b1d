// What a tenant's own roles and tokens contain, for programs that want to be checked against it. `bailiwick types` writes the declaration:
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
