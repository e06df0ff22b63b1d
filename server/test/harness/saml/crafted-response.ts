// A SAML identity provider in a few lines, for tests that need responses of every kind, also wrong ones. It signs with xml-crypto, so that what the
// service verifies was not made by its own code.
import { type KeyObject, constants, createCipheriv, generateKeyPairSync, publicEncrypt, randomBytes } from 'node:crypto'
import { selfSigned } from '../../../src/enterprise/saml/keys/self-signed.ts'
import { SignedXml } from './other-implementations.ts'

export interface ProviderKey {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  /** PEM. */
  readonly certificate: string
}

export function newProviderKey(notAfter = new Date('2040-01-01T00:00:00Z')): ProviderKey {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const about = {
    commonName: 'idp.example',
    serial: randomBytes(16),
    notBefore: new Date('2020-01-01T00:00:00Z'),
    notAfter,
  }
  return { ...pair, certificate: selfSigned(pair, about) }
}

export interface Crafted {
  readonly issuer: string
  readonly audience: string
  readonly acsUrl: string
  readonly inResponseTo: string | null
  /** In milliseconds. */
  readonly now: number
  readonly nameId?: string
  readonly nameIdFormat?: string
  readonly attributes?: Readonly<Record<string, string | readonly string[]>>
  readonly assertionId?: string
  readonly responseId?: string
  readonly recipient?: string
  readonly destination?: string
  readonly responseIssuer?: string
  readonly audiences?: readonly string[]
  readonly notBefore?: number
  readonly notOnOrAfter?: number
  readonly confirmedUntil?: number | null
  readonly confirmedRequest?: string | null
  readonly issuedAt?: number
  readonly sessionUntil?: number
  readonly method?: string
  readonly status?: string
  /** Put into Conditions. */
  readonly condition?: string
}

const iso = (milliseconds: number) => new Date(milliseconds).toISOString()
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const optional = (name: string, value: string | null | undefined) =>
  value === null || value === undefined ? '' : ` ${name}="${escaped(value)}"`
const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'

/** Returns an assertion; `nameId` is put in as it is, so that a test can write markup there. */
export function assertionXml(crafted: Crafted): string {
  const { now, issuer, audience, acsUrl } = crafted
  const { assertionId = `_a${randomBytes(16).toString('hex')}`, nameId = 'u-1001', audiences = [audience] } = crafted
  const request = crafted.confirmedRequest === undefined ? crafted.inResponseTo : crafted.confirmedRequest
  const until = crafted.confirmedUntil === undefined ? now + 300_000 : crafted.confirmedUntil
  const attributes = Object.entries(crafted.attributes ?? { email: 'ada@acme.example' }).map(
    ([name, values]) =>
      `<saml:Attribute Name="${escaped(name)}" NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:basic">${[values]
        .flat()
        .map((value) => `<saml:AttributeValue xsi:type="xs:string">${escaped(value)}</saml:AttributeValue>`)
        .join('')}</saml:Attribute>`,
  )
  return `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xs="http://www.w3.org/2001/XMLSchema" ID="${assertionId}" Version="2.0" IssueInstant="${iso(crafted.issuedAt ?? now)}">
  <saml:Issuer>${escaped(issuer)}</saml:Issuer>
  <saml:Subject>
    <saml:NameID Format="${crafted.nameIdFormat ?? persistent}">${nameId}</saml:NameID>
    <saml:SubjectConfirmation Method="${crafted.method ?? 'urn:oasis:names:tc:SAML:2.0:cm:bearer'}">
      <saml:SubjectConfirmationData${optional('NotOnOrAfter', until === null ? null : iso(until))} Recipient="${escaped(crafted.recipient ?? acsUrl)}"${optional('InResponseTo', request)}/>
    </saml:SubjectConfirmation>
  </saml:Subject>
  <saml:Conditions NotBefore="${iso(crafted.notBefore ?? now - 30_000)}" NotOnOrAfter="${iso(crafted.notOnOrAfter ?? now + 300_000)}">
    ${audiences.length === 0 ? '' : `<saml:AudienceRestriction>${audiences.map((each) => `<saml:Audience>${escaped(each)}</saml:Audience>`).join('')}</saml:AudienceRestriction>`}${crafted.condition ?? ''}
  </saml:Conditions>
  <saml:AuthnStatement AuthnInstant="${iso(now)}" SessionIndex="_s1"${optional('SessionNotOnOrAfter', crafted.sessionUntil === undefined ? null : iso(crafted.sessionUntil))}>
    <saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext>
  </saml:AuthnStatement>
  <saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement>
</saml:Assertion>`
}

export function responseXml(crafted: Crafted, inside = assertionXml(crafted)): string {
  const { responseId = `_r${randomBytes(16).toString('hex')}`, now, inResponseTo } = crafted
  return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="${responseId}" Version="2.0" IssueInstant="${iso(now)}" Destination="${escaped(crafted.destination ?? crafted.acsUrl)}"${optional('InResponseTo', inResponseTo)}>
<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${escaped(crafted.responseIssuer ?? crafted.issuer)}</saml:Issuer>
<samlp:Status><samlp:StatusCode Value="${crafted.status ?? 'urn:oasis:names:tc:SAML:2.0:status:Success'}"/></samlp:Status>
${inside}
</samlp:Response>`
}

export interface Signing {
  readonly signature?: string
  readonly digest?: string
  readonly canonical?: string
  readonly transforms?: readonly string[]
  readonly prefixes?: readonly string[]
}

const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'

export type SignedElement = 'Assertion' | 'Response' | 'LogoutRequest' | 'LogoutResponse'

/** Signs the first element with the name; its signature follows its Issuer. */
export function signed(xml: string, name: SignedElement, key: ProviderKey, signing: Signing = {}): string {
  const signer = new SignedXml({
    privateKey: key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicCert: key.certificate,
    signatureAlgorithm: signing.signature ?? 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: signing.canonical ?? exclusive,
  })
  const path = `//*[local-name(.)='${name}']`
  signer.addReference({
    xpath: path,
    transforms: [...(signing.transforms ?? [enveloped, exclusive])],
    digestAlgorithm: signing.digest ?? 'http://www.w3.org/2001/04/xmlenc#sha256',
    inclusiveNamespacesPrefixList: [...(signing.prefixes ?? [])],
  })
  signer.computeSignature(xml, {
    prefix: 'ds',
    location: { reference: `(${path})[1]/*[local-name(.)='Issuer']`, action: 'after' },
  })
  return signer.getSignedXml()
}

export interface Encryption {
  readonly cipher?: string
  readonly transport?: string
}

/** Encrypts an assertion for the holder of a key, with AES-256-GCM and RSA-OAEP. */
export function encryptedAssertion(xml: string, publicKey: KeyObject, { cipher, transport }: Encryption = {}): string {
  const [secret, iv] = [randomBytes(32), randomBytes(12)]
  const gcm = createCipheriv('aes-256-gcm', secret, iv)
  const data = Buffer.concat([iv, gcm.update(xml), gcm.final(), gcm.getAuthTag()]).toString('base64')
  const padding = constants.RSA_PKCS1_OAEP_PADDING
  const wrapped = publicEncrypt({ key: publicKey, padding, oaepHash: 'sha1' }, secret).toString('base64')
  return `<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"><xenc:EncryptedData xmlns:xenc="http://www.w3.org/2001/04/xmlenc#" Type="http://www.w3.org/2001/04/xmlenc#Element"><xenc:EncryptionMethod Algorithm="${cipher ?? 'http://www.w3.org/2009/xmlenc11#aes256-gcm'}"/><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><xenc:EncryptedKey><xenc:EncryptionMethod Algorithm="${transport ?? 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p'}"/><xenc:CipherData><xenc:CipherValue>${wrapped}</xenc:CipherValue></xenc:CipherData></xenc:EncryptedKey></ds:KeyInfo><xenc:CipherData><xenc:CipherValue>${data}</xenc:CipherValue></xenc:CipherData></xenc:EncryptedData></saml:EncryptedAssertion>`
}

export const base64 = (xml: string) => Buffer.from(xml).toString('base64')
