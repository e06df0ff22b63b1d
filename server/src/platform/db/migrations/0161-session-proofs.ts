// How and when the user of a session has proven who it is, and attempts that renew this proof. A session from before has none recorded.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

const columns = [
  ['sessions', 'auth_time'],
  ['sessions', 'second_factor_at'],
  ['sessions', 'factors'],
  ['sign_in_attempts', 'session_id'],
  ['sign_in_attempts', 'level'],
]

const statements = (engine: EngineName) =>
  columns.map(
    ([table, name]) =>
      `ALTER TABLE ${table} ADD COLUMN ${name} ${engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'}`,
  )

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
