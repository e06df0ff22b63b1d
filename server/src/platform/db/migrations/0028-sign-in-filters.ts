// Indexes for the filters of the list of sign-in attempts, like 0027-message-filters.ts for messages.
import type { Migration } from '../migrate.ts'

const statements = [
  'CREATE INDEX sign_in_attempts_user_list ON sign_in_attempts (tenant_id, user_id, created_at) WHERE user_id IS NOT NULL',
  'CREATE INDEX sign_in_attempts_status ON sign_in_attempts (tenant_id, status, created_at)',
  // Replaces sign_in_attempts_user_list.
  'DROP INDEX sign_in_attempts_user',
]

export const migration: Migration = { sqlite: statements, postgresql: statements }
