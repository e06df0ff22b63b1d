// Stores the file that a user uploaded as a picture, because `image_uri` may also be an external address.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

const statements = (engine: EngineName) => [
  `ALTER TABLE users ADD COLUMN picture_id ${engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'}`,
  'CREATE INDEX users_picture ON users (tenant_id, picture_id) WHERE picture_id IS NOT NULL',
]

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
