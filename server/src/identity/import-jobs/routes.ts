import { join } from 'node:path'
import { endpoints, importJobBytesMax } from '@bailiwick/contract'
import { Content } from '../../platform/http/answer.ts'
import { ndjsonType } from '../../platform/http/body/ndjson.ts'
import { WholeBodies } from '../../platform/http/body/whole-body.ts'
import { StreamPlaces } from '../../platform/http/limits/stream-places.ts'
import type { Management } from '../../platform/http/management-steps.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import type { Deps } from '../deps.ts'
import { deleteImportJob, getImportJob, listImportJobs, readImportJobResults } from './import-jobs.ts'
import { createImportJob } from './receive.ts'

/** What waits on a node's disk to be stored. */
const bodyLimits = {
  bytesMax: importJobBytesMax,
  ownerBytesMax: importJobBytesMax,
  totalBytesMax: 4 * importJobBytesMax,
}

/** Results that are being read at once. */
const resultLimits = { perOwnerMax: 4, perNodeMax: 64 }

export function importJobRoutes({ handle }: Management, deps: Deps) {
  const bodies = new WholeBodies(join(deps.config.dataDir, 'imports'), bodyLimits)
  const results = new StreamPlaces(resultLimits)

  handle(endpoints.createImportJob, async ({ tenantId, actor, request }) => {
    await getTenant(deps, tenantId)
    const body = await bodies.receive(request.raw, tenantId)
    try {
      return await createImportJob(deps, tenantId, body.bytes, actor)
    } finally {
      await body.close()
    }
  })

  handle(endpoints.listImportJobs, ({ tenantId, query }) => listImportJobs(deps, tenantId, query))
  handle(endpoints.getImportJob, ({ tenantId, params }) => getImportJob(deps, tenantId, params.id))

  handle(endpoints.readImportJobResults, async ({ tenantId, params, query }) => {
    const lines = await readImportJobResults(deps, tenantId, params.id, query.status)
    return new Content(`${ndjsonType}; charset=utf-8`, results.open(tenantId, lines))
  })

  handle(endpoints.deleteImportJob, ({ tenantId, params, actor }) => deleteImportJob(deps, tenantId, params.id, actor))
}
