// An archive of an earlier version contains rows that later migrations have not changed. Their changes are made to the rows of the one
// tenant, once all of them are here.
import type { Reader } from '../../platform/db/database.ts'
import type { Statement } from '../../platform/db/sql.ts'

type Retold = (db: Reader, tenantId: string) => AsyncGenerator<Statement>

/** By the migration that changed rows which an export contains. None has since version 0.1.0, the first that exported. */
export const retold: ReadonlyMap<string, Retold> = new Map()

/** Returns the changes to make to the tenant's rows if `schema` is the last migration of the archive. */
export async function* retellingSince(db: Reader, tenantId: string, schema: string): AsyncGenerator<Statement> {
  for (const [migration, statements] of retold) if (schema < migration) yield* statements(db, tenantId)
}
