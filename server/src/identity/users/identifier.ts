// What a person types to identify themselves, i.e. an e-mail address, a phone number or a username, and the user it belongs to.
import { canonicalPhone, emailKey, isEmail, isPhone, isUsername, usernameKey } from '@bailiwick/contract'
import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'

export type IdentifierKind = 'email' | 'phone' | 'username'

export interface Identifier {
  readonly kind: IdentifierKind
  /** The form in which it is looked for. */
  readonly key: string
}

/** Text that is none of the three counts as a username that nobody has. */
export function parseIdentifier(text: string): Identifier {
  const trimmed = text.trim()
  if (isEmail(trimmed)) return { kind: 'email', key: emailKey(trimmed) }
  if (isPhone(trimmed)) return { kind: 'phone', key: canonicalPhone(trimmed) }
  return { kind: 'username', key: isUsername(trimmed) ? usernameKey(trimmed) : '' }
}

/** The user who has an identifier, and the address or number itself if it is one. */
export interface Identified {
  readonly userId: UserId
  readonly contact: { readonly id: string; readonly value: string; readonly verified_at: Timestamp | null } | undefined
}

interface ContactRow {
  readonly user_id: UserId
  readonly id: string
  readonly value: string
  readonly verified_at: Timestamp | null
}

const selectContact = (db: Reader, tenantId: TenantId, { kind, key }: Identifier) =>
  db.first<ContactRow>(
    kind === 'email'
      ? sql`SELECT user_id, id, email AS value, verified_at FROM email_addresses
          WHERE tenant_id = ${tenantId} AND email_key = ${key}`
      : sql`SELECT user_id, id, phone AS value, verified_at FROM phone_numbers
          WHERE tenant_id = ${tenantId} AND phone = ${key}`,
  )

const selectUserIdByUsername = (db: Reader, tenantId: TenantId, key: string) =>
  db.first<{ id: UserId }>(sql`SELECT id FROM users WHERE tenant_id = ${tenantId} AND username_key = ${key}`)

export async function findIdentified(
  db: Reader,
  tenantId: TenantId,
  identifier: Identifier,
): Promise<Identified | undefined> {
  if (identifier.kind === 'username') {
    const row = identifier.key === '' ? undefined : await selectUserIdByUsername(db, tenantId, identifier.key)
    return row && { userId: row.id, contact: undefined }
  }
  const row = await selectContact(db, tenantId, identifier)
  return row && { userId: row.user_id, contact: row }
}
