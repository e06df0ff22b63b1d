// Stores brands in versions, like authentication configurations, and the settings of hosted pages.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

const statements = (engine: EngineName) => {
  const text = engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'
  const required = `${text} NOT NULL`
  const versions = (name: string) => [
    `CREATE TABLE ${name} (tenant_id ${required}, version INTEGER NOT NULL, document ${required}, actor_type ${required},
      actor_id ${text}, created_at ${required}, CONSTRAINT ${name}_pkey PRIMARY KEY (tenant_id, version),
      FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE)`,
    `CREATE UNIQUE INDEX ${name}_created_key ON ${name} (tenant_id, created_at)`,
  ]
  return [
    ...versions('brand_versions'),
    ...versions('pages_versions'),
    // 0 means that there is no version yet.
    'ALTER TABLE tenants ADD COLUMN brand_version INTEGER NOT NULL DEFAULT 0',
    'ALTER TABLE tenants ADD COLUMN pages_version INTEGER NOT NULL DEFAULT 0',
    `ALTER TABLE tenants ADD COLUMN dark_logo_id ${text}`,
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
