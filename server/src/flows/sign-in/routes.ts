import { endpoints, frontendEndpoints } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import type { Management } from '../../platform/http/management-steps.ts'
import type { AnyCall } from '../frontend/flow.ts'
import type { Frontend } from '../frontend/frontend-steps.ts'
import { explainSignIn } from './explain.ts'
import * as signIns from './sign-ins.ts'
import { createVerification } from './verifications.ts'

/** Whether the strategy sends something to somebody. */
const isSent = (strategy: string) => /_(?:code|link)$/.test(strategy)

/** What the management interface says about sign-in. */
export function signInExplanationRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.explainSignIn, ({ tenantId, body }) => explainSignIn(deps, tenantId, body))
}

export function signInRoutes({ deps, limits, handle }: Frontend) {
  const takeSend = ({ request, reply }: AnyCall) => limits.take('sendFirstFactor', request, reply)
  handle(frontendEndpoints.createSignIn, (call) => {
    // What is sent with the first request counts like what is sent with the second.
    if (isSent(call.body.strategy ?? '')) takeSend(call)
    return signIns.createSignIn(deps, call, call.body)
  })
  handle(frontendEndpoints.createVerification, (call) => createVerification(deps, call, call.body))
  handle(frontendEndpoints.getSignIn, (call) => signIns.getSignIn(deps, call, call.params.id))
  handle(frontendEndpoints.prepareFirstFactor, (call) => {
    // A strategy that is left out is the attempt's, whichever that is.
    if (isSent(call.body.strategy ?? 'email_code')) takeSend(call)
    return signIns.prepareFirstFactor(deps, call, call.params.id, call.body)
  })
  handle(frontendEndpoints.attemptFirstFactor, (call) =>
    signIns.attemptFirstFactor(deps, call, call.params.id, call.body),
  )
  handle(frontendEndpoints.prepareSecondFactor, (call) =>
    signIns.prepareSecondFactor(deps, call, call.params.id, call.body),
  )
  handle(frontendEndpoints.attemptSecondFactor, (call) =>
    signIns.attemptSecondFactor(deps, call, call.params.id, call.body),
  )
}
