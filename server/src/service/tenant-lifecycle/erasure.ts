// Deleted tenants are kept for 30 days and then erased, row by row in the background, as is what an unfinished import left.
import type { Deps } from '../../identity/deps.ts'
import { removeMediaOf } from '../../media/remove-bytes.ts'
import { invalidateTenant } from '../../platform/cache/invalidation.ts'
import { addMilliseconds, type Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { getConsoleTenantId } from '../../tenancy/tenants/console-tenant.ts'
import type { TenantRow } from '../../tenancy/tenants/find-tenant.ts'
import { restorableMs } from '../../tenancy/tenants/lifecycle.ts'
import { tenants as tenantRows } from '../../tenancy/tenants/tables.ts'
import { eraseSomeRows } from '../tenant-tables/erase-rows.ts'

const hourMs = 60 * 60 * 1000
/** The clocks of nodes differ: nobody may restore a tenant that another node has begun to erase. */
const marginMs = hourMs
/** A running import updates its row far more often. */
const abandonedMs = 24 * hourMs
const actor = { type: 'system', id: null, ip: null, ua: null } as const

const selectErasable = (db: Reader, deletedBefore: Timestamp, abandonedBefore: Timestamp) =>
  tenantRows.first(db)`deleted_at IS NOT NULL AND ((kind = 'tenant' AND deleted_at <= ${deletedBefore})
    OR (kind = 'importing' AND deleted_at <= ${abandonedBefore})) ORDER BY deleted_at LIMIT 1`

/** Removes the last row. The event is recorded in the console's log, because the tenant's own is gone. */
async function eraseTenantRow(deps: Deps, { id, kind }: TenantRow, deletedAt: Timestamp) {
  const { db, clock, personal, tenants } = deps
  const consoleTenantId = await getConsoleTenantId(db)
  await db.transaction(async (tx) => {
    const erased = await tx.run(sql`DELETE FROM tenants WHERE id = ${id} AND deleted_at = ${deletedAt}`)
    // Another node was faster.
    if (erased === 0) return
    await tx.run(
      eventStatement(clock, personal, {
        tenantId: consoleTenantId,
        type: 'tenant.erased',
        actor,
        subjectId: id,
        data: { deletedAt, wasUnfinishedImport: kind === 'importing' },
      }),
    )
    await invalidateTenant(tx, tenants, id)
  })
}

/** Does one bounded piece of work; returns whether there is more. */
export async function eraseDeletedTenants(deps: Deps): Promise<boolean> {
  const { db, clock } = deps
  const now = clock.now()
  const row = await selectErasable(
    db,
    addMilliseconds(now, -restorableMs - marginMs),
    addMilliseconds(now, -abandonedMs),
  )
  if (row === undefined || row.deleted_at === null) return false
  if ((await eraseSomeRows(db, row.id)) > 0) return true
  // The last row stays until the storage has removed the files, so that this is tried again.
  await removeMediaOf(deps, row.id)
  await eraseTenantRow(deps, row, row.deleted_at)
  return true
}
