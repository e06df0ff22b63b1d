import type { Deps } from '../../identity/deps.ts'
import { deleteUser } from '../../identity/people/user-deletion.ts'
import { assertFresh } from '../../identity/sessions/fresh-session.ts'
import type { AnyCall } from '../frontend/flow.ts'
import { assertOrganizationsStayManaged } from '../own-organizations/last-manager.ts'

/**
 * @throws ApiError reauthentication_required; last_manager if nobody else may manage the other members of an organization; last_admin for a
 * console user without whom a tenant would have no administrator.
 */
export async function deleteOwnUser(deps: Deps, call: AnyCall): Promise<string> {
  const { tenantId, signedIn } = call
  const { user_id: userId } = signedIn.row
  assertFresh(deps, signedIn)
  await deleteUser(deps, tenantId, userId, call.actor(), (tx) => assertOrganizationsStayManaged(tx, call))
  call.forgetSession()
  return userId
}
