import { endpoints } from '@bailiwick/contract'
import type { Management } from '../../platform/http/management-steps.ts'
import type { Deps } from '../deps.ts'
import { deleteAttempt, getAttempt, listAttempts, signInKind, signUpKind } from './attempts.ts'

export function attemptRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.listSignInAttempts, ({ tenantId, query }) => listAttempts(deps, signInKind, tenantId, query))
  handle(endpoints.getSignInAttempt, ({ tenantId, params }) => getAttempt(deps, signInKind, tenantId, params.id))
  handle(endpoints.deleteSignInAttempt, ({ tenantId, params, actor }) =>
    deleteAttempt(deps, signInKind, tenantId, params.id, actor),
  )

  handle(endpoints.listSignUpAttempts, ({ tenantId, query }) => listAttempts(deps, signUpKind, tenantId, query))
  handle(endpoints.getSignUpAttempt, ({ tenantId, params }) => getAttempt(deps, signUpKind, tenantId, params.id))
  handle(endpoints.deleteSignUpAttempt, ({ tenantId, params, actor }) =>
    deleteAttempt(deps, signUpKind, tenantId, params.id, actor),
  )
}
