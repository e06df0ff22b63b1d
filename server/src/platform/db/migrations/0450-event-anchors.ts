// Where the event log of a tenant begins once its oldest events have been removed.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'
import { textOf } from './version-0-1-0/columns.ts'

function statements(engine: EngineName): string[] {
  const { required } = textOf(engine)
  return [
    `CREATE TABLE event_anchors (tenant_id ${required}, sequence BIGINT NOT NULL, hash ${required},
      newest_created_at ${required}, feed_place ${required}, sealed_proof ${required}, removed_at ${required},
      CONSTRAINT event_anchors_pkey PRIMARY KEY (tenant_id))`,
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
