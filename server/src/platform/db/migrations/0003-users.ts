// Users are found by the beginning of their names, listed by status and role, and may be imported with their passwords. The first version
// was never released, so no keys have to be computed from existing names.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const text = engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'
  return [
    `ALTER TABLE users ADD COLUMN name_key ${text}`,
    `ALTER TABLE users ADD COLUMN last_word_key ${text}`,
    // created_at is included so that a search reads nothing but the index.
    'CREATE INDEX users_name ON users (tenant_id, name_key, created_at) WHERE name_key IS NOT NULL',
    'CREATE INDEX users_last_word ON users (tenant_id, last_word_key, created_at) WHERE last_word_key IS NOT NULL',
    // Hardly any user is not active, so these indexes cost a new user nothing.
    "CREATE INDEX users_status ON users (tenant_id, status, created_at) WHERE status <> 'active'",
    `CREATE INDEX users_role_status ON users (tenant_id, role_id, status, created_at)
      WHERE role_id IS NOT NULL AND status <> 'active'`,
    'DROP INDEX users_role',
    'CREATE INDEX users_role ON users (tenant_id, role_id, created_at) WHERE role_id IS NOT NULL',

    // Finds the events about one person; events whose subject is the person name nobody here.
    'CREATE INDEX events_personal_user ON events (tenant_id, personal_user_id, created_at) WHERE personal_user_id IS NOT NULL',

    // For a password of another service `hash` holds a sealed text, because some forms of it are weak or name a secret.
    `ALTER TABLE passwords ADD COLUMN kind ${text} NOT NULL DEFAULT 'own'`,
    'ALTER TABLE passwords ADD COLUMN must_change INTEGER NOT NULL DEFAULT 0',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
