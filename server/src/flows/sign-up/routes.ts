import { frontendEndpoints } from '@bailiwick/contract'
import { type FrontendRouter, frontendRoute } from '../frontend/frontend-route.ts'
import * as signUps from './sign-ups.ts'

export function signUpRoutes(router: FrontendRouter) {
  const { deps } = router
  frontendRoute(router, frontendEndpoints.createSignUp, (call) => signUps.createSignUp(deps, call, call.body))
  frontendRoute(router, frontendEndpoints.getSignUp, (call) => signUps.getSignUp(deps, call, call.params.id))
  frontendRoute(router, frontendEndpoints.updateSignUp, (call) =>
    signUps.updateSignUp(deps, call, call.params.id, call.body),
  )
  frontendRoute(router, frontendEndpoints.prepareVerification, (call) =>
    signUps.prepareVerification(deps, call, call.params.id, call.body),
  )
  frontendRoute(router, frontendEndpoints.attemptVerification, (call) =>
    signUps.attemptVerification(deps, call, call.params.id, call.body),
  )
}
