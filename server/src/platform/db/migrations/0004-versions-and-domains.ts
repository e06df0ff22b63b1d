// Lists versions of an authentication configuration by time, stores why a domain could not be verified, and records deleted tenants until
// they are erased.
import type { Migration } from '../migrate.ts'

const statements = [
  'CREATE UNIQUE INDEX auth_configurations_created_key ON auth_configurations (tenant_id, created_at)',
  'ALTER TABLE domains ADD COLUMN verification_reason TEXT',
  'CREATE INDEX tenants_deleted ON tenants (deleted_at) WHERE deleted_at IS NOT NULL',
]

export const migration: Migration = { sqlite: statements, postgresql: statements }
