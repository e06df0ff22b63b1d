import { frontendEndpoints } from '@bailiwick/contract'
import type { Frontend } from '../frontend/frontend-steps.ts'
import { attemptPasswordReset, createPasswordReset } from './password-resets.ts'

export function passwordResetRoutes({ deps, handle }: Frontend) {
  handle(frontendEndpoints.createPasswordReset, (call) => createPasswordReset(deps, call, call.body.identifier))
  handle(frontendEndpoints.attemptPasswordReset, (call) => attemptPasswordReset(deps, call, call.params.id, call.body))
}
