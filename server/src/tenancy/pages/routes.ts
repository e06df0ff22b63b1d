import { endpoints } from '@bailiwick/contract'
import type { Deps } from '../deps.ts'
import { type Router, route } from '../../platform/http/route.ts'
import { diffVersions, listVersions, restoreVersion } from '../tenants/versions.ts'
import type { FindFile } from '../tenants/lifecycle.ts'
import { changeablePages, getPages, pagesVersions, presentPages, updatePages } from './pages.ts'

export function pageSettingRoutes(router: Router, deps: Deps, findFile: FindFile) {
  const changeable = changeablePages(findFile)

  route(router, endpoints.getPages, async (call) => getPages(deps, call.enter(call.params.id)))

  route(router, endpoints.putPages, async (call) =>
    updatePages(deps, call.enter(call.params.id), call.body, call.actor, findFile),
  )

  route(router, endpoints.listPagesVersions, async (call) =>
    listVersions(deps, pagesVersions, call.enter(call.params.id), call.query),
  )

  route(router, endpoints.diffPagesVersions, async (call) => {
    const { id, from, to } = call.params
    return diffVersions(deps, pagesVersions, call.enter(id), Number(from), Number(to))
  })

  route(router, endpoints.restorePagesVersion, async (call) => {
    const { id, version } = call.params
    return presentPages(deps, await restoreVersion(deps, changeable, call.enter(id), Number(version), call.actor))
  })
}
