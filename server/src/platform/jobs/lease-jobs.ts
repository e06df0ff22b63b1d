// Which due jobs a node takes: the oldest, within each tenant's share, and at most one whose last run ended without a result.
import type { Timestamp } from '../clock.ts'
import { isSharded } from '../db/citus/is-sharded.ts'
import type { Database, Reader } from '../db/database.ts'
import type { Statement } from '../db/sql.ts'
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

interface Leased {
  readonly jobs: readonly queries.JobRow[]
  /** Whether some may have been left behind. */
  readonly hasLeft: boolean
}

interface Table extends Reader {
  /** Whether it locks the rows that it reads. */
  readonly locks: boolean
  readonly run: (statement: Statement) => Promise<number>
}

/**
 * Leases jobs up to the available places and each tenant's share. On a sharded database, due jobs are looked for on all shards, which locks
 * nothing, and each is leased by a write of its own: of nodes that have found the same job, the first one gets it.
 */
export async function leaseJobs(db: Database, terms: () => Terms, room: Room): Promise<Leased> {
  if (await isSharded(db)) {
    const run = (statement: Statement) => db.write(() => [statement])
    return leaseFrom({ all: (each) => db.all(each), first: (each) => db.first(each), locks: false, run }, terms(), room)
  }
  const locks = db.engine === 'postgresql'
  return db.transaction((tx) =>
    leaseFrom(
      { all: (each) => tx.all(each), first: (each) => tx.first(each), locks, run: (each) => tx.run(each) },
      terms(),
      room,
    ),
  )
}

async function leaseFrom(table: Table, { lease, now, until }: Terms, room: Room): Promise<Leased> {
  const jobs: queries.JobRow[] = []
  const byTenant = new Map(room.byTenant)
  const isFull = (id: TenantId) => (byTenant.get(id) ?? 0) >= room.perTenantMax
  let { withSuspects } = room
  for (;;) {
    let skipsSuspects = false
    const full = [...byTenant.keys()].filter(isFull)
    const due = await queries.selectDueForClaim(table, now, room.places - jobs.length, {
      without: full,
      withSuspects,
      locks: table.locks,
    })
    for (const job of due) {
      const isSuspect = queries.lostRunsOf(job) > 0
      if (isSuspect && !withSuspects) skipsSuspects = true
      if (isFull(job.tenant_id) || (isSuspect && !withSuspects)) continue
      if ((await table.run(queries.leaseJob(job, lease, now, until))) === 0) continue
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
