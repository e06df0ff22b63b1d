import { id, record, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { UserId } from '../../platform/ids.ts'

export const passwordResets = table(
  'password_resets',
  {
    ...record<string>(),
    user_id: id<UserId>().nullable(),
    status: text<'needs_code' | 'complete'>(),
    contact_kind: text<'email' | 'phone'>().nullable(),
    contact_id: text().nullable(),
    expires_at: time(),
  },
  { notExported: 'they expire within minutes' },
)
