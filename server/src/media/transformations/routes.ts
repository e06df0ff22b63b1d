import { endpoints } from '@bailiwick/contract'
import { notFound } from '../../platform/http/api-error.ts'
import type { Management } from '../../platform/http/management-steps.ts'
import type { Deps } from '../deps.ts'
import {
  createTransformation,
  deleteTransformation,
  getTransformation,
  listTransformations,
  updateTransformation,
} from './transformations.ts'

export function transformationRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.listTransformations, ({ tenantId, query }) => listTransformations(deps, tenantId, query))
  handle(endpoints.createTransformation, ({ tenantId, input, actor }) =>
    createTransformation(deps, tenantId, input, actor),
  )
  handle(endpoints.getTransformation, ({ tenantId, params }) => getTransformation(deps, tenantId, params.id))
  handle(endpoints.updateTransformation, async ({ tenantId, params, body, query, actor }) => {
    const { tenantId: named, ...input } = body
    // The body also names the tenant; if it is not the record's tenant, the record counts as missing.
    if (named !== tenantId) throw notFound()
    return updateTransformation(deps, tenantId, params.id, input, actor, query)
  })
  handle(endpoints.deleteTransformation, ({ tenantId, params, actor }) =>
    deleteTransformation(deps, tenantId, params.id, actor),
  )
}
