// Links with which administrators of organizations set up connections.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const text = engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'
  const required = `${text} NOT NULL`
  return [
    `CREATE TABLE setup_links (tenant_id ${required}, id ${required}, organization_id ${required}, email ${required},
      steps ${required}, token_hash ${required}, browser_hash ${text}, opened_at ${text}, finished_at ${text},
      expires_at ${required}, created_at ${required}, CONSTRAINT setup_links_pkey PRIMARY KEY (id, tenant_id),
      FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id) ON DELETE CASCADE)`,
    'CREATE UNIQUE INDEX setup_links_created_key ON setup_links (tenant_id, created_at)',
    'CREATE UNIQUE INDEX setup_links_token_key ON setup_links (tenant_id, token_hash)',
    'CREATE INDEX setup_links_list ON setup_links (tenant_id, organization_id, created_at)',
    'CREATE INDEX setup_links_browser ON setup_links (tenant_id, browser_hash)',
    'CREATE INDEX setup_links_expiry ON setup_links (expires_at)',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
