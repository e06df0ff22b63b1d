// The signed-out side of security notices: whoever reads one says that it was somebody else.
import type { Deps } from '../../identity/deps.ts'
import { type EndGrants, secureAccount } from '../../identity/people/secure-account.ts'
import type { AnyCall } from '../frontend/flow.ts'

/** @throws ApiError attempt_not_open */
export async function reportSecurityNotice(deps: Deps, endGrants: EndGrants, call: AnyCall, token: string) {
  await secureAccount(deps, endGrants, call.tenantId, token, call.actor(null))
  return { secured: true }
}
