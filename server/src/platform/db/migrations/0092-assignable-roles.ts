// Who may give a role to members of an organization. A role that existed before can be given by members whose own role covers it, as before.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

const statements = (engine: EngineName) => [
  `ALTER TABLE roles ADD COLUMN assignable_by ${engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'}
    NOT NULL DEFAULT 'covering_role'`,
]

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
