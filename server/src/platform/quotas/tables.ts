import { id, integer, text, time } from '../db/columns.ts'
import { table } from '../db/table.ts'
import type { TenantId } from '../ids.ts'

const uses = { used: integer(), window_ends_at: time() }

export const quotas = table(
  'quotas',
  { tenant_id: id<TenantId>(), name: text(), subject: text(), ...uses },
  { key: ['tenant_id', 'name', 'subject'], notExported: 'they count what happened where it was counted' },
)

/** Counts messages to one recipient from all tenants together; a recipient is a keyed hash of an address. */
export const recipientQuotas = table(
  'recipient_quotas',
  { recipient: text(), name: text(), ...uses },
  { key: ['recipient', 'name'] },
)
