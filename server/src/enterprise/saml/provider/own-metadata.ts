// What a provider needs to know of a connection: our metadata as a service provider.
import { offeredCiphers, offeredKeyTransport } from '../assertions/decrypt-assertion.ts'
import {
  metadataNamespace,
  postBinding,
  protocolNamespace,
  redirectBinding,
  signatureNamespace,
} from '../saml-names.ts'
import { escaped } from '../xml/escaped.ts'

export interface OwnMetadata {
  readonly entityId: string
  readonly acsUrl: string
  readonly sloUrl: string
  readonly nameIdFormat: string | null
  /** Base64 of DER. */
  readonly certificate: string
}

export function ownMetadataXml({ entityId, acsUrl, sloUrl, nameIdFormat, certificate }: OwnMetadata): string {
  const keyInfo = `<ds:KeyInfo xmlns:ds="${signatureNamespace}"><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>`
  const methods = [...offeredCiphers, offeredKeyTransport].map((name) => `<md:EncryptionMethod Algorithm="${name}"/>`)
  const format = nameIdFormat === null ? '' : `<md:NameIDFormat>${escaped(nameIdFormat)}</md:NameIDFormat>`
  const logout = [redirectBinding, postBinding].map(
    (binding) => `<md:SingleLogoutService Binding="${binding}" Location="${escaped(sloUrl)}"/>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="${metadataNamespace}" entityID="${escaped(entityId)}">
  <md:SPSSODescriptor AuthnRequestsSigned="true" WantAssertionsSigned="true" protocolSupportEnumeration="${protocolNamespace}">
    <md:KeyDescriptor use="signing">${keyInfo}</md:KeyDescriptor>
    <md:KeyDescriptor use="encryption">${keyInfo}${methods.join('')}</md:KeyDescriptor>
    ${logout.join('')}
    ${format}
    <md:AssertionConsumerService Binding="${postBinding}" Location="${escaped(acsUrl)}" index="0" isDefault="true"/>
  </md:SPSSODescriptor>
</md:EntityDescriptor>
`
}
