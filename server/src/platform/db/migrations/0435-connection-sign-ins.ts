// With which connections sessions began, and what their providers said.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'
import { ofUser, textOf } from './version-0-1-0/columns.ts'

function statements(engine: EngineName): string[] {
  const { text, required } = textOf(engine)
  return [
    `CREATE TABLE connection_sign_ins (tenant_id ${required}, attempt_id ${required}, connection_id ${required},
      organization_id ${required}, user_id ${required}, session_id ${text}, sealed_claims ${text}, created_at ${required},
      expires_at ${text}, CONSTRAINT connection_sign_ins_pkey PRIMARY KEY (tenant_id, attempt_id), ${ofUser},
      FOREIGN KEY (tenant_id, connection_id) REFERENCES connections (tenant_id, id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, session_id) REFERENCES sessions (tenant_id, id) ON DELETE CASCADE)`,
    'CREATE INDEX connection_sign_ins_session ON connection_sign_ins (tenant_id, session_id) WHERE session_id IS NOT NULL',
    'CREATE INDEX connection_sign_ins_user ON connection_sign_ins (tenant_id, user_id, created_at)',
    'CREATE INDEX connection_sign_ins_connection ON connection_sign_ins (tenant_id, connection_id)',
    'CREATE INDEX connection_sign_ins_expiry ON connection_sign_ins (expires_at) WHERE expires_at IS NOT NULL',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
