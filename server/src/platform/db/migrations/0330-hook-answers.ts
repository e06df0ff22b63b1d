// What a hook's answers may give to a new user, and whether its calls contain passwords.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const text = engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'
  return [
    `ALTER TABLE hooks ADD COLUMN role_ids ${text} NOT NULL DEFAULT '[]'`,
    'ALTER TABLE hooks ADD COLUMN receives_passwords INTEGER NOT NULL DEFAULT 0',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
