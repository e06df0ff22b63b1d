// Under which names SAML providers have signed people in, and which browsers are at their provider to sign out.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const text = engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'
  const required = `${text} NOT NULL`
  const ofConnection = 'FOREIGN KEY (tenant_id, connection_id) REFERENCES connections (tenant_id, id) ON DELETE CASCADE'
  return [
    `CREATE TABLE saml_sign_ins (tenant_id ${required}, connection_id ${required}, attempt_id ${required}, session_id ${text},
      subject_hash ${required}, index_hash ${text}, sealed_name ${required}, created_at ${required}, expires_at ${text},
      CONSTRAINT saml_sign_ins_pkey PRIMARY KEY (tenant_id, attempt_id), ${ofConnection},
      FOREIGN KEY (tenant_id, session_id) REFERENCES sessions (tenant_id, id) ON DELETE CASCADE)`,
    'CREATE INDEX saml_sign_ins_subject ON saml_sign_ins (tenant_id, connection_id, subject_hash)',
    'CREATE INDEX saml_sign_ins_session ON saml_sign_ins (tenant_id, session_id) WHERE session_id IS NOT NULL',
    'CREATE INDEX saml_sign_ins_expiry ON saml_sign_ins (expires_at) WHERE expires_at IS NOT NULL',

    `CREATE TABLE saml_logouts (tenant_id ${required}, connection_id ${required}, request_hash ${required},
      return_uri ${required}, created_at ${required}, expires_at ${required},
      CONSTRAINT saml_logouts_pkey PRIMARY KEY (tenant_id, request_hash), ${ofConnection})`,
    'CREATE INDEX saml_logouts_connection ON saml_logouts (tenant_id, connection_id)',
    'CREATE INDEX saml_logouts_expiry ON saml_logouts (expires_at)',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
