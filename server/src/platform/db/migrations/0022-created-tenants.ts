// An index to count the tenants that a console user has created and not deleted, because their number is limited.
import type { Migration } from '../migrate.ts'

const statements = [
  'CREATE INDEX tenants_creator ON tenants (creator_id) WHERE creator_id IS NOT NULL AND deleted_at IS NULL',
]

export const migration: Migration = { sqlite: statements, postgresql: statements }
