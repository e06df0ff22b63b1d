import type { Clock } from '../../platform/clock.ts'
import type { Statement } from '../../platform/db/sql.ts'
import type { TenantId, WebhookId } from '../../platform/ids.ts'
import { jobStatement } from '../../platform/jobs/jobs.ts'

export const deliverJobKind = 'webhooks.deliver'

/**
 * One job for all that a webhook has to deliver: its lease is what keeps an endpoint to five requests at a time however many
 * nodes there are, and an endpoint that hangs holds up none but itself.
 */
export const deliverJob = (clock: Clock, tenantId: TenantId, webhookId: WebhookId): Statement =>
  jobStatement(clock, { tenantId, kind: deliverJobKind, key: webhookId })
