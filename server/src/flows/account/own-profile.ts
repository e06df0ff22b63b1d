// What users change about themselves, within what their tenant requires of everybody.
import type { UpdateProfile } from '@bailiwick/contract'
import { canSignInWithout } from '../../identity/authenticators/can-sign-in-without.ts'
import type { Deps } from '../../identity/deps.ts'
import { updateUser } from '../../identity/people/user-changes.ts'
import type { UserRow } from '../../identity/users/find-user.ts'
import { assertMayChangeProfile } from '../../identity/users/managed-by-directory.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { ApiError, invalid } from '../../platform/http/api-error.ts'
import { valuesIn } from '../../tenancy/tenants/attributes/values.ts'
import type { AnyCall } from '../frontend/flow.ts'

/** @throws ApiError username_taken; managed_by_directory for names; last_contact if the tenant requires the username, or it is the user's only way of signing in. */
export function updateOwnProfile(deps: Deps, call: AnyCall, input: UpdateProfile) {
  const { tenant, tenantId, signedIn } = call
  const { auth } = tenant
  if (input.name === null && auth.nameRequired) throw invalid('/name', 'required', 'is required by this tenant')
  const assertAllowed = async (tx: Transaction, before: UserRow) => {
    const { name, firstName, lastName } = input
    if ([name, firstName, lastName].some((each) => each !== undefined)) {
      await assertMayChangeProfile(tx, tenantId, before.id)
    }
    if (input.username !== null || before.username === null) return
    if (auth.usernameRequired || !(await canSignInWithout(deps, tx, call.tenant, before, 'username')))
      throw new ApiError('last_contact')
  }
  const { attributes, ...others } = input
  const own = attributes === undefined ? {} : { attributes: valuesIn(attributes) }
  return updateUser(deps, tenantId, signedIn.row.user_id, { ...others, ...own }, call.actor(), assertAllowed)
}
