// Messages that are sent to people, and their results.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const text = engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'
  const required = `${text} NOT NULL`
  return [
    // Without references to channels, templates and users, because messages stay on record when those are deleted. An erased user's
    // messages are erased.
    `CREATE TABLE messages (tenant_id ${required}, id ${required}, user_id ${text}, channel_type ${required},
      channel_id ${text}, provider ${text}, template_id ${text}, template_type ${text}, purpose ${required},
      recipient ${required}, subject ${text}, sealed_variables ${text}, sealed_content ${text}, lane ${required},
      status ${required}, step INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0, last_error ${text},
      next_attempt_at ${text}, sent_at ${text}, expires_at ${required}, created_at ${required}, updated_at ${required},
      CONSTRAINT messages_pkey PRIMARY KEY (id, tenant_id),
      FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE)`,
    'CREATE UNIQUE INDEX messages_created_key ON messages (tenant_id, created_at)',
    "CREATE INDEX messages_due ON messages (tenant_id, lane, next_attempt_at) WHERE status = 'queued'",
    'CREATE INDEX messages_user ON messages (tenant_id, user_id) WHERE user_id IS NOT NULL',
    'CREATE INDEX messages_age ON messages (created_at)',
    'CREATE INDEX messages_recipient ON messages (recipient, created_at)',
    'CREATE INDEX messages_expired ON messages (expires_at) WHERE sealed_variables IS NOT NULL',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
