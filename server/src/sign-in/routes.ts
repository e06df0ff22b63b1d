import { frontendEndpoints } from '@bailiwick/contract'
import { type FrontendRouter, frontendRoute } from '../frontend/frontend-route.ts'
import * as signIns from './sign-ins.ts'

export function signInRoutes(router: FrontendRouter) {
  const { deps } = router
  frontendRoute(router, frontendEndpoints.createSignIn, (call) => signIns.createSignIn(deps, call, call.body))
  frontendRoute(router, frontendEndpoints.getSignIn, (call) => signIns.getSignIn(deps, call, call.params.id))
  frontendRoute(router, frontendEndpoints.prepareFirstFactor, (call) => {
    const { strategy } = call.body
    // One that is left out is the attempt's, whichever that is.
    if (strategy !== 'security_key' && strategy !== 'oauth') {
      router.limits.take('sendFirstFactor', call.request, call.reply)
    }
    return signIns.prepareFirstFactor(deps, call, call.params.id, call.body)
  })
  frontendRoute(router, frontendEndpoints.attemptFirstFactor, (call) =>
    signIns.attemptFirstFactor(deps, call, call.params.id, call.body),
  )
  frontendRoute(router, frontendEndpoints.prepareSecondFactor, (call) =>
    signIns.prepareSecondFactor(deps, call, call.params.id, call.body),
  )
  frontendRoute(router, frontendEndpoints.attemptSecondFactor, (call) =>
    signIns.attemptSecondFactor(deps, call, call.params.id, call.body),
  )
}
