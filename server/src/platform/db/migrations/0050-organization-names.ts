// An index for the search for organizations by the beginning of their names. Slugs have one already.
import type { Migration } from '../migrate.ts'

const statements = ['CREATE INDEX organizations_name ON organizations (tenant_id, name)']

export const migration: Migration = { sqlite: statements, postgresql: statements }
