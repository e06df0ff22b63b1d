// Whether a tenant has live connections is asked whenever the tenant comes into memory.
import type { Migration } from '../migrate.ts'

const statements = [`CREATE INDEX connections_live ON connections (tenant_id, required) WHERE state = 'live'`]

export const migration: Migration = { sqlite: statements, postgresql: statements }
