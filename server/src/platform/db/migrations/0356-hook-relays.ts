// Calls of hooks that wait for a developer's machine to answer them. They last some seconds.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'
import { flag, ofTenant, textOf } from './version-0-1-0/columns.ts'

function statements(engine: EngineName): string[] {
  const { text, required } = textOf(engine)
  return [
    `CREATE TABLE hook_listeners (tenant_id ${required}, listening_until ${required},
      CONSTRAINT hook_listeners_pkey PRIMARY KEY (tenant_id), ${ofTenant})`,
    `CREATE TABLE hook_relays (tenant_id ${required}, id ${required}, hook_id ${required}, point ${required},
      timeout_ms INTEGER NOT NULL, sealed_call ${required}, is_taken ${flag}, sealed_answer ${text},
      expires_at ${required}, created_at ${required}, updated_at ${required},
      CONSTRAINT hook_relays_pkey PRIMARY KEY (id, tenant_id), ${ofTenant})`,
    'CREATE UNIQUE INDEX hook_relays_created_key ON hook_relays (tenant_id, created_at)',
    'CREATE INDEX hook_relays_expiry ON hook_relays (expires_at)',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
