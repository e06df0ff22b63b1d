// How many runs of a job ended without a result one after another, because their process had ended or answered nothing any more.
import type { Migration } from '../migrate.ts'

const statements = ['ALTER TABLE jobs ADD COLUMN lost_runs INTEGER NOT NULL DEFAULT 0']

export const migration: Migration = { sqlite: statements, postgresql: statements }
