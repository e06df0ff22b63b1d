// Finds invitations that expired long ago without an answer.
import type { Migration } from '../migrate.ts'

const statements = [
  `CREATE INDEX organization_invitations_expiry ON organization_invitations (expires_at)
    WHERE accepted_at IS NULL AND declined_at IS NULL`,
  'CREATE INDEX tenant_invitations_expiry ON tenant_invitations (expires_at)',
]

export const migration: Migration = { sqlite: statements, postgresql: statements }
