// Which due jobs a node takes: the oldest, within each tenant's share, and at most one whose last run ended without a result.
import type { Timestamp } from '../clock.ts'
import type { Transaction } from '../db/database.ts'
import type { TenantId } from '../ids.ts'
import * as queries from './queries.ts'

export interface Room {
  /** How many jobs may be taken. */
  readonly places: number
  readonly perTenantMax: number
  /** How many jobs of each tenant are running. */
  readonly byTenant: ReadonlyMap<TenantId, number>
  readonly withSuspects: boolean
}

export interface Terms {
  readonly lease: string
  readonly now: Timestamp
  readonly until: Timestamp
}

/** Leases jobs up to the available places and each tenant's share. `hasLeft` says whether some may have been left behind. */
export async function leaseJobs(
  tx: Transaction,
  { lease, now, until }: Terms,
  room: Room,
): Promise<{ jobs: readonly queries.JobRow[]; hasLeft: boolean }> {
  const jobs: queries.JobRow[] = []
  const byTenant = new Map(room.byTenant)
  const isFull = (id: TenantId) => (byTenant.get(id) ?? 0) >= room.perTenantMax
  let { withSuspects } = room
  for (;;) {
    let skipsSuspects = false
    const full = [...byTenant.keys()].filter(isFull)
    const due = await queries.selectDueForClaim(tx, now, room.places - jobs.length, { without: full, withSuspects })
    for (const job of due) {
      const isSuspect = queries.lostRunsOf(job) > 0
      if (isSuspect && !withSuspects) skipsSuspects = true
      if (isFull(job.tenant_id) || (isSuspect && !withSuspects)) continue
      if ((await tx.run(queries.leaseJob(job, lease, now, until))) === 0) continue
      if (isSuspect) withSuspects = false
      jobs.push(job)
      byTenant.set(job.tenant_id, (byTenant.get(job.tenant_id) ?? 0) + 1)
    }
    const fullNow = [...byTenant.keys()].filter(isFull).length
    // Jobs that were skipped are suspects or belong to tenants whose share is full; the next round leaves these out.
    const isSame = fullNow === full.length && !skipsSuspects
    if (due.length === 0 || jobs.length === room.places || isSame) {
      return { jobs, hasLeft: jobs.length === room.places || fullNow > 0 || !withSuspects }
    }
  }
}
