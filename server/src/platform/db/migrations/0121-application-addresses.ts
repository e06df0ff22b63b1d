// Where an application begins a sign-in, its own first page, and the token by which a client manages its registration.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

const columns = ['initiate_login_uri', 'home_uri', 'registration_token_hash']

const statements = (engine: EngineName) =>
  columns.map(
    (name) => `ALTER TABLE applications ADD COLUMN ${name} ${engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'}`,
  )

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
