import { join } from 'node:path'
import { endpoints, importBytesMax } from '@bailiwick/contract'
import { Content, json, streamOf } from '../../platform/http/answer.ts'
import { ndjsonType } from '../../platform/http/body/ndjson.ts'
import { WholeBodies } from '../../platform/http/body/whole-body.ts'
import { StreamPlaces } from '../../platform/http/limits/stream-places.ts'
import type { Management } from '../../platform/http/management-steps.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import type { Deps } from '../deps.ts'
import { getUser } from '../users/users.ts'
import { type DataPart, exportUserData, exportUsers } from './export.ts'
import { importUsers } from './import.ts'

/** What waits on a node's disk to be imported. A tenant may have one import of the largest size, or several smaller ones. */
const importLimits = {
  bytesMax: importBytesMax,
  ownerBytesMax: importBytesMax,
  totalBytesMax: 4 * importBytesMax,
}

/**
 * Exports that are under way at once. Each keeps a connection open as long as its reader likes, and two or three batches in memory: 10 MB of
 * users with 15 kB of metadata each.
 */
const exportLimits = { perOwnerMax: 4, perNodeMax: 16 }

const ndjson = `${ndjsonType}; charset=utf-8`

export function transferRoutes({ handle }: Management, deps: Deps, parts: readonly DataPart[]) {
  const exports = new StreamPlaces(exportLimits)
  const bodies = new WholeBodies(join(deps.config.dataDir, 'imports'), importLimits)

  handle(endpoints.importUsers, async ({ tenantId, actor, request, reply }) => {
    await getTenant(deps, tenantId)
    const lines = await bodies.receive(request.raw, tenantId)
    reply.raw.once('close', () => void lines.close())
    return new Content(ndjson, streamOf(importUsers(deps, tenantId, lines.bytes, actor)))
  })

  handle(endpoints.exportUsers, async (call) => {
    await getTenant(deps, call.tenantId)
    const lines = exportUsers(deps, call.tenantId, (user) => call.serialize(user))
    return new Content(ndjson, exports.open(call.tenantId, lines))
  })

  handle(endpoints.exportUserData, async ({ tenantId, params }) => {
    const user = await getUser(deps, tenantId, params.id)
    return new Content(json, exports.open(tenantId, exportUserData(deps, user, parts)))
  })
}
