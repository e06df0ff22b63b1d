// What a member may do in an organization: the permissions of the member's role and groups there, and no others.
import type { Deps } from '../../identity/deps.ts'
import { actingObstacle } from '../../identity/organizations/acting-for.ts'
import { type Membership, findMembershipOf, permissionsOfMember } from '../../identity/organizations/membership-of.ts'
import type { OrganizationPlace } from '../../identity/organizations/organizations.ts'
import type { Reader } from '../../platform/db/database.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { fromJson } from '../../platform/json-text.ts'
import type { FoundRole } from '../../tenancy/roles/find-role.ts'
import type { AnyCall } from '../frontend/flow.ts'

/** Every new tenant has a role with all but `org:members:meta`: see tenancy/roles/default-roles.ts. */
export type OrganizationPermission =
  | 'org:manage'
  | 'org:delete'
  | 'org:members:manage'
  | 'org:members:meta'
  | 'org:invitations:manage'
  | 'org:domains:manage'
  | 'org:connections:manage'
  | 'org:groups:manage'
  | 'org:roles:manage'
  | 'org:api-keys:manage'

/** What checks need: the database or the transaction in which they are made, and the time. */
export interface ActingDeps extends Pick<Deps, 'clock'> {
  readonly db: Reader
}

/** The signed-in user as a member of an organization. */
export interface ActingMember extends Membership {
  readonly permissions: ReadonlySet<string>
}

export const permissionsOf = (role: Pick<FoundRole, 'permissions'> | undefined): readonly string[] =>
  role === undefined ? [] : fromJson(role.permissions)

/** @throws ApiError forbidden if the tenant has organizations off. */
export function assertOrganizationsEnabled({ tenant }: AnyCall) {
  if (!tenant.auth.organizationsEnabled)
    throw new ApiError('forbidden', { detail: 'This tenant has no organizations.' })
}

/**
 * Returns the signed-in user as a member of an organization, whatever the organization requires of the session.
 * @throws ApiError forbidden if the tenant has organizations off; not_found if the user is not a member of the organization.
 */
export async function visitOrganization(
  deps: ActingDeps,
  call: AnyCall,
  organizationId: string,
): Promise<ActingMember> {
  assertOrganizationsEnabled(call)
  const membership = await findMembershipOf(deps, call.tenantId, organizationId, call.signedIn.row.user_id)
  if (membership === undefined) throw notFound()
  return { ...membership, permissions: new Set(permissionsOfMember(membership)) }
}

/**
 * Returns the signed-in user as a member who acts for an organization.
 * @throws ApiError forbidden without the permission; not_found if the user is not a member of the organization; second_factor_required,
 * reauthentication_required if the organization requires more of the session.
 */
export async function enterOrganization(
  { db, clock }: ActingDeps,
  call: AnyCall,
  organizationId: string,
  permission?: OrganizationPermission,
): Promise<ActingMember> {
  const member = await visitOrganization({ db, clock }, call, organizationId)
  assertMayAct({ clock }, call, member)
  if (permission !== undefined && !member.permissions.has(permission))
    throw new ApiError('forbidden', { detail: `You need the permission ${permission} in the organization.` })
  return member
}

/** @throws ApiError second_factor_required, reauthentication_required */
export function assertMayAct({ clock }: Pick<Deps, 'clock'>, { tenant, signedIn }: AnyCall, membership: Membership) {
  const obstacle = actingObstacle(signedIn.row, tenant.auth, membership, clock.nowMs())
  if (obstacle !== undefined) throw obstacle
}

/** What a role of the organization's own gives only later, once the tenant allows it again, counts as well. */
export const covers = ({ permissions }: ActingMember, role: Pick<FoundRole, 'all_permissions'> | undefined): boolean =>
  role === undefined || fromJson(role.all_permissions).every((permission) => permissions.has(permission))

type Assignable = Pick<FoundRole, 'all_permissions' | 'assignable_by'>

/** Returns whether a member who manages others may give the role, as the role's `assignableBy` says. */
export function mayGive(member: ActingMember, role: Assignable | undefined): boolean {
  if (role === undefined || role.assignable_by === 'organization_managers') return true
  return role.assignable_by === 'covering_role' && covers(member, role)
}

const notCovered = () =>
  new ApiError('forbidden', { detail: 'This role has permissions that your own role does not have.' })

/**
 * Refuses a role that the member may not give: otherwise a member who manages others could gain every permission.
 * @throws ApiError forbidden
 */
export function assertMayGive(member: ActingMember, role: Assignable | undefined) {
  if (mayGive(member, role)) return
  if (role?.assignable_by !== 'tenant') throw notCovered()
  throw new ApiError('forbidden', { detail: 'Members of an organization cannot assign this role.' })
}

/**
 * Refuses to change or remove a member whose role the acting member neither covers nor may give.
 * @throws ApiError forbidden
 */
export function assertMayTake(member: ActingMember, role: Assignable | undefined) {
  if (!covers(member, role) && !mayGive(member, role)) throw notCovered()
}

/** The domains of an organization, as one of its members manages them. */
export const membersPlace = ({ clock }: Deps, call: AnyCall, organizationId: string): OrganizationPlace => ({
  tenantId: call.tenantId,
  organizationId,
  actor: call.actor(),
  async enter(db) {
    if (!call.tenant.auth.organizationCustomDomainManagementEnabled)
      throw new ApiError('forbidden', { detail: 'This tenant does not allow organizations to have domains.' })
    await enterOrganization({ db, clock }, call, organizationId, 'org:domains:manage')
  },
})
