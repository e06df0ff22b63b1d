// The attributes that tenants give their users, of which every change is a version.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'
import { flag, ofTenant, textOf } from './version-0-1-0/columns.ts'

function statements(engine: EngineName): string[] {
  const { text, required } = textOf(engine)
  return [
    `ALTER TABLE tenants ADD COLUMN attributes_version ${flag}`,
    `CREATE TABLE attributes_versions (tenant_id ${required}, version INTEGER NOT NULL, document ${required},
      actor_type ${required}, actor_id ${text}, created_at ${required},
      CONSTRAINT attributes_versions_pkey PRIMARY KEY (tenant_id, version), ${ofTenant})`,
    'CREATE UNIQUE INDEX attributes_versions_created_key ON attributes_versions (tenant_id, created_at)',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
