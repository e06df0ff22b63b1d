// Connections by which agents redeem identity assertions. The issuer is there only while that is on, so that assertions find it by an index.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const text = engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'
  return [
    `ALTER TABLE connections ADD COLUMN id_jag_issuer ${text}`,
    `ALTER TABLE connections ADD COLUMN id_jag_scopes ${text} NOT NULL DEFAULT '[]'`,
    'ALTER TABLE connections ADD COLUMN id_jag_ttl INTEGER NOT NULL DEFAULT 900',
    `CREATE INDEX connections_id_jag ON connections (tenant_id, id_jag_issuer) WHERE id_jag_issuer IS NOT NULL`,
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
