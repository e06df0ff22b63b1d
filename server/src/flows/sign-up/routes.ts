import { frontendEndpoints } from '@bailiwick/contract'
import type { Frontend } from '../frontend/frontend-steps.ts'
import * as signUps from './sign-ups.ts'
import { joinWaitlist } from './waitlist.ts'

export function signUpRoutes({ deps, handle }: Frontend) {
  handle(frontendEndpoints.createSignUp, (call) => signUps.createSignUp(deps, call, call.body))
  handle(frontendEndpoints.joinWaitlist, (call) => joinWaitlist(deps, call, call.body))
  handle(frontendEndpoints.getSignUp, (call) => signUps.getSignUp(deps, call, call.params.id))
  handle(frontendEndpoints.updateSignUp, (call) => signUps.updateSignUp(deps, call, call.params.id, call.body))
  handle(frontendEndpoints.prepareVerification, (call) =>
    signUps.prepareVerification(deps, call, call.params.id, call.body),
  )
  handle(frontendEndpoints.attemptVerification, (call) =>
    signUps.attemptVerification(deps, call, call.params.id, call.body),
  )
}
