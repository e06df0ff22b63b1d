import { endpoints } from '@bailiwick/contract'
import type { Deps } from '../deps.ts'
import { notFound } from '../../platform/http/api-error.ts'
import { locate } from '../../platform/http/locate.ts'
import { type Router, route } from '../../platform/http/route.ts'
import {
  createTransformation,
  deleteTransformation,
  getTransformation,
  listTransformations,
  updateTransformation,
} from './transformations.ts'

export function transformationRoutes(router: Router, deps: Deps) {
  route(router, endpoints.listTransformations, async (call) =>
    listTransformations(deps, call.enter(call.params.tenantId), call.query),
  )

  route(router, endpoints.createTransformation, async (call) => {
    const { tenantId, ...input } = call.body
    return createTransformation(deps, call.enter(tenantId), input, call.actor)
  })

  route(router, endpoints.getTransformation, async (call) => {
    const { id } = call.params
    return getTransformation(deps, call.enter(await locate(deps.db, call, 'transformations', id)), id)
  })

  route(router, endpoints.updateTransformation, async (call) => {
    const { id } = call.params
    const tenantId = call.enter(await locate(deps.db, call, 'transformations', id))
    const { tenantId: named, ...input } = call.body
    // The body names the tenant too: one that is not the record's is as good as a record that does not exist.
    if (named !== tenantId) throw notFound()
    return updateTransformation(deps, tenantId, id, input, call.actor)
  })

  route(router, endpoints.deleteTransformation, async (call) => {
    const { id } = call.params
    const tenantId = call.enter(await locate(deps.db, call, 'transformations', id))
    return deleteTransformation(deps, tenantId, id, call.actor)
  })
}
