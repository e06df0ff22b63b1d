import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Fragment, sql } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'

type Kind = 'id' | 'email' | 'username' | 'phone'

/** For each kind of key: the ids of users by their keys. */
export type KnownKeys = Readonly<Record<Kind, ReadonlyMap<string, string>>>

const places: Readonly<Record<Kind, { table: Fragment; key: Fragment; userId: Fragment }>> = {
  id: { table: sql`users`, key: sql`id`, userId: sql`id` },
  email: { table: sql`email_addresses`, key: sql`email_key`, userId: sql`user_id` },
  username: { table: sql`users`, key: sql`username_key`, userId: sql`id` },
  phone: { table: sql`phone_numbers`, key: sql`phone`, userId: sql`user_id` },
}

/** Pads lists to a few lengths, which make few different statements, by repeating the first key. */
function padded(keys: readonly string[]): string[] {
  let length = 1
  while (length < keys.length) length *= 2
  return Array.from({ length }, (_, index) => keys[index] ?? keys[0] ?? '')
}

const listed = (keys: readonly string[]) => sql.list(padded(keys))

async function selectKnown(db: Reader, tenantId: TenantId, kind: Kind, keys: readonly string[]) {
  if (keys.length === 0) return new Map<string, string>()
  const { table, key, userId } = places[kind]
  const rows = await db.all<{ key: string; id: string }>(sql`SELECT ${key} AS key, ${userId} AS id FROM ${table}
    WHERE tenant_id = ${tenantId} AND ${key} IN (${listed(keys)}) LIMIT ${keys.length}`)
  return new Map(rows.map((row) => [row.key, row.id]))
}

/**
 * Returns which of these keys users of the tenant have. The keys that identify a line's user, id and address, are looked for last: if that
 * user were created between the two steps, the username would otherwise be found to belong to somebody else.
 */
export async function selectKnownKeys(
  db: Reader,
  tenantId: TenantId,
  keys: Readonly<Record<Kind, readonly string[]>>,
): Promise<KnownKeys> {
  const [username, phone] = await Promise.all([
    selectKnown(db, tenantId, 'username', keys.username),
    selectKnown(db, tenantId, 'phone', keys.phone),
  ])
  const [id, email] = await Promise.all([
    selectKnown(db, tenantId, 'id', keys.id),
    selectKnown(db, tenantId, 'email', keys.email),
  ])
  return { id, email, username, phone }
}

/** Returns those of the times at which a user of the tenant was created. */
export async function selectTakenTimes(db: Reader, tenantId: TenantId, times: readonly Timestamp[]) {
  const rows = await db.all<{ created_at: Timestamp }>(sql`SELECT created_at FROM users
    WHERE tenant_id = ${tenantId} AND created_at IN (${listed(times)}) LIMIT ${times.length}`)
  return new Set(rows.map((row) => row.created_at))
}
