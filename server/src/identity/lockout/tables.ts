import type { Timestamp } from '../../platform/clock.ts'
import { id, integer, many, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { TenantId } from '../../platform/ids.ts'

/** Consecutive failures. A known device has a row of its own. */
export const guesses = table(
  'guesses',
  {
    tenant_id: id<TenantId>(),
    ...many(text(), 'subject', 'device'),
    /** Consecutive wrong passwords. */
    failures: integer(),
    ...many(time(), 'blocked_until', 'updated_at'),
    second_failures: integer().default(0),
    /** Empty if no failure has cost a wait. */
    second_blocked_until: text<Timestamp | ''>().default(''),
  },
  { key: ['tenant_id', 'subject', 'device'], notExported: 'they count what happened where it was counted' },
)

export const knownDevices = table(
  'known_devices',
  { tenant_id: id<TenantId>(), user_id: text(), token_hash: text(), last_used_at: time() },
  { key: ['tenant_id', 'user_id', 'token_hash'], notExported: 'a device is known where it has signed in' },
)
