// Indexes for the filters of the list of messages: a list that is narrowed is read like the whole list, without passing over other rows.
// A list of one status, or of one type of channels, is merged of the rows of each of the other's values. PostgreSQL lets nobody write to a
// table while an index on it is built, so each of the busiest tables has a migration of its own, and what lets nobody read comes last.
import type { Migration } from '../migrate.ts'

const statements = [
  'CREATE INDEX messages_user_list ON messages (tenant_id, user_id, created_at) WHERE user_id IS NOT NULL',
  'CREATE INDEX messages_to ON messages (tenant_id, recipient, created_at)',
  'CREATE INDEX messages_type_status ON messages (tenant_id, channel_type, status, created_at)',
  // messages_user_list does what it did.
  'DROP INDEX messages_user',
]

export const migration: Migration = { sqlite: statements, postgresql: statements }
