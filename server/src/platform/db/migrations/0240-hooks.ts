// Hooks, which ask a tenant's server before a sign-up or sign-in goes on, and their calls.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const text = engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'
  const required = `${text} NOT NULL`
  return [
    `CREATE TABLE hooks (tenant_id ${required}, id ${required}, point ${required}, url ${required},
      timeout_ms INTEGER NOT NULL, on_failure ${required}, enabled INTEGER NOT NULL, sealed_secret ${required},
      sealed_previous_secret ${text}, previous_secret_until ${text}, created_at ${required}, updated_at ${required},
      CONSTRAINT hooks_pkey PRIMARY KEY (id, tenant_id))`,
    'CREATE UNIQUE INDEX hooks_created_key ON hooks (tenant_id, created_at)',
    'CREATE INDEX hooks_point ON hooks (tenant_id, point) WHERE enabled = 1',
    // Calls are removed by age and not with their hook, which could mean millions of rows at once.
    `CREATE TABLE hook_calls (tenant_id ${required}, id ${required}, hook_id ${required}, result ${required},
      error ${text}, duration_ms INTEGER NOT NULL, created_at ${required}, updated_at ${required},
      CONSTRAINT hook_calls_pkey PRIMARY KEY (id, tenant_id))`,
    'CREATE UNIQUE INDEX hook_calls_created_key ON hook_calls (tenant_id, created_at)',
    'CREATE INDEX hook_calls_list ON hook_calls (tenant_id, hook_id, created_at)',
    'CREATE INDEX hook_calls_age ON hook_calls (created_at)',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
