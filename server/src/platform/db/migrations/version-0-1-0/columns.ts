// What the columns and references of many tables have in common.
import type { EngineName } from '../../database.ts'

/** Free text, which PostgreSQL compares by bytes, as SQLite does. */
export function textOf(engine: EngineName) {
  const text = engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'
  return { text, required: `${text} NOT NULL` }
}

export const flag = 'INTEGER NOT NULL DEFAULT 0'
export const ofTenant = 'FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE'
export const ofUser = 'FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE'
