import { endpoints, frontendEndpoints } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { type Router, route } from '../../platform/http/route.ts'
import { type FrontendRouter, frontendRoute } from '../frontend/frontend-route.ts'
import { explainSignIn } from './explain.ts'
import type { AnyCall } from './flow.ts'
import * as signIns from './sign-ins.ts'

/** Whether what is asked for is sent to somebody. */
const isSent = (strategy: string) => /_(?:code|link)$/.test(strategy)

/** What the management interface says of sign-in. */
export function signInExplanationRoutes(router: Router, deps: Deps) {
  route(router, endpoints.explainSignIn, async (call) => explainSignIn(deps, call.enter(call.params.id), call.body))
}

export function signInRoutes(router: FrontendRouter) {
  const { deps } = router
  const takeSend = ({ request, reply }: AnyCall) => router.limits.take('sendFirstFactor', request, reply)
  frontendRoute(router, frontendEndpoints.createSignIn, (call) => {
    // What is sent with the first request counts like what is sent with the second.
    if (isSent(call.body.strategy ?? '')) takeSend(call)
    return signIns.createSignIn(deps, call, call.body)
  })
  frontendRoute(router, frontendEndpoints.getSignIn, (call) => signIns.getSignIn(deps, call, call.params.id))
  frontendRoute(router, frontendEndpoints.prepareFirstFactor, (call) => {
    // One that is left out is the attempt's, whichever that is.
    if (isSent(call.body.strategy ?? 'email_code')) takeSend(call)
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
