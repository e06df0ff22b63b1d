// The keys that sign tokens: for ES256, which is ECDSA on P-256 with SHA-256 (RFC 7518 §3.4), and for RS256, which is RSASSA-PKCS1-v1_5 with
// SHA-256 (§3.3).
import { type KeyObject, createPrivateKey, createPublicKey, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { IdTokenAlgorithm } from '@bailiwick/contract'
import type { SigningKeyId, TenantId } from '../ids.ts'
import { rsaBits, thumbprintOf } from './key-pair.ts'
import type { Sealer } from './sealed.ts'
import { signingKeyTables } from './tables.ts'

export interface SigningKey {
  /** The public key's thumbprint (RFC 7638): the same key has the same id everywhere. */
  readonly kid: string
  /** SPKI. */
  readonly publicPem: string
  /** PKCS #8; must be sealed before it is stored. */
  readonly privatePem: string
}

const generate = promisify(generateKeyPair)

/**
 * Returns the id of a public key.
 * @throws RangeError for a key of another kind.
 */
export const keyIdOfPublicKey = (publicPem: string): string => thumbprintOf(createPublicKey(publicPem))

/** Generates a key pair off the event loop. */
export async function generateSigningKey(algorithm: IdTokenAlgorithm = 'ES256'): Promise<SigningKey> {
  const { publicKey, privateKey } = await (algorithm === 'RS256'
    ? generate('rsa', { modulusLength: rsaBits })
    : generate('ec', { namedCurve: 'P-256' }))
  return {
    kid: thumbprintOf(publicKey),
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    privatePem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/**
 * Opens the private key of a row.
 * @throws SealError if it was sealed under another master key.
 */
export function openSigningKey(
  sealer: Sealer,
  row: { readonly tenant_id: TenantId; readonly id: SigningKeyId; readonly sealed_private_pem: string },
  algorithm: IdTokenAlgorithm = 'ES256',
): KeyObject {
  const place = signingKeyTables[algorithm].place('sealed_private_pem', row)
  return createPrivateKey(sealer.open(row.sealed_private_pem, place))
}
