// Who may call an operation. An operation names one permission; each kind of credential has its own way of holding it
// (operator: all, tenant secret key: all of its tenant, API key: its scopes, console user: its member flags).

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

/** Permission inside one tenant -> the member flags of which one suffices (roleAdmin always does). */
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
  admin: [],
} as const satisfies Record<string, readonly RoleFlag[]>

export type TenantPermission = keyof typeof permissionFlags

/**
 * - a {@link TenantPermission}: held in the tenant that the operation acts on;
 * - `authenticated`: any valid credential, what it sees depends on it;
 * - `create-tenant`: the operator, or a console user;
 * - `console-user`: a signed-in console user, about itself;
 * - `public`: no credential.
 */
export type Permission = TenantPermission | 'authenticated' | 'create-tenant' | 'console-user' | 'public'
