// Counts wrong second-factor codes apart from wrong passwords, so that guessing at one does not use up the tries of the other.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

const statements = (engine: EngineName) => [
  'ALTER TABLE guesses ADD COLUMN second_failures INTEGER NOT NULL DEFAULT 0',
  `ALTER TABLE guesses ADD COLUMN second_blocked_until ${engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'} NOT NULL DEFAULT ''`,
]

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
