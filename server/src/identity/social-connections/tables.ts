import { type AnyProviderKey, anyProviderKey } from '@bailiwick/contract'
import { shortText } from '../../platform/db/accepted.ts'
import { flag, id, many, record, text } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { SocialConnectionId, UserId } from '../../platform/ids.ts'

export const socialConnections = table(
  'social_connections',
  {
    ...record<SocialConnectionId>(),
    user_id: id<UserId>(),
    provider_key: text<AnyProviderKey>(),
    ...many(text(), 'issuer', 'subject'),
    email: text().nullable(),
    /** 1 if it came with an account for which nobody has proven to own an address; it is removed when somebody does. */
    is_unproven: flag().default(0),
  },
  {
    refusals: { social_connections_subject_key: 'connection_taken' },
    accepts: { provider_key: anyProviderKey(), issuer: shortText, subject: shortText, email: shortText },
  },
)
