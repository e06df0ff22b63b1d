// The file that a user has sent as picture: `image_uri` may as well be an address elsewhere.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

const statements = (engine: EngineName) => [
  `ALTER TABLE users ADD COLUMN picture_id ${engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'}`,
  'CREATE INDEX users_picture ON users (tenant_id, picture_id) WHERE picture_id IS NOT NULL',
]

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
