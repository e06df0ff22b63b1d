// The resources whose tokens an application may exchange, and those that it may get tokens for. An existing application has none.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const text = engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'
  return ['exchange_from', 'exchange_to'].map(
    (name) => `ALTER TABLE applications ADD COLUMN ${name} ${text} NOT NULL DEFAULT '[]'`,
  )
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
