// Finds jobs that were given up without reading those that wait. They are few, so the index is small.
import type { Migration } from '../migrate.ts'

const statements = ['CREATE INDEX jobs_given_up ON jobs (kind) WHERE dead_at IS NOT NULL']

export const migration: Migration = { sqlite: statements, postgresql: statements }
