import {
  type WaitlistStatus,
  canonicalEmail,
  emailKey,
  emailRule,
  isEmail,
  waitlistStatuses,
} from '@bailiwick/contract'
import { canonical, derived, oneOfThese } from '../../platform/db/accepted.ts'
import { many, record, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { WaitlistEntryId } from '../../platform/ids.ts'

export const waitlistEntries = table(
  'waitlist_entries',
  {
    ...record<WaitlistEntryId>(),
    ...many(text(), 'email', 'email_key'),
    status: text<WaitlistStatus>(),
    /** Of the invitation that was sent last; null while there is none. */
    token_hash: text().nullable(),
    ...many(time().nullable(), 'approved_at', 'expires_at'),
  },
  {
    // An invitation leads to the deployment that has sent it.
    madeAnew: ['token_hash'],
    accepts: {
      email: canonical(emailRule, isEmail, canonicalEmail),
      email_key: derived('email', emailKey),
      status: oneOfThese(waitlistStatuses),
    },
  },
)
