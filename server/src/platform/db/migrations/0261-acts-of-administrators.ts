// Finds what an administrator or an API key has done. Only their events are in the index, so that those of users and of apps cost nothing more.
import type { Migration } from '../migrate.ts'

const statements = [
  `CREATE INDEX events_actor ON events (tenant_id, actor_id, created_at)
    WHERE actor_type IN ('console_user', 'api_key')`,
]

export const migration: Migration = { sqlite: statements, postgresql: statements }
