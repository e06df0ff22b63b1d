import { endpoints } from '@bailiwick/contract'
import type { Management } from '../../platform/http/management-steps.ts'
import type { Deps } from '../deps.ts'
import * as channels from './channels/channels.ts'
import { getTenantLimits, updateTenantLimits } from './sending/send-limits.ts'
import { cloneTemplates } from './templates/clone-templates.ts'
import * as templates from './templates/templates.ts'

export function notificationRoutes(management: Management, deps: Deps) {
  management.app.addHook('onClose', () => deps.templatePool.close())
  management.handle(endpoints.getTenantLimits, ({ tenantId }) => getTenantLimits(deps, tenantId))
  management.handle(endpoints.putTenantLimits, ({ tenantId, body, actor }) =>
    updateTenantLimits(deps, tenantId, body, actor),
  )
  channelRoutes(management, deps)
  templateRoutes(management, deps)
}

function channelRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.createChannel, ({ tenantId, input, actor }) => channels.createChannel(deps, tenantId, input, actor))
  handle(endpoints.listChannels, ({ tenantId, query }) => channels.listChannels(deps, tenantId, query))
  handle(endpoints.getChannel, ({ tenantId, params }) => channels.getChannel(deps, tenantId, params.id))
  handle(endpoints.updateChannel, ({ tenantId, params, body, query, principal, actor }) =>
    channels.updateChannel(deps, tenantId, params.id, body, { principal, actor }, query),
  )
  handle(endpoints.deleteChannel, ({ tenantId, params, actor }) =>
    channels.deleteChannel(deps, tenantId, params.id, actor),
  )
}

function templateRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.createTemplate, ({ tenantId, input, principal, actor }) =>
    templates.createTemplate(deps, tenantId, input, { principal, actor }),
  )
  handle(endpoints.cloneTemplates, ({ readTenantId, tenantId, input, principal, actor }) =>
    cloneTemplates(deps, readTenantId, tenantId, input, { principal, actor }),
  )
  handle(endpoints.cloneAllTemplates, async ({ readTenantId, tenantId, principal, actor }) => {
    const cloned = await cloneTemplates(deps, readTenantId, tenantId, { overwrite: true }, { principal, actor })
    const ids = (isFailure: boolean) =>
      cloned.templates.filter(({ outcome }) => (outcome === 'skipped') === isFailure).map(({ id }) => id)
    return { successes: ids(false), failures: ids(true) }
  })
  handle(endpoints.getTemplateContent, ({ tenantId, params }) => templates.getTemplate(deps, tenantId, params.id))
  handle(endpoints.updateTemplateContent, ({ tenantId, params, body, principal, actor }) =>
    templates.updateTemplate(deps, tenantId, params.id, body, { principal, actor }),
  )
  handle(endpoints.listTemplates, ({ tenantId, query }) => templates.listTemplates(deps, tenantId, query))
  handle(endpoints.getTemplate, ({ tenantId, params }) => templates.getTemplate(deps, tenantId, params.id))
  handle(endpoints.updateTemplate, ({ tenantId, params, body, query, principal, actor }) =>
    templates.updateTemplate(deps, tenantId, params.id, body, { principal, actor }, query),
  )
  handle(endpoints.deleteTemplate, ({ tenantId, params, actor }) =>
    templates.deleteTemplate(deps, tenantId, params.id, actor),
  )
  handle(endpoints.previewTemplate, ({ tenantId, params, body }) =>
    templates.previewTemplate(deps, tenantId, params.id, body),
  )
}
