import { frontendEndpoints } from '@bailiwick/contract'
import { getKnownUser, presentProfile } from '../../identity/people/profile.ts'
import { createSessionJwt, identifyingClaims } from '../../identity/session-tokens/session-jwt.ts'
import { presentSession } from '../../identity/sessions/present.ts'
import * as accounts from '../frontend/browser-accounts.ts'
import type { Frontend } from '../frontend/frontend-steps.ts'

export function browserAccountRoutes({ deps, handle }: Frontend) {
  handle(frontendEndpoints.getBrowserAccounts, async (call) => ({
    accounts: await accounts.getBrowserAccounts(deps, call),
  }))
  handle(frontendEndpoints.switchBrowserAccount, async (call) => {
    const { tenant, tenantId } = call
    const { row } = await accounts.switchBrowserAccount(deps, call, call.params.id)
    const { user, factors } = await getKnownUser(deps, tenantId, row.user_id)
    const jwt = await createSessionJwt(
      deps,
      { row: { ...row, user_status: 'active', user_is_anonymous: user.row.is_anonymous }, tenant },
      user,
    )
    const sessionUser = { ...presentProfile(user, factors), ...identifyingClaims(jwt) }
    return { session: { ...presentSession(row, tenant), current: true }, jwt, sessionUser }
  })
  handle(frontendEndpoints.endBrowserAccounts, async (call) => {
    const { id } = call.query
    const ended =
      id === undefined ? accounts.endBrowserAccounts(deps, call) : accounts.endBrowserAccount(deps, call, id)
    return { ended: await ended }
  })
}
