// When the end of the certificates of a SAML connection is to be announced, and which assertions have been used.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const text = engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'
  const required = `${text} NOT NULL`
  return [
    `ALTER TABLE connections ADD COLUMN certificate_notice_at ${text}`,
    'CREATE INDEX connections_certificate_notice ON connections (certificate_notice_at) WHERE certificate_notice_at IS NOT NULL',

    `CREATE TABLE saml_seen_assertions (tenant_id ${required}, connection_id ${required}, assertion_hash ${required},
      expires_at ${required}, CONSTRAINT saml_seen_assertions_pkey PRIMARY KEY (tenant_id, connection_id, assertion_hash),
      FOREIGN KEY (tenant_id, connection_id) REFERENCES connections (tenant_id, id) ON DELETE CASCADE)`,
    'CREATE INDEX saml_seen_assertions_expiry ON saml_seen_assertions (expires_at)',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
