// Messages are stored for thirty days, their variables only as long as they are valid, and an erased user's messages not at all.
import { addMilliseconds } from '../../../platform/clock.ts'
import { addToCounters } from '../../../platform/db/counters.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import type { TenantId } from '../../../platform/ids.ts'
import type { Deps } from '../../deps.ts'
import * as queries from '../message-queries.ts'

const keptMs = 30 * 24 * 60 * 60 * 1000
const atOnce = 1000

const byTenant = (rows: readonly Pick<queries.MessageRow, 'tenant_id' | 'id'>[]) =>
  [...Map.groupBy(rows, (row) => row.tenant_id)].map(([tenantId, own]) => ({ tenantId, ids: own.map(({ id }) => id) }))

/**
 * Removes messages older than thirty days and clears the variables of expired ones, a thousand at a time.
 * @returns whether there are more.
 */
export async function removeOldMessages({ db, clock }: Deps): Promise<boolean> {
  const now = clock.now()
  const over = await queries.selectOverVariables(db, now, atOnce)
  for (const { tenantId, ids } of byTenant(over)) await db.write(() => [queries.forgetVariables(tenantId, ids)])
  const old = await queries.selectOldMessages(db, addMilliseconds(now, -keptMs), atOnce)
  for (const { tenantId, ids } of byTenant(old)) {
    await db.transaction(async (tx) => {
      const removed = await tx.run(queries.deleteMessages(tenantId, ids))
      if (removed > 0) await tx.run(addToCounters(tx, tenantId, { messages: -removed }))
    })
  }
  return old.length === atOnce || over.length === atOnce
}

/** For the transaction that erases the user. */
export async function eraseMessagesOf(tx: Transaction, tenantId: TenantId, userId: string): Promise<void> {
  const removed = await tx.run(queries.deleteMessagesOfUser(tenantId, userId))
  if (removed > 0) await tx.run(addToCounters(tx, tenantId, { messages: -removed }))
}
