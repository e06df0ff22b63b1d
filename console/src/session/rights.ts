// What the user may do, for the console's display only. The service makes its own decisions.
import type { RoleFlag, TenantPermission } from '@bailiwick/contract'
import { type OperationFacts, operations, rights } from 'virtual:operations'
import type { OperationId } from '../api/operations.ts'
import type { Session } from './read-session.ts'
import { useSession } from './session.tsx'
import { type CurrentTenant, useTenantOrNone } from './tenant.tsx'

export interface Right {
  readonly isAllowed: boolean
  /** The reason why not, for people; empty if it is allowed. */
  readonly reason: string
}

const allowed: Right = { isAllowed: true, reason: '' }
const refused = (reason: string): Right => ({ isAllowed: false, reason })

/** The names of the flags for people. */
export const flagNames: Readonly<Record<RoleFlag, string>> = {
  roleAdmin: 'Administrator',
  roleEditOrganizations: 'Edit organizations',
  roleEditUsers: 'Edit users',
  roleEditConfig: 'Edit settings',
  roleViewUsers: 'View users',
  roleViewOrganizations: 'View organizations',
  roleViewConfig: 'View settings',
  roleViewBilling: 'View billing',
  roleEditBilling: 'Edit billing',
}

const isTenantPermission = (permission: string): permission is TenantPermission => Object.hasOwn(rights, permission)

export function rightOf(
  permission: OperationFacts['permission'],
  session: Session,
  tenant: CurrentTenant | undefined,
): Right {
  if (session.kind === 'operator') return permission === 'console-user' ? refused('This needs an account.') : allowed
  if (permission === 'operator') return refused('Only the operator of this deployment can do this.')
  if (!isTenantPermission(permission)) return allowed
  if (tenant === undefined) return refused('Choose a tenant first.')
  const flags: readonly RoleFlag[] = ['roleAdmin', ...rights[permission]]
  if (flags.some((flag) => tenant.flags?.has(flag) ?? true)) return allowed
  const [wanted = 'roleAdmin'] = rights[permission]
  return refused(`You need the right “${flagNames[wanted]}” in this tenant.`)
}

/** Returns the right, or why it cannot be used at the moment. */
export const unlessPrevented = (right: Right, reason: string | undefined): Right =>
  right.isAllowed && reason !== undefined ? refused(reason) : right

/** Returns whether the user holds a permission in the tenant that is open. */
export const useMay = (permission: OperationFacts['permission']): Right =>
  rightOf(permission, useSession(), useTenantOrNone())

/** Returns whether the user may call an operation in the tenant that is open. */
export const useMayCall = (id: OperationId): Right => useMay(operations[id].permission)
