// The lists with filters, each with rows and the result that every filter should have.
import type { EndpointId } from '@bailiwick/contract'
import type { SqlValue } from '../../src/platform/db/sql.ts'
import { newId } from '../../src/platform/ids.ts'
import type { CallOptions } from '../harness/service.ts'

export interface ListWorld {
  readonly tenantId: string
  readonly userIds: readonly [string, string]
  readonly webhookId: string
}

export type Row = Readonly<Record<string, SqlValue>> & { readonly id: string; readonly created_at: string }
type Query = Readonly<Record<string, string>>

export interface Filter {
  readonly query: (world: ListWorld) => Query
  readonly leaves: (row: Row, world: ListWorld) => boolean
  /** The index that SQLite uses. */
  readonly index: RegExp
}

export interface FilteredList {
  readonly id: EndpointId
  readonly table: string
  readonly call: (world: ListWorld) => CallOptions
  readonly row: (world: ListWorld, n: number) => Readonly<Record<string, SqlValue>>
  readonly filters: Readonly<Record<string, Filter>>
}

/** Each time is a second after the one before. */
export const timeOf = (n: number) =>
  `2026-01-01T00:${String(Math.floor(n / 60)).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}.000001Z`
const never = '2199-01-01T00:00:00.000000Z'
const pick = (n: number, ...values: readonly string[]) => values[n % values.length] ?? ''

/** Keeps the rows that have these values in these columns. */
const having = (query: Query, columns: Readonly<Record<string, string>>, index: RegExp): Filter => ({
  query: () => query,
  leaves: (row) => Object.entries(columns).every(([column, value]) => row[column] === value),
  index,
})
const ofUser = (index: RegExp, more: Query = {}): Filter => ({
  query: ({ userIds }) => ({ userId: userIds[0], ...more }),
  leaves: (row, { userIds }) =>
    row['user_id'] === userIds[0] && Object.entries(more).every(([column, value]) => row[column] === value),
  index,
})
/** Of the times of two rows the first belongs to the range, the second does not. */
const createdIn = (index: RegExp): Filter => ({
  query: () => ({ createdAfter: timeOf(5), createdBefore: timeOf(17) }),
  leaves: (row) => row.created_at >= timeOf(5) && row.created_at < timeOf(17),
  index,
})

const ofTenant = ({ tenantId }: ListWorld): CallOptions => ({ params: { tenantId } })
const byQuery = ({ tenantId }: ListWorld): CallOptions => ({ query: { tenantId } })

const attempt = (status: string, { userIds }: ListWorld, n: number) => ({
  user_id: n % 3 === 0 ? null : pick(n, ...userIds),
  identifier: 'ada@x.example',
  status,
  supported_first_factors: '[]',
  supported_second_factors: '[]',
  expires_at: never,
})

/** Both columns lead to the rows, even if only one of them is filtered. */
const ofTypeAndStatus = /messages_type_status \(tenant_id=\? AND channel_type=\? AND status=\?\)/
const ofEventAndStatus = /webhook_deliveries_type \(tenant_id=\? AND webhook_id=\? AND event_type=\? AND status=\?\)/
const ofMimeAndAccess = /media_files_mime_access \(tenant_id=\? AND mime=\? AND access=\?\)/

export const filteredLists: readonly FilteredList[] = [
  {
    id: 'listMessages',
    table: 'messages',
    call: ofTenant,
    row: ({ userIds }, n) => ({
      user_id: n % 3 === 0 ? null : pick(n, ...userIds),
      channel_type: pick(n, 'email', 'email', 'sms'),
      purpose: 'send',
      recipient: pick(n, 'ada@x.example', 'bob@x.example', '+436641234567'),
      lane: 'a',
      status: pick(n, 'sent', 'sent', 'failed', 'queued'),
      expires_at: never,
    }),
    filters: {
      status: having({ status: 'failed' }, { status: 'failed' }, ofTypeAndStatus),
      channelType: having({ channelType: 'sms' }, { channel_type: 'sms' }, ofTypeAndStatus),
      'status and channelType': having(
        { status: 'sent', channelType: 'sms' },
        { status: 'sent', channel_type: 'sms' },
        ofTypeAndStatus,
      ),
      'an address in another case': having({ to: 'ada@X.Example' }, { recipient: 'ada@x.example' }, /messages_to/),
      'a number and a status': having(
        { to: '+43 664 1234567', status: 'sent' },
        { recipient: '+436641234567', status: 'sent' },
        /messages_to/,
      ),
      userId: ofUser(/messages_user_list/),
      'userId and status': ofUser(/messages_user_list/, { status: 'sent' }),
      time: createdIn(/messages_created_key/),
    },
  },
  {
    id: 'listWebhookDeliveries',
    table: 'webhook_deliveries',
    call: ({ webhookId }) => ({ params: { id: webhookId } }),
    row: ({ webhookId }, n) => ({
      webhook_id: webhookId,
      event_position: n,
      event_id: newId(),
      event_type: pick(n, 'user.created', 'user.created', 'role.created'),
      status: pick(n, 'succeeded', 'succeeded', 'failed', 'pending'),
    }),
    filters: {
      status: having({ status: 'failed' }, { status: 'failed' }, /webhook_deliveries_status/),
      eventType: having({ eventType: 'role.created' }, { event_type: 'role.created' }, ofEventAndStatus),
      'status and eventType': having(
        { status: 'succeeded', eventType: 'role.created' },
        { status: 'succeeded', event_type: 'role.created' },
        ofEventAndStatus,
      ),
      time: createdIn(/webhook_deliveries_list/),
    },
  },
  {
    id: 'listTenantSessions',
    table: 'sessions',
    call: ofTenant,
    row: ({ userIds }, n) => ({
      user_id: pick(n, userIds[1], userIds[1], userIds[0]),
      token_hash: newId(),
      expires_at: never,
      last_active_at: timeOf(n),
    }),
    filters: { userId: ofUser(/sessions_user_live/), time: createdIn(/sessions_live/) },
  },
  {
    id: 'listSignInAttempts',
    table: 'sign_in_attempts',
    call: byQuery,
    row: (world, n) => attempt(pick(n, 'complete', 'needs_factor_one', 'complete'), world, n),
    filters: {
      status: having({ status: 'needs_factor_one' }, { status: 'needs_factor_one' }, /sign_in_attempts_status/),
      userId: ofUser(/sign_in_attempts_user_list/),
      'userId and status': ofUser(/sign_in_attempts_user_list/, { status: 'complete' }),
      time: createdIn(/sign_in_attempts_created_key/),
    },
  },
  {
    id: 'listSignUpAttempts',
    table: 'sign_up_attempts',
    call: byQuery,
    row: (world, n) => ({
      ...attempt(pick(n, 'complete', 'abandoned', 'complete'), world, n),
      required_fields: '[]',
      missing_fields: '[]',
      required_verifications: '[]',
      missing_verifications: '[]',
    }),
    filters: {
      status: having({ status: 'abandoned' }, { status: 'abandoned' }, /sign_up_attempts_status/),
      userId: ofUser(/sign_up_attempts_user_list/),
      time: createdIn(/sign_up_attempts_created_key/),
    },
  },
  {
    id: 'listOrganizations',
    table: 'organizations',
    call: ofTenant,
    row: (_world, n) => ({
      name: `Org ${n}`,
      slug: `org-${n}`,
      slug_key: `org-${n}`,
      public_meta: '{}',
      private_meta: '{}',
    }),
    filters: { time: createdIn(/organizations_created_key/) },
  },
  {
    id: 'listFiles',
    table: 'media_files',
    call: ofTenant,
    row: (_world, n) => ({
      access: pick(n, 'public', 'public', 'private'),
      mime: pick(n, 'image/png', 'image/jpeg'),
      size: 10,
      meta: '{}',
      path: `file-${n}`,
      frames: 1,
      storage_key: newId(),
      sha256: 'a',
    }),
    filters: {
      mime: having({ mime: 'image/png' }, { mime: 'image/png' }, ofMimeAndAccess),
      access: having({ access: 'private' }, { access: 'private' }, ofMimeAndAccess),
      'mime and access': having(
        { mime: 'image/png', access: 'private' },
        { mime: 'image/png', access: 'private' },
        ofMimeAndAccess,
      ),
      time: createdIn(/media_files_created_key/),
    },
  },
  {
    id: 'listWaitlist',
    table: 'waitlist_entries',
    call: byQuery,
    row: (_world, n) => ({
      email: `ada${n}@example.com`,
      email_key: `ada${n}@example.com`,
      status: pick(n, 'waiting', 'waiting', 'approved'),
    }),
    filters: { status: having({ status: 'approved' }, { status: 'approved' }, /waitlist_entries_status/) },
  },
  {
    id: 'listEvents',
    table: 'events',
    call: ofTenant,
    row: ({ userIds }, n) => ({
      type: pick(n, 'user.unlocked', 'user.unlocked', 'session.revoked'),
      actor_type: 'system',
      subject_type: 'user',
      subject_id: pick(n, ...userIds),
      data: '{}',
    }),
    filters: {
      time: createdIn(/events_created_key/),
      'type and time': {
        ...createdIn(/events_type/),
        query: () => ({ type: 'session.revoked', createdAfter: timeOf(5), createdBefore: timeOf(17) }),
        leaves: (row) =>
          row['type'] === 'session.revoked' && row.created_at >= timeOf(5) && row.created_at < timeOf(17),
      },
    },
  },
]
