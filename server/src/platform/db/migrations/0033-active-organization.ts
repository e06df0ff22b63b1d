// The organization that a session acts for. It refers to nothing: the membership decides each time whether it counts.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

const statements = (engine: EngineName) => [
  `ALTER TABLE sessions ADD COLUMN organization_id ${engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'}`,
]

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
