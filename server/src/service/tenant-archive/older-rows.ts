// An archive of an earlier version contains rows that later migrations have not changed. Their changes are made to the rows of the one
// tenant, once all of them are here.
import type { Reader } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'

const batch = 200

type Retold = (db: Reader, tenantId: string) => AsyncGenerator<Statement>

const holders = ['passwords', 'social_connections'] as const

/** As in the migration: addresses of accounts whose holder has not proven to own any. */
async function* claimedContacts(db: Reader, tenantId: string): AsyncGenerator<Statement> {
  for (const holder of holders) {
    let after = ''
    for (;;) {
      const rows = await db.all<{ user_id: string }>(sql`SELECT DISTINCT user_id FROM ${sql.identifier(holder)}
        WHERE tenant_id = ${tenantId} AND is_unproven = 1 AND user_id > ${after} ORDER BY user_id LIMIT ${batch}`)
      const last = rows.at(-1)?.user_id
      if (last === undefined) break
      const users = sql.list(rows.map((row) => row.user_id))
      for (const contacts of ['email_addresses', 'phone_numbers']) {
        yield sql`UPDATE ${sql.identifier(contacts)} SET is_claimed = 1
          WHERE tenant_id = ${tenantId} AND user_id IN (${users}) AND verified_at IS NULL`
      }
      after = last
    }
  }
}

const defaultAdmin = '["org:manage","org:delete","org:members:manage","org:invitations:manage","org:domains:manage"]'
const completedAdmin = `["org:read",${defaultAdmin.slice(1)}`
const defaultMember = '["org:read"]'

/** As in the migration: the default role `admin` gets the permissions of the default role `member`, if both are unchanged. */
async function* completedDefaultRoles(_db: Reader, tenantId: string): AsyncGenerator<Statement> {
  yield sql`UPDATE roles SET permissions = ${completedAdmin}
    WHERE tenant_id = ${tenantId} AND name_key = 'admin' AND permissions = ${defaultAdmin} AND EXISTS (
      SELECT 1 FROM roles AS other WHERE other.tenant_id = ${tenantId} AND other.name_key = 'member'
        AND other.permissions = ${defaultMember})`
}

/** By the migration that changed rows which an export contains. */
export const retold: ReadonlyMap<string, Retold> = new Map([
  ['0019-claimed-contacts', claimedContacts],
  ['0024-send-limits', completedDefaultRoles],
])

/** Returns the changes to make to the tenant's rows if `schema` is the last migration of the archive. */
export async function* retellingSince(db: Reader, tenantId: string, schema: string): AsyncGenerator<Statement> {
  for (const [migration, statements] of retold) if (schema < migration) yield* statements(db, tenantId)
}
