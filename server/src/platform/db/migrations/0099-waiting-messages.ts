// Finds the messages that wait to be sent, of all tenants, oldest first. They are few, so the index is small.
import type { Migration } from '../migrate.ts'

const statements = ["CREATE INDEX messages_waiting ON messages (created_at) WHERE status = 'queued'"]

export const migration: Migration = { sqlite: statements, postgresql: statements }
