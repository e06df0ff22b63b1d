// Decides whether a principal may do something in a tenant. No other file does.
import {
  type Endpoint,
  type Permission,
  type TenantPermission,
  permissionFlags,
  permissionScopes,
} from '@bailiwick/contract'
import type { TenantId } from '../../ids.ts'
import { ApiError, notFound } from '../api-error.ts'
import { type Principal, isTenantsOwn } from './principal.ts'

export const isTenantPermission = (permission: Permission): permission is TenantPermission =>
  permission in permissionFlags

/** Whether the principal may know of the tenant; otherwise the tenant does not exist for it. */
export function knows(principal: Principal, tenantId: TenantId): boolean {
  switch (principal.type) {
    case 'operator':
      return true
    case 'secret_key':
    case 'api_key':
    case 'application':
      return principal.tenantId === tenantId
    case 'console_user':
      return principal.flags.has(tenantId)
    case 'anonymous':
      return false
  }
}

/** Whether the principal holds the permission in a tenant that it may know of. */
export function holds(principal: Principal, permission: TenantPermission, tenantId: TenantId): boolean {
  if (!knows(principal, tenantId)) return false
  if (principal.type === 'api_key' || principal.type === 'application') {
    const { scopes } = principal
    return scopes.has('admin') || permissionScopes[permission].some((scope) => scopes.has(scope))
  }
  if (principal.type !== 'console_user') return true
  const flags = principal.flags.get(tenantId)
  if (flags === undefined) return false
  return flags.has('roleAdmin') || permissionFlags[permission].some((flag) => flags.has(flag))
}

/**
 * Refuses a change of settings by which the caller could take over accounts: who decides where codes and links go, and what is said about
 * addresses, signs in as whoever they like. Such a change needs the right to change users beside the one to change settings.
 * @param what is refused, after "cannot".
 * @throws ApiError forbidden
 */
export function assertMayChangeUsers(principal: Principal, tenantId: TenantId, what: string) {
  if (holds(principal, 'users:write', tenantId)) return
  throw new ApiError('forbidden', {
    detail: `This credential does not have the permission users:write, so it cannot ${what}.`,
  })
}

/** @throws ApiError not_found for another's tenant, forbidden when the permission is not held in it. */
export function authorizeInTenant(principal: Principal, permission: Permission, tenantId: TenantId) {
  if (!knows(principal, tenantId)) throw notFound()
  if (isTenantPermission(permission) && !holds(principal, permission, tenantId)) throw new ApiError('forbidden')
}

/**
 * Checks what can be checked before the tenant is known.
 * @throws ApiError forbidden when the caller may do this in no tenant at all.
 */
export function authorizeAtAll(
  principal: Principal,
  { permission, alternative }: Pick<Endpoint, 'permission' | 'alternative'>,
) {
  if (permission === 'create-tenant' && isTenantsOwn(principal)) throw new ApiError('forbidden')
  if (permission === 'console-user' && principal.type !== 'console_user') throw new ApiError('forbidden')
  if (permission === 'operator' && principal.type !== 'operator') {
    const instead = alternative === undefined ? '' : `; ${alternative}`
    throw new ApiError('forbidden', { detail: `Only the operator can do this${instead}.` })
  }
}
