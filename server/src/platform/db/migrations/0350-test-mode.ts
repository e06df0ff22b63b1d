// The clock of a tenant in test mode, and the messages that were caught for it.
import type { Migration } from '../migrate.ts'

const statements = [
  'ALTER TABLE tenants ADD COLUMN clock_ahead_seconds INTEGER NOT NULL DEFAULT 0',
  `CREATE INDEX messages_caught ON messages (created_at) WHERE provider = 'dev_inbox' AND sealed_content IS NOT NULL`,
]

export const migration: Migration = { sqlite: statements, postgresql: statements }
