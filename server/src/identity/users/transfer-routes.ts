import { Readable } from 'node:stream'
import { endpoints } from '@bailiwick/contract'
import type { Deps } from '../deps.ts'
import { locate } from '../../platform/http/locate.ts'
import { ndjsonType } from '../../platform/http/ndjson.ts'
import { Content, type Router, route } from '../../platform/http/route.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import { exportUserData, exportUsers } from './export.ts'
import { importUsers } from './import.ts'
import { getUser } from './users.ts'

const ndjson = `${ndjsonType}; charset=utf-8`
const json = 'application/json; charset=utf-8'

/** Of what is produced ahead of a slow reader: a batch or two, whatever their size. */
const streamOf = (texts: AsyncIterable<string>) => Readable.from(texts, { objectMode: true, highWaterMark: 1 })

export function transferRoutes(router: Router, deps: Deps) {
  route(router, endpoints.importUsers, async (call) => {
    const tenantId = call.enter(call.query.tenantId)
    await getTenant(deps, tenantId)
    return new Content(ndjson, streamOf(importUsers(deps, tenantId, call.body, call.actor)))
  })

  route(router, endpoints.exportUsers, async (call) => {
    const tenantId = call.enter(call.query.tenantId)
    await getTenant(deps, tenantId)
    return new Content(ndjson, streamOf(exportUsers(deps, tenantId, (user) => call.serialize(user))))
  })

  route(router, endpoints.exportUserData, async (call) => {
    const { id } = call.params
    const tenantId = call.enter(await locate(deps.db, call, 'users', id))
    return new Content(json, streamOf(exportUserData(deps, await getUser(deps, tenantId, id))))
  })
}
