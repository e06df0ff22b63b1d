import type { Statement } from '../../platform/db/sql.ts'
import type { Deps } from '../deps.ts'
import type { FileId, TenantId } from '../../platform/ids.ts'
import { jobStatement } from '../../platform/jobs/jobs.ts'

export const precomputeJobKind = 'media.precompute'

/** Makes images of a new file by the transformations that its upload named, before anybody asks for them. */
export const precomputeJob = (
  { clock }: Pick<Deps, 'clock'>,
  tenantId: TenantId,
  fileId: FileId,
  transformations: readonly string[],
): Statement => jobStatement(clock, { tenantId, kind: precomputeJobKind, key: fileId, payload: { transformations } })
