// The only place where a row of the log becomes an Event. Personal data is opened as long as the person exists.
import type { Event } from '@bailiwick/contract'
import type { PersonalSealer } from '../crypto/personal.ts'
import type { Reader } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { TenantId } from '../ids.ts'
import { fromJson } from '../json-text.ts'
import type { ShownEvent } from './feed.ts'
import { selectEventsAt } from './seal-queries.ts'

const ownerOf = (row: ShownEvent) => row.personal_user_id ?? (row.subject_type === 'user' ? row.subject_id : null)

/** Returns the salts that seal these users' personal data, by user id. Erased users are missing. */
export async function selectSalts(
  db: Reader,
  tenantId: TenantId,
  userIds: readonly string[],
): Promise<Map<string, string>> {
  if (userIds.length === 0) return new Map()
  const rows = await db.all<{ id: string; personal_salt: string }>(
    sql`SELECT id, personal_salt FROM users WHERE tenant_id = ${tenantId} AND id IN (${sql.list(userIds)}) LIMIT ${userIds.length}`,
  )
  return new Map(rows.map((row) => [row.id, row.personal_salt]))
}

/** Returns null for data that cannot be opened, because the person or the key that sealed it is gone. */
function openPersonal(personal: PersonalSealer, row: ShownEvent, salt: string | undefined): unknown {
  if (row.personal === null || salt === undefined) return null
  try {
    return JSON.parse(personal.open(salt, row.id, row.personal)) as unknown
  } catch {
    return null
  }
}

function presentEvent(personal: PersonalSealer, row: ShownEvent, salt: string | undefined): Event {
  const data = fromJson(row.data)
  return {
    id: row.id,
    tenantId: row.tenant_id,
    type: row.type,
    actor: { type: row.actor_type, id: row.actor_id },
    subject: { type: row.subject_type, id: row.subject_id },
    data: row.personal === null ? data : { ...data, personal: openPersonal(personal, row, salt) },
    ip: row.ip,
    ua: row.ua,
    createdAt: row.created_at,
  }
}

/** Returns events of one tenant, in the order of the rows. */
export async function presentEvents(
  { db, personal }: { readonly db: Reader; readonly personal: PersonalSealer },
  tenantId: TenantId,
  rows: readonly ShownEvent[],
): Promise<Event[]> {
  const owners = rows.flatMap((row) => (row.personal === null ? [] : [ownerOf(row)]))
  const salts = await selectSalts(
    db,
    tenantId,
    [...new Set(owners)].filter((id) => id !== null),
  )
  return rows.map((row) => presentEvent(personal, row, salts.get(ownerOf(row) ?? '')))
}

/** The id and tenant of an event, and its position in the log. */
export interface EventPlace {
  readonly tenantId: TenantId
  readonly id: string
  readonly position: number
}

/** Returns the event, or undefined if it is no longer in the log. */
export async function findEvent(
  deps: { readonly db: Reader; readonly personal: PersonalSealer },
  { tenantId, id, position }: EventPlace,
): Promise<Event | undefined> {
  const [row] = await selectEventsAt(deps.db, [position])
  if (row === undefined || row.tenant_id !== tenantId || row.id !== id) return undefined
  const [event] = await presentEvents(deps, tenantId, [row])
  return event
}
