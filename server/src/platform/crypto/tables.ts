import type { Accepted, AcceptedRow } from '../db/accepted.ts'
import { many, record, text, time } from '../db/columns.ts'
import { table } from '../db/table.ts'
import type { SigningKeyId } from '../ids.ts'
import { isKeyPair, isNameOfKey } from './key-pair.ts'

const columns = {
  ...record<SigningKeyId>(),
  ...many(text(), 'kid', 'public_pem', 'sealed_private_pem'),
  retired_at: time().nullable(),
}
const pairRule = (kind: 'ec' | 'rsa'): Readonly<Record<string, Accepted>> => {
  const pair = {
    rule: `must be a pair of keys for ${kind === 'ec' ? 'ES256' : 'RS256'}`,
    test: (_value: unknown, { public_pem: publicPem, 'sealed_private_pem:opened': privatePem }: AcceptedRow) =>
      isKeyPair(kind, String(publicPem), String(privatePem)),
  }
  const kid = {
    rule: 'must be the thumbprint of the key',
    test: (value: unknown, row: AcceptedRow) => isNameOfKey(String(value), String(row['public_pem'])),
  }
  return { kid, public_pem: pair, sealed_private_pem: pair }
}
const sealed = { sealed_private_pem: 'private_pem' } as const

/** The keys of tenants on P-256, which sign tokens and the checkpoints of the event log. */
export const signingKeys = table('signing_keys', columns, { sealed, accepts: pairRule('ec') })

/**
 * The RSA keys of tenants with applications that ask for RS256. They have a table of their own, because whatever signs with ES256 takes the
 * newest of the others.
 */
export const rsaSigningKeys = table('rsa_signing_keys', columns, { sealed, accepts: pairRule('rsa') })

/** The keys for each algorithm by which ID tokens can be signed. */
export const signingKeyTables = { ES256: signingKeys, RS256: rsaSigningKeys } as const
