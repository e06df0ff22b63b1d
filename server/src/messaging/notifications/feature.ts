import type { Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { emptyInboxes } from './inbox/inbox.ts'
import { messageRoutes } from './message-routes.ts'
import { removeOldMessages } from './messages/old-messages.ts'
import { sendJobKind } from './messages/queue-message.ts'
import { notificationRoutes } from './routes.ts'
import { sendHandler } from './sending/send-messages.ts'
import { channels, messages, templates, tenantLimits, trustedTenants } from './tables.ts'
import { defaultTemplates } from './templates/default-templates.ts'

export const feature: Feature<Deps> = {
  name: 'messaging/notifications',
  tables: [templates, channels, tenantLimits, trustedTenants, messages],
  management(management, deps) {
    notificationRoutes(management, deps)
    messageRoutes(management, deps)
  },
  jobs: (deps) => ({ [sendJobKind]: sendHandler(deps) }),
  loops: (deps) => [
    { name: 'old messages', pauseMs: 10 * 60_000, step: () => removeOldMessages(deps) },
    { name: 'inboxes', pauseMs: 10 * 60_000, step: () => emptyInboxes(deps) },
  ],
  newTenant: (deps, { tenantId }) => defaultTemplates(deps, tenantId),
}
