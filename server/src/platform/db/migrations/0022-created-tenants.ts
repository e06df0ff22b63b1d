// The tenants that a console user has created and not deleted: there is a limit to them.
import type { Migration } from '../migrate.ts'

const statements = [
  'CREATE INDEX tenants_creator ON tenants (creator_id) WHERE creator_id IS NOT NULL AND deleted_at IS NULL',
]

export const migration: Migration = { sqlite: statements, postgresql: statements }
