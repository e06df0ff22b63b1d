// Who may call an operation. An operation names one permission, which each kind of credential holds in its own way (operator: all; tenant
// secret key: all of its tenant; API key and machine application: its scopes; administrator: the flags as a member).

export const roleFlags = [
  'roleAdmin',
  'roleEditOrganizations',
  'roleEditUsers',
  'roleEditConfig',
  'roleViewUsers',
  'roleViewOrganizations',
  'roleViewConfig',
  'roleViewBilling',
  'roleEditBilling',
] as const

export type RoleFlag = (typeof roleFlags)[number]

/** Maps each permission inside a tenant to the member flags of which one suffices (roleAdmin always does). */
export const permissionFlags = {
  'users:read': ['roleViewUsers', 'roleEditUsers'],
  'users:write': ['roleEditUsers'],
  'organizations:read': ['roleViewOrganizations', 'roleEditOrganizations'],
  'organizations:write': ['roleEditOrganizations'],
  'config:read': ['roleViewConfig', 'roleEditConfig'],
  'config:write': ['roleEditConfig'],
  'billing:read': ['roleViewBilling', 'roleEditBilling'],
  'billing:write': ['roleEditBilling'],
  'media:read': ['roleViewConfig', 'roleEditConfig'],
  'media:write': ['roleEditConfig'],
  'events:read': [],
  'provider-tokens:use': [],
  admin: [],
} as const satisfies Record<string, readonly RoleFlag[]>

export type TenantPermission = keyof typeof permissionFlags

/** The scopes that an API key or a machine application can have. */
export const scopes = [
  'users:read',
  'users:write',
  'organizations:read',
  'organizations:write',
  'config:read',
  'config:write',
  'billing:read',
  'billing:write',
  'media:read',
  'media:write',
  'events:read',
  'provider-tokens:use',
  'admin',
] as const satisfies readonly TenantPermission[]

export type Scope = (typeof scopes)[number]

/** Maps each permission inside a tenant to the scopes of which one suffices (admin always does). */
export const permissionScopes = {
  'users:read': ['users:read', 'users:write'],
  'users:write': ['users:write'],
  'organizations:read': ['organizations:read', 'organizations:write'],
  'organizations:write': ['organizations:write'],
  'config:read': ['config:read', 'config:write'],
  'config:write': ['config:write'],
  'billing:read': ['billing:read', 'billing:write'],
  'billing:write': ['billing:write'],
  'media:read': ['media:read', 'media:write'],
  'media:write': ['media:write'],
  'events:read': ['events:read'],
  'provider-tokens:use': ['provider-tokens:use'],
  admin: ['admin'],
} as const satisfies Record<TenantPermission, readonly Scope[]>

/**
 * - a {@link TenantPermission}: held in the tenant that the operation acts on;
 * - `authenticated`: any valid credential; the response depends on it;
 * - `create-tenant`: the operator, or an administrator;
 * - `operator`: only the operator;
 * - `console-user`: a signed-in administrator, for the own account;
 * - `public`: no credential.
 */
export type Permission = TenantPermission | 'authenticated' | 'create-tenant' | 'operator' | 'console-user' | 'public'
