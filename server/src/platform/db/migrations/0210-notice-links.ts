// The links of security notices, with which users say that it was somebody else.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const required = engine === 'postgresql' ? 'TEXT COLLATE "C" NOT NULL' : 'TEXT NOT NULL'
  return [
    `CREATE TABLE notice_links (tenant_id ${required}, token_hash ${required}, user_id ${required}, notice ${required},
      email ${required}, expires_at ${required}, created_at ${required},
      CONSTRAINT notice_links_pkey PRIMARY KEY (tenant_id, token_hash),
      FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE)`,
    'CREATE INDEX notice_links_user ON notice_links (tenant_id, user_id)',
    'CREATE INDEX notice_links_age ON notice_links (expires_at)',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
