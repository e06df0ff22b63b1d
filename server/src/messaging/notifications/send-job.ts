import type { Clock } from '../../platform/clock.ts'
import type { Statement } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'
import { jobStatement } from '../../platform/jobs/jobs.ts'

export const sendJobKind = 'messages.send'

/** One job for all that waits in a lane: a channel that hangs holds up few of its tenant's messages and nobody else's. */
export const sendJob = (clock: Clock, tenantId: TenantId, lane: string): Statement =>
  jobStatement(clock, { tenantId, kind: sendJobKind, key: lane })
