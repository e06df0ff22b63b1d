// The two halves of a key that signs tokens, and the names of keys.
import { type KeyObject, createPrivateKey, createPublicKey, hash } from 'node:crypto'

/** Returns the thumbprint of a public key (RFC 7638). @throws RangeError for a key of another kind. */
export function thumbprintOf(publicKey: KeyObject): string {
  const { crv, e, kty, n, x, y } = publicKey.export({ format: 'jwk' })
  // RFC 7638 §3.2: only the required members, in the order of their names.
  if (kty === 'RSA') return hash('sha256', JSON.stringify({ e, kty, n }), 'base64url')
  if (kty !== 'EC' || crv !== 'P-256') throw new RangeError('the key is neither a P-256 key nor an RSA key')
  return hash('sha256', JSON.stringify({ crv, kty, x, y }), 'base64url')
}

/** RFC 7518 §3.3 requires 2048 bits or more. */
export const rsaBits = 2048

/** Whether both are one pair of such a kind. */
export function isKeyPair(kind: 'ec' | 'rsa', publicPem: string, privatePem: string): boolean {
  try {
    const ownPublic = createPublicKey(createPrivateKey(privatePem))
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = ownPublic
    const isStrong = kind === 'ec' ? details?.namedCurve === 'prime256v1' : (details?.modulusLength ?? 0) >= rsaBits
    return type === kind && isStrong && ownPublic.equals(createPublicKey(publicPem))
  } catch {
    return false
  }
}

/** Whether the name is that of the public key. */
export function isNameOfKey(kid: string, publicPem: string): boolean {
  try {
    return thumbprintOf(createPublicKey(publicPem)) === kid
  } catch {
    return false
  }
}
