// The organization that the signed-in user's session acts for.
import type { Deps } from '../../identity/deps.ts'
import { setActiveOrganization } from '../../identity/sessions/active-organization.ts'
import type { AnyCall } from '../frontend/flow.ts'
import { assertOrganizationsEnabled, enterOrganization } from './rights.ts'

/** @throws ApiError not_found if the user is not a member of the organization; forbidden if the tenant has organizations off. */
export async function switchOrganization(deps: Deps, call: AnyCall, organizationId: string | null) {
  assertOrganizationsEnabled(call)
  if (organizationId !== null) await enterOrganization(deps.db, call, organizationId)
  if (organizationId !== call.signedIn.row.organization_id)
    await setActiveOrganization(deps, call.signedIn, organizationId, call.actor())
  return { organizationId }
}
