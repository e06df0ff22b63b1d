import { endpoints } from '@bailiwick/contract'
import type { Deps } from '../deps.ts'
import { locate } from '../../platform/http/locate.ts'
import { type Router, route } from '../../platform/http/route.ts'
import { deleteAttempt, getAttempt, listAttempts, signInKind, signUpKind } from './attempts.ts'

export function attemptRoutes(router: Router, deps: Deps) {
  const { db } = deps

  route(router, endpoints.listSignInAttempts, async (call) => {
    const { tenantId, ...query } = call.query
    return listAttempts(deps, signInKind, call.enter(tenantId), query)
  })

  route(router, endpoints.getSignInAttempt, async (call) => {
    const { id } = call.params
    return getAttempt(deps, signInKind, call.enter(await locate(db, call, 'sign_in_attempts', id)), id)
  })

  route(router, endpoints.deleteSignInAttempt, async (call) => {
    const { id } = call.params
    const tenantId = call.enter(await locate(db, call, 'sign_in_attempts', id))
    return deleteAttempt(deps, signInKind, tenantId, id, call.actor)
  })

  route(router, endpoints.listSignUpAttempts, async (call) => {
    const { tenantId, ...query } = call.query
    return listAttempts(deps, signUpKind, call.enter(tenantId), query)
  })

  route(router, endpoints.getSignUpAttempt, async (call) => {
    const { id } = call.params
    return getAttempt(deps, signUpKind, call.enter(await locate(db, call, 'sign_up_attempts', id)), id)
  })

  route(router, endpoints.deleteSignUpAttempt, async (call) => {
    const { id } = call.params
    const tenantId = call.enter(await locate(db, call, 'sign_up_attempts', id))
    return deleteAttempt(deps, signUpKind, tenantId, id, call.actor)
  })
}
