// When a code of a user's set of recovery codes was last used.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

const statements = (engine: EngineName) => [
  `ALTER TABLE recovery_codes ADD COLUMN last_used_at ${engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'}`,
]

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
