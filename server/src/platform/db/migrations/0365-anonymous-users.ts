// Users who have not signed up yet. The index serves their list and their erasure; one on the time of their last activity would make each use
// of a session costlier for all users on PostgreSQL.
import type { Migration } from '../migrate.ts'

const statements = [
  'ALTER TABLE users ADD COLUMN is_anonymous INTEGER NOT NULL DEFAULT 0',
  'CREATE INDEX users_anonymous ON users (tenant_id, created_at) WHERE is_anonymous = 1',
]

export const migration: Migration = { sqlite: statements, postgresql: statements }
