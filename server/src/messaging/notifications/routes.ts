import { endpoints } from '@bailiwick/contract'
import type { Deps } from '../deps.ts'
import { type LocatedTable, type Locating, locate } from '../../platform/http/locate.ts'
import { type Router, route } from '../../platform/http/route.ts'
import * as channels from './channels.ts'
import { cloneTemplates } from './clone-templates.ts'
import { getTenantLimits, updateTenantLimits } from './send-limits.ts'
import * as templates from './templates.ts'

interface NamingOne extends Locating {
  readonly params: { readonly id: string }
}

export function notificationRoutes(router: Router, deps: Deps) {
  router.app.addHook('onClose', () => deps.templatePool.close())
  const tenantOf = (call: NamingOne, table: LocatedTable) => locate(deps.db, call, table, call.params.id)

  route(router, endpoints.getTenantLimits, async (call) => getTenantLimits(deps, call.enter(call.params.id)))

  route(router, endpoints.putTenantLimits, async (call) =>
    updateTenantLimits(deps, call.enter(call.params.id), call.body, call.actor),
  )

  route(router, endpoints.createChannel, async (call) => {
    const { tenantId, ...input } = call.body
    return channels.createChannel(deps, call.enter(tenantId), input, call.actor)
  })

  route(router, endpoints.listChannels, async (call) =>
    channels.listChannels(deps, call.enter(call.params.tenantId), call.query),
  )

  route(router, endpoints.getChannel, async (call) =>
    channels.getChannel(deps, call.enter(await tenantOf(call, 'channels')), call.params.id),
  )

  route(router, endpoints.updateChannel, async (call) => {
    const tenantId = call.enter(await tenantOf(call, 'channels'))
    return channels.updateChannel(deps, tenantId, call.params.id, call.body, call.actor)
  })

  route(router, endpoints.deleteChannel, async (call) =>
    channels.deleteChannel(deps, call.enter(await tenantOf(call, 'channels')), call.params.id, call.actor),
  )

  route(router, endpoints.createTemplate, async (call) => {
    const { tenantId, ...input } = call.body
    return templates.createTemplate(deps, call.enter(tenantId), input, call.actor)
  })

  route(router, endpoints.cloneTemplates, async (call) => {
    const { tenantId, toTenantId, ...input } = call.body
    const source = call.alsoReads('config:read', tenantId)
    return cloneTemplates(deps, source, call.enter(toTenantId), input, call.actor)
  })

  route(router, endpoints.listTemplates, async (call) =>
    templates.listTemplates(deps, call.enter(call.params.tenantId), call.query),
  )

  route(router, endpoints.getTemplate, async (call) =>
    templates.getTemplate(deps, call.enter(await tenantOf(call, 'templates')), call.params.id),
  )

  route(router, endpoints.updateTemplate, async (call) => {
    const tenantId = call.enter(await tenantOf(call, 'templates'))
    return templates.updateTemplate(deps, tenantId, call.params.id, call.body, call.actor)
  })

  route(router, endpoints.deleteTemplate, async (call) =>
    templates.deleteTemplate(deps, call.enter(await tenantOf(call, 'templates')), call.params.id, call.actor),
  )

  route(router, endpoints.previewTemplate, async (call) => {
    const tenantId = call.enter(await tenantOf(call, 'templates'))
    return templates.previewTemplate(deps, tenantId, call.params.id, call.body.variables)
  })
}
