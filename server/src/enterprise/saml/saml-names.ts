// Names of SAML 2.0 and of the standards of XML that it uses.
import type { NameIdFormat } from '@bailiwick/contract'

export const assertionNamespace = 'urn:oasis:names:tc:SAML:2.0:assertion'
export const protocolNamespace = 'urn:oasis:names:tc:SAML:2.0:protocol'
export const metadataNamespace = 'urn:oasis:names:tc:SAML:2.0:metadata'
export const signatureNamespace = 'http://www.w3.org/2000/09/xmldsig#'
export const encryptionNamespace = 'http://www.w3.org/2001/04/xmlenc#'

export const exclusiveCanonicalXml = 'http://www.w3.org/2001/10/xml-exc-c14n#'
export const envelopedSignature = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
export const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
export const redirectBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
export const postBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST'
export const successStatus = 'urn:oasis:names:tc:SAML:2.0:status:Success'
export const transientFormat = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'

const nameIdUrns: Readonly<Record<NameIdFormat, string>> = {
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  emailAddress: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  unspecified: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
}
export const nameIdUrn = (format: NameIdFormat | null) => (format === null ? null : nameIdUrns[format])
