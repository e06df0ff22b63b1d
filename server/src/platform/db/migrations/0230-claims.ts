// The claims that tenants add to tokens, of which every change is a version.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'
import { flag, ofTenant, textOf } from './version-0-1-0/columns.ts'

function statements(engine: EngineName): string[] {
  const { text, required } = textOf(engine)
  return [
    `ALTER TABLE tenants ADD COLUMN claims_version ${flag}`,
    `CREATE TABLE claims_versions (tenant_id ${required}, version INTEGER NOT NULL, document ${required},
      actor_type ${required}, actor_id ${text}, created_at ${required},
      CONSTRAINT claims_versions_pkey PRIMARY KEY (tenant_id, version), ${ofTenant})`,
    'CREATE UNIQUE INDEX claims_versions_created_key ON claims_versions (tenant_id, created_at)',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
