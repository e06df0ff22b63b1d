import { X509Certificate } from 'node:crypto'
import { type ExpectedResponse, verifySamlResponse } from '../../../src/enterprise/saml/assertions/verify-assertion.ts'
import { SamlRefusal } from '../../../src/enterprise/saml/saml-refusal.ts'
import { type Crafted, type ProviderKey, base64 } from './crafted-response.ts'

export const someResponse: Crafted = {
  issuer: 'https://idp.example/metadata',
  audience: 'https://id.example/t/acme/saml/c1/metadata',
  acsUrl: 'https://id.example/t/acme/saml/c1/acs',
  inResponseTo: '_q1',
  now: Date.parse('2026-05-04T10:00:00Z'),
}

export const expectFrom = ({ issuer, audience, acsUrl, inResponseTo, now }: Crafted, ...keys: readonly ProviderKey[]) =>
  ({
    idpEntityId: issuer,
    spEntityId: audience,
    acsUrl,
    inResponseTo,
    now,
    signedWith: keys.map(({ certificate }) => new X509Certificate(certificate).publicKey),
    decryptWith: null,
    mustBeEncrypted: false,
  }) satisfies ExpectedResponse

/** Returns the reason of a refusal, and 'accepted as …' if there is none. */
export function outcome(xml: string, expected: ExpectedResponse): string {
  try {
    return `accepted as ${verifySamlResponse(base64(xml), expected).nameId}`
  } catch (error) {
    if (error instanceof SamlRefusal && error.message !== '') return error.reason
    throw error
  }
}
