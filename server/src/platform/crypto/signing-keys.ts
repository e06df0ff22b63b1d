// The keys that sign session tokens: ES256, which is ECDSA on P-256 with SHA-256 (RFC 7518 §3.4).
import { type KeyObject, createPrivateKey, createPublicKey, generateKeyPair, hash } from 'node:crypto'
import { promisify } from 'node:util'
import type { RowOf } from '../db/table.ts'
import type { Sealer } from './sealed.ts'
import { signingKeys } from './tables.ts'

export interface SigningKey {
  /** The public key's thumbprint (RFC 7638): the same key has the same id everywhere. */
  readonly kid: string
  /** SPKI. */
  readonly publicPem: string
  /** PKCS #8; must be sealed before it is stored. */
  readonly privatePem: string
}

const generate = promisify(generateKeyPair)

function thumbprintOf(publicKey: KeyObject): string {
  const { crv, kty, x, y } = publicKey.export({ format: 'jwk' })
  if (kty !== 'EC' || crv !== 'P-256') throw new RangeError('the key is not a P-256 key')
  // RFC 7638 §3.2: only the required members, in the order of their names.
  return hash('sha256', JSON.stringify({ crv, kty, x, y }), 'base64url')
}

/**
 * Returns the id of a P-256 public key.
 * @throws RangeError for a key of another kind.
 */
export const keyIdOfPublicKey = (publicPem: string): string => thumbprintOf(createPublicKey(publicPem))

/** Generates a key pair off the event loop. */
export async function generateSigningKey(): Promise<SigningKey> {
  const { publicKey, privateKey } = await generate('ec', { namedCurve: 'P-256' })
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
export const openSigningKey = (
  sealer: Sealer,
  row: Pick<RowOf<typeof signingKeys>, 'tenant_id' | 'id' | 'sealed_private_pem'>,
): KeyObject => createPrivateKey(sealer.open(row.sealed_private_pem, signingKeys.place('sealed_private_pem', row)))
