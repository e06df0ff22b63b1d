// Indexes for the filters of lists: a list that is narrowed to one value is read like the whole list, without passing over other rows.
import type { Migration } from '../migrate.ts'

const attempts = ['sign_in_attempts', 'sign_up_attempts']

const statements = [
  'DROP INDEX messages_user',
  'CREATE INDEX messages_user ON messages (tenant_id, user_id, created_at) WHERE user_id IS NOT NULL',
  'CREATE INDEX messages_to ON messages (tenant_id, recipient, created_at)',
  'CREATE INDEX messages_status ON messages (tenant_id, status, created_at)',
  'CREATE INDEX messages_channel_type ON messages (tenant_id, channel_type, created_at)',
  'CREATE INDEX webhook_deliveries_status ON webhook_deliveries (tenant_id, webhook_id, status, created_at)',
  'CREATE INDEX webhook_deliveries_type ON webhook_deliveries (tenant_id, webhook_id, event_type, created_at)',
  ...attempts.flatMap((name) => [
    `CREATE INDEX ${name}_user_list ON ${name} (tenant_id, user_id, created_at) WHERE user_id IS NOT NULL`,
    `CREATE INDEX ${name}_status ON ${name} (tenant_id, status, created_at)`,
  ]),
  'CREATE INDEX media_files_mime ON media_files (tenant_id, mime, created_at)',
  'CREATE INDEX media_files_access ON media_files (tenant_id, access, created_at)',
  'CREATE INDEX media_files_mime_access ON media_files (tenant_id, mime, access, created_at)',
]

export const migration: Migration = { sqlite: statements, postgresql: statements }
