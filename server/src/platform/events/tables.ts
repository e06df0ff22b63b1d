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

/** The last event that was removed from the beginning of a tenant's log; there is no row until then. */
export const eventAnchors = table(
  'event_anchors',
  {
    tenant_id: id<TenantId>(),
    /** The number of its seal, which is also how many events have been removed. */
    sequence: integer(),
    /** The hash of its seal, to which the seal of the first event that is left is chained. */
    hash: text(),
    ...many(time(), 'newest_created_at', 'removed_at'),
    /** Its place in the feed; a reader that has not come so far has missed events. */
    feed_place: text(),
    /** Says the same under the master key, without which nobody can move the beginning of the log. */
    sealed_proof: text(),
  },
  { key: ['tenant_id'], sealed: { sealed_proof: 'proof' }, notExported: 'as the events' },
)
