// The providers of puzzles that tenants use in place of the service's own, with their keys.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'
import { ofTenant, textOf } from './version-0-1-0/columns.ts'

function statements(engine: EngineName): string[] {
  const { required } = textOf(engine)
  return [
    `CREATE TABLE challenge_providers (tenant_id ${required}, provider ${required}, site_key ${required},
      sealed_secret ${required}, on_failure ${required}, created_at ${required}, updated_at ${required},
      CONSTRAINT challenge_providers_pkey PRIMARY KEY (tenant_id), ${ofTenant})`,
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
