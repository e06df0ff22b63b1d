// Decides which events a caller may have sent to a webhook: those about records that the same credential may read. Otherwise anybody who
// may set up webhooks could read personal data and the audit log without permission.
import type { EventType, TenantPermission } from '@bailiwick/contract'
import { ApiError } from '../../platform/http/api-error.ts'
import { holds } from '../../platform/http/authorize.ts'
import type { Principal } from '../../platform/http/principal.ts'
import type { TenantId } from '../../platform/ids.ts'

type Resource = EventType extends `${infer Name}.${string}` ? Name : never

/** The permission by the first part of an event's type. Other events need the permission to read the whole log. */
const permissionOfResource: Readonly<Partial<Record<Resource, TenantPermission>>> = {
  api_key: 'config:read',
  auth_configuration: 'config:read',
  authenticator: 'users:read',
  channel: 'config:read',
  domain: 'config:read',
  email: 'users:read',
  message: 'config:read',
  organization: 'organizations:read',
  organization_domain: 'organizations:read',
  organization_invitation: 'organizations:read',
  organization_membership: 'organizations:read',
  phone: 'users:read',
  recovery_codes: 'users:read',
  role: 'config:read',
  session: 'users:read',
  sign_in_attempt: 'users:read',
  sign_up_attempt: 'users:read',
  signing_key: 'config:read',
  social_connection: 'users:read',
  social_provider: 'config:read',
  template: 'config:read',
  tenant_invitation: 'admin',
  tenant_membership: 'admin',
  transformation: 'media:read',
  upload: 'media:read',
  user: 'users:read',
  webhook: 'config:read',
}
const permissionOfType: Readonly<Partial<Record<EventType, TenantPermission>>> = {
  'tenant.billing_updated': 'billing:read',
  'tenant.brand_updated': 'config:read',
  'tenant.pages_updated': 'config:read',
  'tenant.updated': 'config:read',
}

const isIn = <Name extends string>(table: Readonly<Partial<Record<Name, unknown>>>, name: string): name is Name =>
  Object.hasOwn(table, name)

/**
 * Returns the permission to read what events of a type contain, or undefined if only the permission to read the whole log covers them.
 * @param type may be a type that an earlier version stored and that no longer exists.
 */
export function permissionToReceive(type: string): TenantPermission | undefined {
  const [resource = ''] = type.split('.')
  if (isIn(permissionOfType, type)) return permissionOfType[type]
  return isIn(permissionOfResource, resource) ? permissionOfResource[resource] : undefined
}

/**
 * @param types event types, or `*`.
 * @throws ApiError forbidden for an event type that the caller may not read.
 */
export function assertMayReceive(caller: Principal, tenantId: TenantId, types: readonly string[]): void {
  if (holds(caller, 'events:read', tenantId)) return
  const refused = types.find((type) => {
    const permission = permissionToReceive(type)
    return permission === undefined || !holds(caller, permission, tenantId)
  })
  if (refused === undefined) return
  const needed = permissionToReceive(refused)
  const missing = needed === undefined ? 'events:read' : `events:read or ${needed}`
  throw new ApiError('forbidden', {
    detail: `This credential does not hold ${missing} and cannot have events of the type ${refused} sent.`,
  })
}
