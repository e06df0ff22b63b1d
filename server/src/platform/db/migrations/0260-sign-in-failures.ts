// What was refused last in an attempt to sign in, why, and where the request came from.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const text = engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'
  return [
    'ALTER TABLE sign_in_attempts ADD COLUMN failures INTEGER NOT NULL DEFAULT 0',
    ...['failure_reason', 'failed_strategy', 'failed_at', 'failure_ip', 'failure_ua'].map(
      (name) => `ALTER TABLE sign_in_attempts ADD COLUMN ${name} ${text}`,
    ),
    `CREATE INDEX sign_in_attempts_failure ON sign_in_attempts (tenant_id, failure_reason, created_at)
      WHERE failure_reason IS NOT NULL`,
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
