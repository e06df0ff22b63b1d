import { frontendEndpoints } from '@bailiwick/contract'
import { type FrontendRouter, frontendRoute } from '../frontend/frontend-route.ts'
import { attemptPasswordReset, createPasswordReset } from './password-resets.ts'

export function passwordResetRoutes(router: FrontendRouter) {
  const { deps } = router
  frontendRoute(router, frontendEndpoints.createPasswordReset, (call) =>
    createPasswordReset(deps, call, call.body.identifier),
  )
  frontendRoute(router, frontendEndpoints.attemptPasswordReset, (call) =>
    attemptPasswordReset(deps, call, call.params.id, call.body),
  )
}
