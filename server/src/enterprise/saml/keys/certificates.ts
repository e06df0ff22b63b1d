// The certificates with which a provider signs. They are trusted because an administrator has entered them: only their keys count, and neither
// who issued them nor how long they say they live (SAML V2.0 Metadata Interoperability Profile, section 2.6.1). Their ends are announced, though.
import { type KeyObject, X509Certificate, createPrivateKey } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { entriesAtMost } from '../../../platform/cache/memory.ts'

const rsaBitsMin = 2048
/** How many keys are kept, over all tenants, by their certificates. */
const keysMax = 500
const keys = new LRUCache<string, KeyObject>(entriesAtMost(keysMax))
const curves = new Set(['prime256v1', 'secp384r1', 'secp521r1'])

function isStrong(key: KeyObject): boolean {
  const { modulusLength = 0, namedCurve = '' } = key.asymmetricKeyDetails ?? {}
  return key.asymmetricKeyType === 'rsa'
    ? modulusLength >= rsaBitsMin
    : key.asymmetricKeyType === 'ec' && curves.has(namedCurve)
}

/**
 * Returns a certificate, given as PEM or as its base64 alone, in base64 of DER, as metadata have it; undefined for what is none, or whose key is
 * too weak or of another kind than RSA and EC.
 */
export function certificateValue(text: string): string | undefined {
  const value = text.replaceAll(/-----(?:BEGIN|END) CERTIFICATE-----/g, '').replaceAll(/\s/g, '')
  try {
    const certificate = new X509Certificate(Buffer.from(value, 'base64'))
    return isStrong(certificate.publicKey) ? certificate.raw.toString('base64') : undefined
  } catch {
    return undefined
  }
}

const parsed = (value: string) => new X509Certificate(Buffer.from(value, 'base64'))

/** @param value as `certificateValue` returned it. */
export function certificateFacts(value: string) {
  const certificate = parsed(value)
  return {
    /** SHA-256 in hexadecimal. */
    fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    expiresAt: certificate.validToDate,
  }
}

/** @param value as `certificateValue` returned it. */
export function publicKeyIn(value: string): KeyObject {
  const known = keys.get(value)
  if (known !== undefined) return known
  const key = parsed(value).publicKey
  keys.set(value, key)
  return key
}

export const pemFrom = (value: string): string =>
  ['-----BEGIN CERTIFICATE-----', ...(value.match(/.{1,64}/g) ?? []), '-----END CERTIFICATE-----', ''].join('\n')

/** Whether a text is the PEM of a private RSA key. */
export function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}
