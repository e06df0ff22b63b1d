import { many, record, text, time } from '../db/columns.ts'
import { table } from '../db/table.ts'
import type { SigningKeyId } from '../ids.ts'

const columns = {
  ...record<SigningKeyId>(),
  ...many(text(), 'kid', 'public_pem', 'sealed_private_pem'),
  retired_at: time().nullable(),
}
const sealed = { sealed_private_pem: 'private_pem' } as const

/** The keys of tenants on P-256, which sign tokens and the checkpoints of the event log. */
export const signingKeys = table('signing_keys', columns, { sealed })

/**
 * The RSA keys of tenants with applications that ask for RS256. They have a table of their own, because whatever signs with ES256 takes the
 * newest of the others.
 */
export const rsaSigningKeys = table('rsa_signing_keys', columns, { sealed })

/** The keys for each algorithm by which ID tokens can be signed. */
export const signingKeyTables = { ES256: signingKeys, RS256: rsaSigningKeys } as const
