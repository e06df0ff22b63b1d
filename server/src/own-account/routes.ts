import { frontendEndpoints } from '@bailiwick/contract'
import { type FrontendRouter, frontendRoute } from '../frontend/frontend-route.ts'
import { Serialized } from '../http/route.ts'
import { profileOf } from '../users/profile.ts'
import { updateUser } from '../users/user-changes.ts'
import { getUser } from '../users/users.ts'
import * as ownSessions from './own-sessions.ts'

export function ownAccountRoutes(router: FrontendRouter) {
  const { deps } = router

  // Asked with nearly every page: made once for as long as neither the user nor the tenant changes.
  frontendRoute(router, frontendEndpoints.getProfile, async (call) => {
    const { signedIn, tenantId, tenant } = call
    const { made } = signedIn
    if (made.profile?.tenant !== tenant) {
      const user = await profileOf(deps.db, await getUser(deps, tenantId, signedIn.row.user_id))
      made.profile = { tenant, json: call.serialize(frontendEndpoints.getProfile, { user }) }
    }
    return new Serialized(made.profile.json)
  })
  frontendRoute(router, frontendEndpoints.updateProfile, async (call) => ({
    user: await profileOf(
      deps.db,
      await updateUser(deps, call.tenantId, call.signedIn.row.user_id, call.body, call.actor()),
    ),
  }))

  frontendRoute(router, frontendEndpoints.listOwnSessions, async (call) => ({
    sessions: await ownSessions.listOwnSessions(deps, call),
  }))
  frontendRoute(router, frontendEndpoints.deleteOwnSession, async (call) => ({
    session: await ownSessions.endOwnSession(deps, call, call.params.id),
  }))
  frontendRoute(router, frontendEndpoints.endOwnSessions, async (call) => ({
    ended: await ownSessions.endOwnSessionHere(deps, call),
  }))
  frontendRoute(router, frontendEndpoints.createOwnToken, (call) => ownSessions.createOwnToken(deps, call, call.body))
}
