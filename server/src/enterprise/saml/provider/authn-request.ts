// The request with which a browser is sent to its provider, by the redirect binding (SAML Bindings 2.0 section 3.4), signed with the key of the
// connection.
import { type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'
import { assertionNamespace, postBinding, protocolNamespace } from '../saml-names.ts'
import { rsaSha256 } from '../signatures/algorithms.ts'
import { escaped } from '../xml/escaped.ts'

export interface AuthnRequest {
  /** An XML id, which the provider repeats. */
  readonly id: string
  readonly issuedAt: Date
  readonly spEntityId: string
  readonly acsUrl: string
  readonly ssoUrl: string
  /** The format of name ids to ask for; null leaves it to the provider. */
  readonly nameIdFormat: string | null
  readonly relayState: string
  readonly privateKey: KeyObject
}

const deflate = promisify(deflateRaw)

function requestXml({ id, issuedAt, spEntityId, acsUrl, ssoUrl, nameIdFormat }: AuthnRequest): string {
  const policy = nameIdFormat === null ? '' : ` Format="${escaped(nameIdFormat)}"`
  const attributes = [
    `xmlns:samlp="${protocolNamespace}" xmlns:saml="${assertionNamespace}" ID="${id}" Version="2.0"`,
    `IssueInstant="${issuedAt.toISOString()}" Destination="${escaped(ssoUrl)}"`,
    `ProtocolBinding="${postBinding}" AssertionConsumerServiceURL="${escaped(acsUrl)}"`,
  ]
  return `<samlp:AuthnRequest ${attributes.join(' ')}><saml:Issuer>${escaped(spEntityId)}</saml:Issuer><samlp:NameIDPolicy${policy} AllowCreate="true"/></samlp:AuthnRequest>`
}

/** Returns the address at the provider to which the browser is sent. */
export async function authnRequestUrl(request: AuthnRequest): Promise<string> {
  const compressed = await deflate(requestXml(request))
  const signed = [
    `SAMLRequest=${encodeURIComponent(compressed.toString('base64'))}`,
    `RelayState=${encodeURIComponent(request.relayState)}`,
    `SigAlg=${encodeURIComponent(rsaSha256)}`,
  ].join('&')
  const signature = sign('sha256', Buffer.from(signed), request.privateKey).toString('base64')
  const separator = request.ssoUrl.includes('?') ? '&' : '?'
  return `${request.ssoUrl}${separator}${signed}&Signature=${encodeURIComponent(signature)}`
}
