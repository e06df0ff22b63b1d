// The request with which a browser is sent to its provider.
import type { KeyObject } from 'node:crypto'
import { assertionNamespace, postBinding, protocolNamespace } from '../saml-names.ts'
import { escaped } from '../xml/escaped.ts'
import { redirectUrl } from './redirect-binding.ts'

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
export const authnRequestUrl = (request: AuthnRequest): Promise<string> =>
  redirectUrl(request.ssoUrl, {
    name: 'SAMLRequest',
    xml: requestXml(request),
    relayState: request.relayState,
    privateKey: request.privateKey,
  })
