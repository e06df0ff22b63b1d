import type { Config } from '../../platform/config.ts'
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { type EventLogReport, verifyEventLog } from '../../platform/events/verify.ts'
import type { TenantId } from '../../platform/ids.ts'
import { reading } from '../open-deployment.ts'
import { type Outcome, exitStatus } from '../outcome.ts'
import { getNamedTenant } from './terminal/named-tenant.ts'

const batch = 200

/** Selects the tenants with sealed events, including the console's own and erased ones: their events are checked as long as they exist. */
export async function* tenantsWithSeals(db: Reader): AsyncGenerator<TenantId> {
  let after = ''
  for (;;) {
    const rows = await db.all<{ tenant_id: TenantId }>(
      sql`SELECT tenant_id FROM event_checkpoints WHERE tenant_id > ${after} ORDER BY tenant_id LIMIT ${batch}`,
    )
    for (const row of rows) yield row.tenant_id
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.tenant_id
  }
}

type Checked = EventLogReport & { readonly tenantId: TenantId }

function textOf({ tenantId, sealed, problems: [first], problems }: Checked): string {
  if (first === undefined) return `${tenantId}: ${sealed} events, whole`
  const place = first.sequence === null ? '' : ` at event ${first.sequence}`
  const id = first.eventId === null ? '' : ` (${first.eventId})`
  return `${tenantId}: broken: ${first.kind}${place}${id}, ${problems.length === 1 ? 'nothing else' : `${problems.length} in all`}`
}

/** @param tenant its id or slug; all tenants unless given. */
export const verifyLog = (config: Config, tenant: string | undefined): Promise<Outcome> =>
  reading(config, async (deps) => {
    const ids = tenant === undefined ? tenantsWithSeals(deps.db) : [(await getNamedTenant(deps.db, tenant)).id]
    const broken: Checked[] = []
    let tenants = 0
    let events = 0
    let removed = 0
    for await (const tenantId of ids) {
      const report = { tenantId, ...(await verifyEventLog(deps, tenantId)) }
      tenants++
      events += report.sealed
      removed += report.removed
      if (report.problems.length > 0) broken.push(report)
    }
    const state = broken.length === 0 ? 'whole' : `${broken.length} broken`
    const before = removed === 0 ? '' : ` after ${removed} that were removed because of their age`
    const summary = `${tenants} tenants, ${events} sealed events${before}: ${state}`
    return {
      text: [...broken.map(textOf), summary].join('\n'),
      json: { tenants, events, removed, broken },
      status: broken.length === 0 ? exitStatus.ok : exitStatus.problems,
    }
  })
