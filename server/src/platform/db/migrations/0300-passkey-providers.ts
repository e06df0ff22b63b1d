// What made a passkey, and whether it also is a second factor or only signs its user in.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

const statements = (engine: EngineName) => [
  `ALTER TABLE passkeys ADD COLUMN aaguid ${engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'}`,
  'ALTER TABLE passkeys ADD COLUMN is_second_factor INTEGER NOT NULL DEFAULT 1',
]

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
