import { id, integer, json, many, text, time } from '../db/columns.ts'
import { table } from '../db/table.ts'
import type { SigningKeyId, TenantId } from '../ids.ts'

export const events = table(
  'events',
  {
    /** Follows the order of writing. */
    position: integer().generated(),
    /** Lets a reader stop before transactions that are still open. */
    transaction_id: text().generated(),
    tenant_id: id<TenantId>(),
    ...many(text(), 'id', 'type', 'actor_type', 'subject_type', 'subject_id'),
    ...many(text().nullable(), 'actor_id', 'personal', 'ip', 'ua'),
    data: json<object>(),
    /** The user whose salt opens `personal`, if that is not the subject. */
    personal_user_id: text().nullable(),
    created_at: time(),
  },
  {
    walkedBy: ['created_at'],
    notExported: 'the log is chained and signed for the place where it was written',
    onlyOnPostgresql: ['transaction_id'],
  },
)

export const eventSeals = table(
  'event_seals',
  {
    tenant_id: id<TenantId>(),
    ...many(integer(), 'sequence', 'event_position'),
    ...many(text(), 'event_id', 'hash'),
  },
  { key: ['tenant_id', 'sequence'], notExported: 'as the events' },
)

export const eventCheckpoints = table(
  'event_checkpoints',
  {
    tenant_id: id<TenantId>(),
    sequence: integer(),
    ...many(text(), 'hash', 'signature'),
    ...many(time(), 'newest_created_at', 'signed_at'),
    signing_key_id: id<SigningKeyId>(),
  },
  { key: ['tenant_id'], notExported: 'as the events' },
)
