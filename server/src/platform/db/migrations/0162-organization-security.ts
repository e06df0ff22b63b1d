// What an organization requires of the sessions that act for it, and an application of the sign-ins to it.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

const statements = (engine: EngineName) => [
  'ALTER TABLE organizations ADD COLUMN second_factor_required INTEGER NOT NULL DEFAULT 0',
  `ALTER TABLE organizations ADD COLUMN allowed_strategies ${engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'}
    NOT NULL DEFAULT '[]'`,
  'ALTER TABLE organizations ADD COLUMN session_maximum_lifetime INTEGER',
  'ALTER TABLE applications ADD COLUMN require_second_factor INTEGER NOT NULL DEFAULT 0',
]

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
