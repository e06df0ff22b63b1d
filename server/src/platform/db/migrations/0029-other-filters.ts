// Indexes for the filters of lists that grow more slowly, like 0027-message-filters.ts for messages.
import type { Migration } from '../migrate.ts'

const statements = [
  'CREATE INDEX webhook_deliveries_status ON webhook_deliveries (tenant_id, webhook_id, status, created_at)',
  'CREATE INDEX webhook_deliveries_type ON webhook_deliveries (tenant_id, webhook_id, event_type, status, created_at)',
  'CREATE INDEX sign_up_attempts_user_list ON sign_up_attempts (tenant_id, user_id, created_at) WHERE user_id IS NOT NULL',
  'CREATE INDEX sign_up_attempts_status ON sign_up_attempts (tenant_id, status, created_at)',
  'CREATE INDEX media_files_mime_access ON media_files (tenant_id, mime, access, created_at)',
  // Replaces sign_up_attempts_user_list.
  'DROP INDEX sign_up_attempts_user',
]

export const migration: Migration = { sqlite: statements, postgresql: statements }
