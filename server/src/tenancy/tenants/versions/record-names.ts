// What people call the records that the log names by their ids: users, keys, organizations and the like, as they are called now.
import type { Database } from '../../../platform/db/database.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { TenantId } from '../../../platform/ids.ts'
import { getConsoleTenantId } from '../console-tenant.ts'

/** The table of each kind of record that has a name, and the column of the name. */
const tables: Readonly<Record<string, readonly [table: string, column: string]>> = {
  api_key: ['api_keys', 'name'],
  application: ['applications', 'name'],
  channel: ['channels', 'name'],
  custom_provider: ['custom_providers', 'name'],
  domain: ['domains', 'name'],
  email_address: ['email_addresses', 'email'],
  organization: ['organizations', 'name'],
  organization_domain: ['organization_domains', 'name'],
  organization_group: ['organization_groups', 'name'],
  organization_role: ['roles', 'name'],
  phone_number: ['phone_numbers', 'phone'],
  resource: ['resources', 'name'],
  role: ['roles', 'name'],
  template: ['templates', 'name'],
  transformation: ['transformations', 'name'],
}

/** A record as the log names it. */
export interface NamedRecord {
  readonly type: string
  readonly id: string | null
}

interface NameRow {
  readonly id: string
  readonly name: string | null
}

const selectUserNames = (db: Database, tenantId: TenantId, ids: readonly string[]) =>
  db.all<NameRow>(sql`SELECT users.id AS id, COALESCE(users.name, users.username, email_addresses.email) AS name FROM users
    LEFT JOIN email_addresses ON email_addresses.tenant_id = users.tenant_id AND email_addresses.id = users.primary_email_id
    WHERE users.tenant_id = ${tenantId} AND users.id IN (${sql.list(ids)}) LIMIT ${ids.length}`)

async function selectNames(db: Database, tenantId: TenantId, type: string, ids: readonly string[]) {
  if (type === 'user') return selectUserNames(db, tenantId, ids)
  if (type === 'console_user') return selectUserNames(db, await getConsoleTenantId(db), ids)
  const [table, column] = tables[type] ?? []
  if (table === undefined || column === undefined) return []
  return db.all<NameRow>(sql`SELECT id, ${sql.identifier(column)} AS name FROM ${sql.identifier(table)}
    WHERE tenant_id = ${tenantId} AND id IN (${sql.list(ids)}) LIMIT ${ids.length}`)
}

/**
 * Reads the names of records of a tenant, and of the administrators who have acted there: one statement for each kind.
 * @returns a function that gives the name of a record; null if it has none, or no longer exists.
 */
export async function readNames(
  db: Database,
  tenantId: TenantId,
  records: readonly NamedRecord[],
): Promise<(record: NamedRecord) => string | null> {
  const names = new Map<string, string | null>()
  const kinds = Map.groupBy(
    records.filter(({ id }) => id !== null),
    ({ type }) => type,
  )
  for (const [type, ofKind] of kinds) {
    const ids = [...new Set(ofKind.flatMap(({ id }) => id ?? []))]
    for (const { id, name } of await selectNames(db, tenantId, type, ids)) names.set(`${type} ${id}`, name)
  }
  return ({ type, id }) => names.get(`${type} ${id}`) ?? null
}
