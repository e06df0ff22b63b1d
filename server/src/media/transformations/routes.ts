import { endpoints } from '@bailiwick/contract'
import type { Deps } from '../deps.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { Management } from '../../platform/http/management-steps.ts'
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
  handle(endpoints.updateTransformation, async ({ tenantId, params, body, actor }) => {
    const { tenantId: named, ...input } = body
    // The body names the tenant too: one that is not the record's is as good as a record that does not exist.
    if (named !== tenantId) throw notFound()
    return updateTransformation(deps, tenantId, params.id, input, actor)
  })
  handle(endpoints.deleteTransformation, ({ tenantId, params, actor }) =>
    deleteTransformation(deps, tenantId, params.id, actor),
  )
}
