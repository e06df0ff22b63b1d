// Wrong codes of a second factor are counted apart from wrong passwords: those who guess at one do not use up the other.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

const statements = (engine: EngineName) => [
  'ALTER TABLE guesses ADD COLUMN second_failures INTEGER NOT NULL DEFAULT 0',
  `ALTER TABLE guesses ADD COLUMN second_blocked_until ${engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'} NOT NULL DEFAULT ''`,
]

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
