// By which channel the present password was chosen, so that a code to the same channel does not count as a second factor beside it.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

const statements = (engine: EngineName) => [
  `ALTER TABLE passwords ADD COLUMN reset_by ${engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'}`,
]

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
