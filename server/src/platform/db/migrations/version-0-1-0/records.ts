// The log of events with its readers, jobs, messages and media.
import type { EngineName } from '../../database.ts'
import { flag, ofTenant, textOf } from './columns.ts'

export function records(engine: EngineName): string[] {
  const { text, required } = textOf(engine)
  const isPostgresql = engine === 'postgresql'
  const position = isPostgresql
    ? 'position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id()'
    : 'position INTEGER PRIMARY KEY AUTOINCREMENT'

  return [
    // position follows the order of writing. On PostgreSQL, transaction_id lets a reader stop before transactions that are still open.
    // personal_user_id: The user whose salt opens `personal`, if that is not the subject.
    // PostgreSQL gives out positions before transactions commit, so readers go by the transaction first.
    `CREATE TABLE events (${position}, tenant_id ${required}, id ${required}, type ${required}, actor_type ${required},
      actor_id ${text}, subject_type ${required}, subject_id ${required}, data ${required}, personal ${text}, ip ${text},
      ua ${text}, created_at ${required}, personal_user_id ${text})`,
    'CREATE UNIQUE INDEX events_created_key ON events (tenant_id, created_at)',
    'CREATE INDEX events_type ON events (tenant_id, type, created_at)',
    'CREATE INDEX events_subject ON events (tenant_id, subject_id, created_at)',
    // The order in which readers follow the log; a transaction that commits late comes late in it.
    ...(isPostgresql ? ['CREATE INDEX events_feed ON events (transaction_id, position)'] : []),
    `CREATE INDEX events_tenant_feed ON events (tenant_id, ${isPostgresql ? 'transaction_id, ' : ''}position)`,
    // Finds the events about one person; events whose subject is the person name nobody here.
    'CREATE INDEX events_personal_user ON events (tenant_id, personal_user_id, created_at) WHERE personal_user_id IS NOT NULL',

    ...(isPostgresql
      ? [
          `CREATE TABLE cache_invalidations (position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(), tenant_id ${required},
      written_at TIMESTAMPTZ NOT NULL DEFAULT now(), user_id ${text})`,
          'CREATE INDEX cache_invalidations_transaction ON cache_invalidations (transaction_id)',
        ]
      : []),

    `CREATE TABLE event_seals (tenant_id ${required}, sequence BIGINT NOT NULL, event_position BIGINT NOT NULL,
      event_id ${required}, hash ${required}, CONSTRAINT event_seals_pkey PRIMARY KEY (tenant_id, sequence))`,
    'CREATE UNIQUE INDEX event_seals_event_key ON event_seals (tenant_id, event_position)',

    `CREATE TABLE event_checkpoints (tenant_id ${required}, sequence BIGINT NOT NULL, hash ${required},
      newest_created_at ${required}, signing_key_id ${required}, signature ${required}, signed_at ${required},
      CONSTRAINT event_checkpoints_pkey PRIMARY KEY (tenant_id))`,

    // Without a reference to tenants, because a deleted tenant's jobs must outlive its row.
    `CREATE TABLE jobs (tenant_id ${required}, id ${required}, kind ${required}, key ${required}, payload ${required},
      attempts ${flag}, wakes ${flag}, run_at ${required}, lease ${text}, leased_until ${text}, last_error ${text},
      dead_at ${text}, created_at ${required}, updated_at ${required}, CONSTRAINT jobs_pkey PRIMARY KEY (id, tenant_id))`,
    'CREATE UNIQUE INDEX jobs_created_key ON jobs (tenant_id, created_at)',
    'CREATE UNIQUE INDEX jobs_key ON jobs (tenant_id, kind, key)',
    'CREATE INDEX jobs_due ON jobs (run_at) WHERE dead_at IS NULL',
    'CREATE INDEX jobs_given_up ON jobs (kind) WHERE dead_at IS NOT NULL',

    // first_failed_at: The first failed attempt since the last success. failing_since: set once a delivery has been given up since
    // then.
    `CREATE TABLE webhooks (tenant_id ${required}, id ${required}, url ${required}, description ${text}, events ${required},
      enabled ${flag}, sealed_secret ${required}, sealed_previous_secret ${text}, previous_secret_until ${text},
      first_failed_at ${text}, failing_since ${text}, held_until ${text}, created_at ${required}, updated_at ${required},
      CONSTRAINT webhooks_pkey PRIMARY KEY (id, tenant_id))`,
    'CREATE UNIQUE INDEX webhooks_created_key ON webhooks (tenant_id, created_at)',
    'CREATE INDEX webhooks_enabled ON webhooks (tenant_id) WHERE enabled = 1',

    // Lists find deliveries by webhook alone. They are removed by age and not with their webhook, which could mean millions of rows at
    // once.
    `CREATE TABLE webhook_deliveries (tenant_id ${required}, id ${required}, webhook_id ${required},
      event_position BIGINT NOT NULL, event_id ${required}, event_type ${required}, status ${required}, step ${flag},
      attempts ${flag}, response_status INTEGER, error ${text}, next_attempt_at ${text}, last_attempt_at ${text},
      created_at ${required}, updated_at ${required}, CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id, tenant_id))`,
    'CREATE UNIQUE INDEX webhook_deliveries_created_key ON webhook_deliveries (tenant_id, created_at)',
    'CREATE INDEX webhook_deliveries_list ON webhook_deliveries (tenant_id, webhook_id, created_at)',
    `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (tenant_id, webhook_id, next_attempt_at) WHERE status = 'pending'`,
    'CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at)',
    'CREATE INDEX webhook_deliveries_status ON webhook_deliveries (tenant_id, webhook_id, status, created_at)',
    'CREATE INDEX webhook_deliveries_type ON webhook_deliveries (tenant_id, webhook_id, event_type, status, created_at)',

    // Without references to channels, templates and users, because messages stay on record when those are deleted. An erased user's
    // messages are erased.
    `CREATE TABLE messages (tenant_id ${required}, id ${required}, user_id ${text}, channel_type ${required},
      channel_id ${text}, provider ${text}, template_id ${text}, template_type ${text}, purpose ${required},
      recipient ${required}, subject ${text}, sealed_variables ${text}, sealed_content ${text}, lane ${required},
      status ${required}, step ${flag}, attempts ${flag}, last_error ${text}, next_attempt_at ${text}, sent_at ${text},
      expires_at ${required}, created_at ${required}, updated_at ${required}, is_counted ${flag},
      CONSTRAINT messages_pkey PRIMARY KEY (id, tenant_id), ${ofTenant})`,
    'CREATE UNIQUE INDEX messages_created_key ON messages (tenant_id, created_at)',
    "CREATE INDEX messages_due ON messages (tenant_id, lane, next_attempt_at) WHERE status = 'queued'",
    'CREATE INDEX messages_age ON messages (created_at)',
    'CREATE INDEX messages_recipient ON messages (recipient, created_at)',
    'CREATE INDEX messages_expired ON messages (expires_at) WHERE sealed_variables IS NOT NULL',
    'CREATE INDEX messages_user_list ON messages (tenant_id, user_id, created_at) WHERE user_id IS NOT NULL',
    'CREATE INDEX messages_to ON messages (tenant_id, recipient, created_at)',
    'CREATE INDEX messages_type_status ON messages (tenant_id, channel_type, status, created_at)',

    // token_hash: Null once the upload's address accepts nothing any more.
    // claim: The process that is receiving the bytes, until when, and storage_key: where the bytes are stored.
    // direct_key: Where the storage accepts bytes directly from clients, before anybody has checked them.
    `CREATE TABLE media_uploads (tenant_id ${required}, id ${required}, access ${required}, original_filename ${text},
      mime ${required}, size BIGINT NOT NULL, meta ${required}, path ${text}, token_hash ${text}, expires_at ${required},
      claim ${text}, claimed_until ${text}, storage_key ${text}, direct_key ${text}, actor_type ${required}, actor_id ${text},
      finished_at ${text}, created_at ${required}, updated_at ${required}, transformations ${text},
      CONSTRAINT media_uploads_pkey PRIMARY KEY (id, tenant_id), ${ofTenant})`,
    'CREATE UNIQUE INDEX media_uploads_created_key ON media_uploads (tenant_id, created_at)',
    'CREATE INDEX media_uploads_expiry ON media_uploads (expires_at) WHERE finished_at IS NULL',

    `CREATE TABLE media_files (tenant_id ${required}, id ${required}, access ${required}, original_filename ${text},
      mime ${required}, size BIGINT NOT NULL, meta ${required}, path ${required}, description ${text}, width INTEGER,
      height INTEGER, frames INTEGER NOT NULL, duration INTEGER, transformation_id ${text}, storage_key ${required},
      sha256 ${required}, created_at ${required}, updated_at ${required},
      CONSTRAINT media_files_pkey PRIMARY KEY (id, tenant_id), ${ofTenant})`,
    'CREATE UNIQUE INDEX media_files_created_key ON media_files (tenant_id, created_at)',
    'CREATE INDEX media_files_mime_access ON media_files (tenant_id, mime, access, created_at)',

    // The processed images that are kept, so that their size can be limited.
    `CREATE TABLE media_kept_images (tenant_id ${required}, file_id ${required}, storage_key ${required},
      size BIGINT NOT NULL, used_at ${required}, created_at ${required},
      CONSTRAINT media_kept_images_pkey PRIMARY KEY (tenant_id, file_id, storage_key), ${ofTenant})`,
    'CREATE INDEX media_kept_images_use ON media_kept_images (tenant_id, used_at)',
  ]
}
