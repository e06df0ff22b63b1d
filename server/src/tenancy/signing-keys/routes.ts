import { endpoints } from '@bailiwick/contract'
import type { Deps } from '../deps.ts'
import { type Router, route } from '../../platform/http/route.ts'
import { listSigningKeys, rotateSigningKeys } from './signing-keys.ts'

export function signingKeyRoutes(router: Router, deps: Deps) {
  route(router, endpoints.listJwkCertificates, async (call) => listSigningKeys(deps, call.enter(call.query.tenantId)))

  route(router, endpoints.rotateJwkCertificates, async (call) =>
    rotateSigningKeys(deps, call.enter(call.body.tenantId), call.actor),
  )
}
