import { endpoints } from '@bailiwick/contract'
import type { Deps } from '../deps.ts'
import { Content, json, streamOf } from '../../platform/http/answer.ts'
import type { Management } from '../../platform/http/management-steps.ts'
import { ndjsonType } from '../../platform/http/ndjson.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import { type DataPart, exportUserData, exportUsers } from './export.ts'
import { importUsers } from './import.ts'
import { getUser } from '../users/users.ts'

const ndjson = `${ndjsonType}; charset=utf-8`

export function transferRoutes({ handle }: Management, deps: Deps, parts: readonly DataPart[]) {
  handle(endpoints.importUsers, async ({ tenantId, body, actor }) => {
    await getTenant(deps, tenantId)
    return new Content(ndjson, streamOf(importUsers(deps, tenantId, body, actor)))
  })

  handle(endpoints.exportUsers, async (call) => {
    await getTenant(deps, call.tenantId)
    return new Content(ndjson, streamOf(exportUsers(deps, call.tenantId, (user) => call.serialize(user))))
  })

  handle(
    endpoints.exportUserData,
    async ({ tenantId, params }) =>
      new Content(json, streamOf(exportUserData(deps, await getUser(deps, tenantId, params.id), parts))),
  )
}
