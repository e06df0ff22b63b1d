// Background jobs and the readers of the event log: its seals, webhooks and their deliveries.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const text = engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'
  const required = `${text} NOT NULL`
  const flag = 'INTEGER NOT NULL DEFAULT 0'
  const times = `created_at ${required}, updated_at ${required}`
  const records = (name: string, ...columns: string[]) => [
    `CREATE TABLE ${name} (tenant_id ${required}, id ${required}, ${columns.join(', ')}, ${times},
      CONSTRAINT ${name}_pkey PRIMARY KEY (id, tenant_id))`,
    `CREATE UNIQUE INDEX ${name}_created_key ON ${name} (tenant_id, created_at)`,
  ]

  return [
    // Without a reference to tenants, because a deleted tenant's jobs must outlive its row.
    ...records(
      'jobs',
      `kind ${required}`,
      `key ${required}`,
      `payload ${required}`,
      'attempts INTEGER NOT NULL DEFAULT 0',
      'wakes INTEGER NOT NULL DEFAULT 0',
      `run_at ${required}`,
      `lease ${text}`,
      `leased_until ${text}`,
      `last_error ${text}`,
      `dead_at ${text}`,
    ),
    'CREATE UNIQUE INDEX jobs_key ON jobs (tenant_id, kind, key)',
    'CREATE INDEX jobs_due ON jobs (run_at) WHERE dead_at IS NULL',

    ...records(
      'webhooks',
      `url ${required}`,
      `description ${text}`,
      `events ${required}`,
      `enabled ${flag}`,
      `sealed_secret ${required}`,
      `sealed_previous_secret ${text}`,
      `previous_secret_until ${text}`,
      // first_failed_at: the first failed attempt since the last success. failing_since: set once a delivery has been given up since then.
      `first_failed_at ${text}`,
      `failing_since ${text}`,
      `held_until ${text}`,
    ),
    'CREATE INDEX webhooks_enabled ON webhooks (tenant_id) WHERE enabled = 1',

    // Lists find deliveries by webhook alone. They are removed by age and not with their webhook, which could mean millions of rows at
    // once.
    ...records(
      'webhook_deliveries',
      `webhook_id ${required}`,
      'event_position BIGINT NOT NULL',
      `event_id ${required}`,
      `event_type ${required}`,
      `status ${required}`,
      'step INTEGER NOT NULL DEFAULT 0',
      'attempts INTEGER NOT NULL DEFAULT 0',
      'response_status INTEGER',
      `error ${text}`,
      `next_attempt_at ${text}`,
      `last_attempt_at ${text}`,
    ),
    'CREATE INDEX webhook_deliveries_list ON webhook_deliveries (tenant_id, webhook_id, created_at)',
    `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (tenant_id, webhook_id, next_attempt_at)
      WHERE status = 'pending'`,
    'CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at)',

    // The user whose salt opens `personal`, if that is not the subject.
    `ALTER TABLE events ADD COLUMN personal_user_id ${text}`,
    'CREATE INDEX events_type ON events (tenant_id, type, created_at)',
    'CREATE INDEX events_subject ON events (tenant_id, subject_id, created_at)',
    ...(engine === 'postgresql'
      ? [
          // The order in which readers follow the log; a transaction that commits late comes late in it.
          'CREATE INDEX events_feed ON events (transaction_id, position)',
          'CREATE INDEX events_tenant_feed ON events (tenant_id, transaction_id, position)',
        ]
      : ['CREATE INDEX events_tenant_feed ON events (tenant_id, position)']),

    `CREATE TABLE event_seals (tenant_id ${required}, sequence BIGINT NOT NULL, event_position BIGINT NOT NULL,
      event_id ${required}, hash ${required}, CONSTRAINT event_seals_pkey PRIMARY KEY (tenant_id, sequence))`,
    'CREATE UNIQUE INDEX event_seals_event_key ON event_seals (tenant_id, event_position)',
    `CREATE TABLE event_checkpoints (tenant_id ${required}, sequence BIGINT NOT NULL, hash ${required},
      newest_created_at ${required}, signing_key_id ${required}, signature ${required}, signed_at ${required},
      CONSTRAINT event_checkpoints_pkey PRIMARY KEY (tenant_id))`,
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
