import { many, record, text, time } from '../db/columns.ts'
import { table } from '../db/table.ts'
import type { SigningKeyId } from '../ids.ts'

/** The keys of tenants, which sign session tokens and the checkpoints of the event log. */
export const signingKeys = table(
  'signing_keys',
  {
    ...record<SigningKeyId>(),
    ...many(text(), 'kid', 'public_pem', 'sealed_private_pem'),
    retired_at: time().nullable(),
  },
  { sealed: { sealed_private_pem: 'private_pem' } },
)
