// Decrypts an assertion with the key of its connection. Only what cannot be changed unnoticed is accepted: AES-GCM, and RSA-OAEP for its key.
// CBC and RSA with the padding of PKCS #1 1.5 are refused, since answers about them have served to decrypt messages of others.
import { type KeyObject, constants, createDecipheriv, privateDecrypt } from 'node:crypto'
import { encryptionNamespace, signatureNamespace } from '../saml-names.ts'
import { SamlRefusal } from '../saml-refusal.ts'
import { fromBase64 } from '../xml/base64.ts'
import { type XmlElement, allElements, attribute, childrenNamed, isNamed, plainText } from '../xml/xml-tree.ts'

const encryption11 = 'http://www.w3.org/2009/xmlenc11#'
const ciphers: ReadonlyMap<
  string,
  { readonly name: 'aes-128-gcm' | 'aes-192-gcm' | 'aes-256-gcm'; readonly keyLength: number }
> = new Map([
  [`${encryption11}aes128-gcm`, { name: 'aes-128-gcm', keyLength: 16 }],
  [`${encryption11}aes192-gcm`, { name: 'aes-192-gcm', keyLength: 24 }],
  [`${encryption11}aes256-gcm`, { name: 'aes-256-gcm', keyLength: 32 }],
])
export const offeredCiphers = [`${encryption11}aes256-gcm`, `${encryption11}aes128-gcm`] as const
export const offeredKeyTransport = `${encryptionNamespace.slice(0, -1)}#rsa-oaep-mgf1p`

/** The hashes of OAEP, which OpenSSL uses for its mask too; SHA-1 is not weak there. */
const oaepHashes: ReadonlyMap<string, string> = new Map([
  ['http://www.w3.org/2000/09/xmldsig#sha1', 'sha1'],
  ['http://www.w3.org/2001/04/xmlenc#sha256', 'sha256'],
  ['http://www.w3.org/2001/04/xmldsig-more#sha384', 'sha384'],
  ['http://www.w3.org/2001/04/xmlenc#sha512', 'sha512'],
])
const initializationLength = 12
const tagLength = 16

/** One answer for whatever fails, so that nobody learns anything about a message of somebody else by changing it. */
const failed = () =>
  new SamlRefusal('decryption_failed', 'The assertion cannot be decrypted with the key of this connection.')
const refused = (what: string) =>
  new SamlRefusal('algorithm_refused', `The assertion is encrypted with ${what}, which is not accepted.`)

function only(element: XmlElement, namespace: string, name: string): XmlElement {
  const [found, ...more] = childrenNamed(element, namespace, name)
  if (found === undefined || more.length > 0) throw failed()
  return found
}

function cipherValue(encrypted: XmlElement): Buffer {
  const value = only(only(encrypted, encryptionNamespace, 'CipherData'), encryptionNamespace, 'CipherValue')
  const bytes = fromBase64(plainText(value) ?? '')
  if (bytes === undefined) throw failed()
  return bytes
}

function oaepHash(method: XmlElement): string {
  const transport = attribute(method, 'Algorithm')
  const isFixedMask = transport === offeredKeyTransport
  if (!isFixedMask && transport !== `${encryption11}rsa-oaep`) throw refused('another algorithm than RSA-OAEP')
  const [digestMethod] = childrenNamed(method, signatureNamespace, 'DigestMethod')
  const digestName = digestMethod === undefined ? 'sha1' : oaepHashes.get(attribute(digestMethod, 'Algorithm') ?? '')
  const [mask] = childrenNamed(method, encryption11, 'MGF')
  const maskName =
    mask === undefined || isFixedMask ? 'sha1' : attribute(mask, 'Algorithm')?.replace(`${encryption11}mgf1`, '')
  if (digestName === undefined || digestName !== maskName) throw refused('RSA-OAEP with two different hashes')
  if (childrenNamed(method, encryptionNamespace, 'OAEPparams').length > 0) throw refused('parameters of RSA-OAEP')
  return digestName
}

function contentKey(encryptedKey: XmlElement, key: KeyObject, length: number): Buffer {
  const hash = oaepHash(only(encryptedKey, encryptionNamespace, 'EncryptionMethod'))
  const options = { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: hash }
  const secret = privateDecrypt(options, cipherValue(encryptedKey))
  if (secret.length !== length) throw failed()
  return secret
}

/**
 * Returns the XML of the assertion.
 * @throws SamlRefusal decryption_failed, algorithm_refused
 */
export function decryptedXml(encryptedAssertion: XmlElement, key: KeyObject): string {
  const data = only(encryptedAssertion, encryptionNamespace, 'EncryptedData')
  const cipher = ciphers.get(attribute(only(data, encryptionNamespace, 'EncryptionMethod'), 'Algorithm') ?? '')
  if (cipher === undefined) throw refused('another algorithm than AES-GCM')
  // The key is in the data or beside it (SAML Core 2.0 section 6.3), and may be encrypted for several readers only where it names them.
  const keys = allElements(encryptedAssertion).filter((each) => isNamed(each, encryptionNamespace, 'EncryptedKey'))
  const [encryptedKey] = keys
  if (encryptedKey === undefined || keys.length > 1) throw failed()
  try {
    const secret = contentKey(encryptedKey, key, cipher.keyLength)
    const bytes = cipherValue(data)
    const decipher = createDecipheriv(cipher.name, secret, bytes.subarray(0, initializationLength), {
      authTagLength: tagLength,
    })
    decipher.setAuthTag(bytes.subarray(-tagLength))
    const plain = Buffer.concat([decipher.update(bytes.subarray(initializationLength, -tagLength)), decipher.final()])
    return new TextDecoder('utf-8', { fatal: true }).decode(plain)
  } catch (error) {
    throw error instanceof SamlRefusal ? error : failed()
  }
}
