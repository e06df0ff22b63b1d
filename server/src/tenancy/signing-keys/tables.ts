import { many, record, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { SigningKeyId } from '../../platform/ids.ts'

export const signingKeys = table(
  'signing_keys',
  {
    ...record<SigningKeyId>(),
    ...many(text(), 'kid', 'public_pem', 'sealed_private_pem'),
    retired_at: time().nullable(),
  },
  { sealed: { sealed_private_pem: 'private_pem' } },
)
