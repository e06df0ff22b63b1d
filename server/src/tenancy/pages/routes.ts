import { endpoints } from '@bailiwick/contract'
import type { Management } from '../../platform/http/management-steps.ts'
import type { Deps } from '../deps.ts'
import type { FindFile } from '../tenants/lifecycle.ts'
import { diffVersions, listVersions, restoreVersion } from '../tenants/versions/versions.ts'
import { changeablePages, getPages, pagesVersions, presentPages, updatePages } from './pages.ts'

export function pageSettingRoutes({ handle }: Management, deps: Deps, findFile: FindFile) {
  const changeable = changeablePages(findFile)
  handle(endpoints.getPages, ({ tenantId }) => getPages(deps, tenantId))
  handle(endpoints.putPages, ({ tenantId, body, query, actor }) =>
    updatePages(deps, tenantId, body, actor, findFile, query),
  )
  handle(endpoints.listPagesVersions, ({ tenantId, query }) => listVersions(deps, pagesVersions, tenantId, query))
  handle(endpoints.diffPagesVersions, ({ tenantId, params: { from, to } }) =>
    diffVersions(deps, pagesVersions, tenantId, Number(from), Number(to)),
  )
  handle(endpoints.restorePagesVersion, async ({ tenantId, params, actor }) =>
    presentPages(deps, await restoreVersion(deps, changeable, tenantId, Number(params.version), actor)),
  )
}
