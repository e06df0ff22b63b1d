// Stores when the first factor of a sign-in was proven, because a password that was replaced after that proves nothing any more.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

const statements = (engine: EngineName) => [
  `ALTER TABLE sign_in_attempts ADD COLUMN first_factor_at ${engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'}`,
  `UPDATE sign_in_attempts SET first_factor_at = updated_at WHERE status = 'needs_factor_two'`,
]

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
