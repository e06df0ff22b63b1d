// The algorithms with which a provider may sign. Others are refused by name: SHA-1 and MD5, symmetric keys, DSA.
import { type KeyObject, type SigningOptions, constants, createHash, verify } from 'node:crypto'

interface SignatureAlgorithm {
  readonly hash: 'sha256' | 'sha384' | 'sha512'
  readonly keyType: 'rsa' | 'ec'
  readonly options?: SigningOptions
}

const pss: SigningOptions = {
  padding: constants.RSA_PKCS1_PSS_PADDING,
  saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
}
const ec: SigningOptions = { dsaEncoding: 'ieee-p1363' }

const more = 'http://www.w3.org/2001/04/xmldsig-more#'
const pssMore = 'http://www.w3.org/2007/05/xmldsig-more#'
/** RFC 9231. */
const signatureAlgorithms: ReadonlyMap<string, SignatureAlgorithm> = new Map([
  [`${more}rsa-sha256`, { hash: 'sha256', keyType: 'rsa' }],
  [`${more}rsa-sha384`, { hash: 'sha384', keyType: 'rsa' }],
  [`${more}rsa-sha512`, { hash: 'sha512', keyType: 'rsa' }],
  [`${pssMore}sha256-rsa-MGF1`, { hash: 'sha256', keyType: 'rsa', options: pss }],
  [`${pssMore}sha384-rsa-MGF1`, { hash: 'sha384', keyType: 'rsa', options: pss }],
  [`${pssMore}sha512-rsa-MGF1`, { hash: 'sha512', keyType: 'rsa', options: pss }],
  [`${more}ecdsa-sha256`, { hash: 'sha256', keyType: 'ec', options: ec }],
  [`${more}ecdsa-sha384`, { hash: 'sha384', keyType: 'ec', options: ec }],
  [`${more}ecdsa-sha512`, { hash: 'sha512', keyType: 'ec', options: ec }],
])
export const rsaSha256 = `${more}rsa-sha256`

const digestAlgorithms: ReadonlyMap<string, string> = new Map([
  ['http://www.w3.org/2001/04/xmlenc#sha256', 'sha256'],
  [`${more}sha384`, 'sha384'],
  ['http://www.w3.org/2001/04/xmlenc#sha512', 'sha512'],
])

export const isSignatureAlgorithm = (name: string) => signatureAlgorithms.has(name)
export const isDigestAlgorithm = (name: string) => digestAlgorithms.has(name)

/** The algorithm and the kind of key must fit, so that no key is used for what it was not made for. */
export function isSignedBy(key: KeyObject, algorithm: string, bytes: Buffer, signature: Buffer): boolean {
  const known = signatureAlgorithms.get(algorithm)
  if (known === undefined || key.asymmetricKeyType !== known.keyType) return false
  return verify(known.hash, bytes, { key, ...known.options }, signature)
}

export const digest = (algorithm: string, bytes: Buffer): Buffer =>
  createHash(digestAlgorithms.get(algorithm) ?? '')
    .update(bytes)
    .digest()
