// Where a member manages connections: one organization, with the authority of the tenant inside it, once the member's rights are checked.
import type { AttributeMapping } from '@bailiwick/contract'
import { findTenantAttributes } from '../../enterprise/connections/attribute-mappings.ts'
import { findConnection } from '../../enterprise/connections/find-connection.ts'
import type { Deps } from '../../identity/deps.ts'
import { assertFresh, freshMs } from '../../identity/sessions/fresh-session.ts'
import type { Reader } from '../../platform/db/database.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { type Caller, operator } from '../../platform/http/credentials/principal.ts'
import type { RoleId, TenantId } from '../../platform/ids.ts'
import { findRoleRows } from '../../tenancy/roles/find-role.ts'
import type { AnyCall } from '../frontend/flow.ts'
import { type ActingDeps, type ActingMember, enterOrganization, mayGive } from '../own-organizations/rights.ts'

/** Setting a provider up takes longer than other changes that want a recent proof. */
export const connectionProofMs = 6 * freshMs

/**
 * Returns the signed-in user as a member who may manage the connections of the organization.
 * @throws ApiError not_found if the user is not a member; forbidden without the permission, where the tenant does not offer it, and for
 * whoever acts in the place of a user.
 */
export async function enterConnections(deps: ActingDeps, call: AnyCall, organizationId: string): Promise<ActingMember> {
  const member = await enterOrganization(deps, call, organizationId, 'org:connections:manage')
  if (!call.tenant.auth.organizationConnectionManagementEnabled)
    throw new ApiError('forbidden', { detail: 'This tenant does not let members manage the connections.' })
  if (call.signedIn.row.actor_type !== null)
    throw new ApiError('forbidden', { detail: 'An administrator who impersonates a user cannot manage connections.' })
  return member
}

/** What the operations of the tenant take from a member: the member is the actor, and what the member may do was checked. */
export interface ConnectionPlace {
  readonly tenantId: TenantId
  readonly organizationId: string
  readonly caller: Caller
  /** Checks the member again, in the transaction of a change. */
  readonly enter: (db: Reader) => Promise<ActingMember>
}

/** @throws ApiError as `enterConnections` does */
export async function openPlace(deps: Deps, call: AnyCall, organizationId: string): Promise<ConnectionPlace> {
  const { clock } = deps
  await enterConnections(deps, call, organizationId)
  return {
    tenantId: call.tenantId,
    organizationId,
    caller: { principal: operator, actor: call.actor() },
    enter: (db) => enterConnections({ clock, db }, call, organizationId),
  }
}

/** @throws ApiError as `openPlace` does; reauthentication_required if the session was not proven within the hour. */
export async function openChange(deps: Deps, call: AnyCall, organizationId: string): Promise<ConnectionPlace> {
  const place = await openPlace(deps, call, organizationId)
  assertFresh(deps, call.signedIn, connectionProofMs)
  return place
}

/** @throws ApiError not_found for a connection of another organization. */
export async function assertConnection({ db }: Deps, { tenantId, organizationId }: ConnectionPlace, id: string) {
  const row = await findConnection(db, tenantId, id)
  if (row?.organization_id !== organizationId) throw notFound()
  return row
}

interface Rule {
  readonly roleId: string
}

/** A rule or mapping as text, in whatever order its properties were sent. */
const asText = (rule: object) =>
  JSON.stringify(Object.entries(rule).toSorted(([one], [other]) => (one < other ? -1 : 1)))
const asTexts = (rules: readonly object[]) => rules.map(asText).join('\n')

/**
 * Refuses rules that give a role which the member may not give, and changes to such rules that the tenant has made.
 * @throws ApiError forbidden
 */
export async function assertMayRule(
  db: Reader,
  { tenantId, organizationId, enter }: ConnectionPlace,
  before: readonly Rule[],
  after: readonly Rule[],
): Promise<void> {
  const member = await enter(db)
  const ids = [...before, ...after].map(({ roleId }) => roleId as RoleId)
  const roles = await findRoleRows(db, tenantId, organizationId, ids)
  const isKept = ({ roleId }: Rule) => {
    const role = roles.get(roleId as RoleId)
    // A rule of a role that no longer exists gives nothing.
    return role !== undefined && !mayGive(member, role)
  }
  if (asTexts(before.filter(isKept)) === asTexts(after.filter(isKept))) return
  throw new ApiError('forbidden', {
    detail: 'Rules can give only roles that you may assign, and rules for other roles stay as they are.',
  })
}

/**
 * Refuses mappings to attributes that users do not write themselves, and changes to such mappings that the tenant has made: a plan or a limit
 * is not for the customer's provider to set.
 * @throws ApiError forbidden
 */
export async function assertMayMap(
  db: Reader,
  tenantId: TenantId,
  before: readonly AttributeMapping[],
  after: readonly AttributeMapping[],
): Promise<void> {
  const attributes = await findTenantAttributes(db, tenantId)
  const open = new Set(attributes.filter(({ writableBy }) => writableBy === 'user').map(({ key }) => key))
  const isKept = ({ attribute }: AttributeMapping) => !open.has(attribute)
  const whole = ({ attribute, claim = null, scim = null }: AttributeMapping) => ({ attribute, claim, scim })
  if (asTexts(before.filter(isKept).map(whole)) === asTexts(after.filter(isKept).map(whole))) return
  throw new ApiError('forbidden', {
    detail: 'Mappings can name only attributes that users write, and those of other attributes stay as they are.',
  })
}
