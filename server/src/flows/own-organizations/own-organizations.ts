// Organizations of the signed-in user.
import {
  type OwnOrganization,
  type UpdateOrganization,
  type UpdateOrganizationSecurity,
  foldCase,
  type Organization,
} from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import {
  getOrganizationSecurity,
  updateOrganizationSecurity,
} from '../../identity/organizations/organization-security.ts'
import * as organizations from '../../identity/organizations/organizations.ts'
import { setActiveOrganization } from '../../identity/sessions/active-organization.ts'
import { assertFresh } from '../../identity/sessions/fresh-session.ts'
import { ConstraintError } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { listAnswer } from '../../platform/http/lists/list-answer.ts'
import type { PageQuery } from '../../platform/http/lists/page.ts'
import { fromJson } from '../../platform/json-text.ts'
import { takeQuota } from '../../platform/quotas/quotas.ts'
import { type RoleRow, findRoleByName } from '../../tenancy/roles/find-role.ts'
import { rolesForOrganization } from '../../tenancy/roles/own-roles.ts'
import type { AnyCall } from '../frontend/flow.ts'
import {
  type ActingDeps,
  assertMayAct,
  assertOrganizationsEnabled,
  enterOrganization,
  mayGive,
  visitOrganization,
} from './rights.ts'

type ShownRole = { id: string; name: string; description: string | null; permissions: string[] }

const presentGivenRole = ({ id, name, description, permissions }: RoleRow): ShownRole => ({
  id,
  name,
  description,
  permissions: fromJson(permissions),
})

export const presentOwnRole = (role: RoleRow | undefined): ShownRole | null =>
  role === undefined ? null : presentGivenRole(role)

const present = (organization: Organization, role: RoleRow | undefined): OwnOrganization => ({
  ...organization,
  role: presentOwnRole(role),
})

export async function listOwnOrganizations(deps: Deps, call: AnyCall, query: PageQuery) {
  assertOrganizationsEnabled(call)
  const { data, meta } = await organizations.listOrganizationsOfUser(
    deps,
    call.tenantId,
    call.signedIn.row.user_id,
    query,
  )
  const rows = data.map(({ organization, role }) => present(organization, role))
  const { prev, next } = meta
  return { ...listAnswer('organizations', { data: rows, meta }), prev, next }
}

const creations = ({ config }: Deps) => ({
  name: 'organizations:day',
  usesMax: config.env === 'development' ? 2000 : 20,
  windowSeconds: 24 * 60 * 60,
})
/** The default role for the user who creates an organization. */
const creatorsRole = foldCase('admin')

export interface NewOwnOrganization {
  readonly name: string
  readonly slug?: string
  readonly imageUri?: string | null
  readonly description?: string | null
}

/** @throws ApiError forbidden if organizations are off, organization_slug_taken, too_many_attempts */
export async function createOwnOrganization(deps: Deps, call: AnyCall, input: NewOwnOrganization) {
  assertOrganizationsEnabled(call)
  const { tenantId, signedIn } = call
  const { user_id: userId } = signedIn.row
  await deps.db.transaction((tx) => takeQuota(deps, tx, tenantId, creations(deps), userId))
  const create = async (role: RoleRow | undefined) => {
    const creator = { userId, roleId: role?.id ?? null }
    return present(await organizations.createOrganization(deps, tenantId, input, call.actor(), creator), role)
  }
  const role = await findRoleByName(deps.db, tenantId, creatorsRole)
  try {
    return await create(role)
  } catch (error) {
    if (!(error instanceof ConstraintError && error.constraint === 'foreign_key')) throw error
    // Its role or its creator was deleted at this moment.
    const left = await findRoleByName(deps.db, tenantId, creatorsRole)
    if (left?.id === role?.id) throw new ApiError('unauthenticated', { cause: error })
    return create(left)
  }
}

/** @throws ApiError not_found */
export async function getOwnOrganization(deps: ActingDeps, call: AnyCall, id: string) {
  const { db } = deps
  const fellow = await visitOrganization(deps, call, id)
  const [organization, roles] = await Promise.all([
    organizations.getOrganization({ db }, call.tenantId, id),
    rolesForOrganization(db, call.tenantId, id),
  ])
  return {
    organization: present(organization, fellow.role),
    roles: roles
      .filter((role) => mayGive(fellow, role))
      .map((role) => ({ ...presentGivenRole(role), createdAt: role.created_at })),
    permissions: [...fellow.permissions],
  }
}

type Change = Pick<UpdateOrganization, 'name' | 'slug' | 'imageUri' | 'description'>

/** @throws ApiError not_found, forbidden, second_factor_required, reauthentication_required */
export async function getOwnSecurity(deps: Deps, call: AnyCall, id: string) {
  await enterOrganization(deps, call, id, 'org:manage')
  return getOrganizationSecurity(deps, call.tenantId, id)
}

/**
 * Changes what the organization requires. The session must fulfil the new rules, so that nobody locks themselves out by mistake.
 * @throws ApiError not_found, forbidden, second_factor_required, reauthentication_required; validation_failed for a rule that is weaker
 * than the tenant's.
 */
export async function updateOwnSecurity(deps: Deps, call: AnyCall, id: string, input: UpdateOrganizationSecurity) {
  const fellow = await enterOrganization(deps, call, id, 'org:manage')
  assertMayAct(deps, call, { ...fellow, rules: { ...fellow.rules, ...input } })
  return updateOrganizationSecurity(deps, call.tenantId, id, input, call.actor())
}

/** @throws ApiError not_found, forbidden, organization_slug_taken */
export async function updateOwnOrganization(deps: Deps, call: AnyCall, id: string, input: Change) {
  const fellow = await enterOrganization(deps, call, id, 'org:manage')
  return present(await organizations.updateOrganization(deps, call.tenantId, id, input, call.actor()), fellow.role)
}

/** @throws ApiError not_found, forbidden, reauthentication_required */
export async function deleteOwnOrganization(deps: Deps, call: AnyCall, id: string) {
  const fellow = await enterOrganization(deps, call, id, 'org:delete')
  if (!call.tenant.auth.organizationAdminDeletingEnabled)
    throw new ApiError('forbidden', { detail: 'This tenant does not allow members to delete organizations.' })
  assertFresh(deps, call.signedIn)
  return present(await organizations.deleteOrganization(deps, call.tenantId, id, call.actor()), fellow.role)
}

/**
 * Sets the organization that the signed-in user's session acts for.
 * @throws ApiError not_found if the user is not a member of the organization; forbidden if the tenant has organizations off.
 */
export async function switchOrganization(deps: Deps, call: AnyCall, organizationId: string | null) {
  assertOrganizationsEnabled(call)
  if (organizationId !== null) await enterOrganization(deps, call, organizationId)
  if (organizationId !== call.signedIn.row.organization_id)
    await setActiveOrganization(deps, call.signedIn, organizationId, call.actor())
  return { organizationId }
}
