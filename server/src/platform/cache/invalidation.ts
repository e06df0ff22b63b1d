// Tells every node which cached values are out of date: this process at commit, others by NOTIFY or, if a NOTIFY is lost, by their poll
// within a second.
import type { Transaction } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { TenantId, UserId } from '../ids.ts'
import type { Memory, TenantMemory, UserMemory } from './memory.ts'

export const invalidationChannel = 'bailiwick_tenants'

const separator = ' '

/** Belongs in the transaction that changes the tenant, its configuration, its domains or its keys. */
export async function invalidateTenant(tx: Transaction, tenants: Pick<TenantMemory, 'invalidate'>, tenantId: TenantId) {
  tx.afterCommit(() => tenants.invalidate(tenantId))
  if (tx.engine === 'sqlite') return
  await tx.run(sql`INSERT INTO cache_invalidations (tenant_id) VALUES (${tenantId})`)
  await tx.all(sql`SELECT pg_notify(${invalidationChannel}, ${tenantId})`)
}

/** Belongs in the transaction that ends a user's sessions, or changes the user's status or memberships. */
export async function invalidateUser(
  tx: Transaction,
  sessions: Pick<UserMemory, 'invalidateUser'>,
  tenantId: TenantId,
  userId: UserId,
): Promise<void> {
  tx.afterCommit(() => sessions.invalidateUser(tenantId, userId))
  if (tx.engine === 'sqlite') return
  await tx.run(sql`INSERT INTO cache_invalidations (tenant_id, user_id) VALUES (${tenantId}, ${userId})`)
  await tx.all(sql`SELECT pg_notify(${invalidationChannel}, ${`${tenantId}${separator}${userId}`})`)
}

/** Forgets what another node has changed, as described by the feed's rows and notifications. */
export function forget({ tenants, sessions }: Memory, tenantId: string, userId: string | null) {
  if (userId === null) tenants.invalidate(tenantId)
  else sessions.invalidateUser(tenantId, userId)
}

export function forgetNotified(memory: Memory, payload: string) {
  const end = payload.indexOf(separator)
  if (end === -1) forget(memory, payload, null)
  else forget(memory, payload.slice(0, end), payload.slice(end + separator.length))
}

export function forgetAll({ tenants, sessions }: Memory) {
  tenants.clear()
  sessions.clear()
}
