// Versions of an authentication configuration are listed by their time; a domain remembers why it could not be verified;
// deleted tenants wait for their erasure.
import type { Migration } from '../migrate.ts'

const statements = [
  'CREATE UNIQUE INDEX auth_configurations_created_key ON auth_configurations (tenant_id, created_at)',
  'ALTER TABLE domains ADD COLUMN verification_reason TEXT',
  'CREATE INDEX tenants_deleted ON tenants (deleted_at) WHERE deleted_at IS NOT NULL',
]

export const migration: Migration = { sqlite: statements, postgresql: statements }
