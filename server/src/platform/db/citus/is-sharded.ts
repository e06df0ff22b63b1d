// Whether a database is spread over several servers by the extension Citus.
import type { Database } from '../database.ts'
import { sql } from '../sql.ts'

const known = new WeakMap<Database, Promise<boolean>>()

/** Asks the database once; the extension is there before a node starts, or never. */
export async function isSharded(db: Database): Promise<boolean> {
  if (db.engine === 'sqlite') return false
  let found = known.get(db)
  if (found === undefined) {
    found = db
      .all(sql`SELECT 1 AS one FROM pg_extension WHERE extname = 'citus' LIMIT 1`)
      .then((rows) => rows.length > 0)
    known.set(db, found)
    found.catch(() => known.delete(db))
  }
  return found
}
