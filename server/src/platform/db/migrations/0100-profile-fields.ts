// Where and in which language a user reads, the parts of the user's name, and a sentence about an organization.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

const added = {
  users: ['first_name', 'last_name', 'timezone', 'locale'],
  organizations: ['description'],
}

const statements = (engine: EngineName) =>
  Object.entries(added).flatMap(([table, columns]) =>
    columns.map(
      (column) => `ALTER TABLE ${table} ADD COLUMN ${column} ${engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'}`,
    ),
  )

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
