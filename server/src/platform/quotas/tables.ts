import { matching } from '../db/accepted.ts'
import { id, integer, text, time } from '../db/columns.ts'
import { table } from '../db/table.ts'
import type { TenantId } from '../ids.ts'

const uses = { used: integer(), window_ends_at: time() }

export const quotas = table(
  'quotas',
  { tenant_id: id<TenantId>(), name: text(), subject: text(), ...uses },
  {
    key: ['tenant_id', 'name', 'subject'],
    // Who moves a tenant does not get a day's messages twice.
    accepts: {
      name: matching(/^[a-z0-9_:]{1,64}$/, 'must be the name of a quota'),
      subject: matching(/^[\w:+/=-]{1,128}$/, 'must be what a quota counts'),
    },
  },
)

/** Counts messages to one recipient from all tenants together; a recipient is a keyed hash of an address. */
export const recipientQuotas = table(
  'recipient_quotas',
  { recipient: text(), name: text(), ...uses },
  { key: ['recipient', 'name'], sharding: 'local' },
)
