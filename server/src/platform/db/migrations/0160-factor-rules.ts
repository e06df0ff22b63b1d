// Who must have a second factor: a role can require one of its users.
import type { Migration } from '../migrate.ts'

const statements = ['ALTER TABLE roles ADD COLUMN requires_second_factor INTEGER NOT NULL DEFAULT 0']

export const migration: Migration = { sqlite: statements, postgresql: statements }
