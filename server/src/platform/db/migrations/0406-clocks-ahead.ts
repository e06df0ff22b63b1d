// Finds the few tenants whose clock is ahead.
import type { Migration } from '../migrate.ts'

const statements = ['CREATE INDEX tenants_clock_ahead ON tenants (id) WHERE clock_ahead_seconds > 0']

export const migration: Migration = { sqlite: statements, postgresql: statements }
