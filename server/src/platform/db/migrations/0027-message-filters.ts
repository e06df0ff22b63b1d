// Indexes for the filters of the list of messages, so that a filtered list is read like the whole list, without skipping other rows. A list
// of one status, or of one channel type, merges the rows for each value of the other column. PostgreSQL blocks writes to a table while an
// index on it is built, so each of the busiest tables has a migration of its own, and statements that also block reads come last.
import type { Migration } from '../migrate.ts'

const statements = [
  'CREATE INDEX messages_user_list ON messages (tenant_id, user_id, created_at) WHERE user_id IS NOT NULL',
  'CREATE INDEX messages_to ON messages (tenant_id, recipient, created_at)',
  'CREATE INDEX messages_type_status ON messages (tenant_id, channel_type, status, created_at)',
  // Replaces messages_user_list.
  'DROP INDEX messages_user',
]

export const migration: Migration = { sqlite: statements, postgresql: statements }
