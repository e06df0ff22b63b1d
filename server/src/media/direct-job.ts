import type { Statement } from '../platform/db/sql.ts'
import type { Deps } from './deps.ts'
import type { FileId, TenantId } from '../platform/ids.ts'
import { jobStatement } from '../platform/jobs/jobs.ts'

export const completeDirectJobKind = 'media.complete-direct'

/** Notices when the bytes have come to where a stranger may send them. */
export const completeDirectJob = ({ clock }: Pick<Deps, 'clock'>, tenantId: TenantId, id: FileId): Statement =>
  jobStatement(clock, { tenantId, kind: completeDirectJobKind, key: id })
