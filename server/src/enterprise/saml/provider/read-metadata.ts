// Reads the metadata of an identity provider (SAML Metadata 2.0), as an administrator pastes them or as they are fetched. Nothing is believed on
// their signature: whoever may set up the connection says that they are right.
import { isWebUri } from '@bailiwick/contract'
import { certificateValue } from '../keys/certificates.ts'
import { metadataNamespace, postBinding, redirectBinding, signatureNamespace } from '../saml-names.ts'
import { readXml } from '../xml/read-xml.ts'
import { XmlProblem } from '../xml/xml-problem.ts'
import { type XmlElement, allElements, attribute, childrenNamed, isNamed, plainText } from '../xml/xml-tree.ts'

export interface ProviderMetadata {
  readonly entityId: string
  /** Where requests are sent by the redirect binding. */
  readonly ssoUrl: string
  readonly certificates: readonly string[]
  /** Where it takes requests to sign out by the redirect binding; null if it does not. */
  readonly sloUrl: string | null
  /** Where it takes answers to its own requests to sign out; null: at `sloUrl` as well. */
  readonly sloResponseUrl: string | null
}

/** Why metadata are of no use; the text completes "The metadata …". */
export class MetadataProblem extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'MetadataProblem'
  }
}

const protocol = 'urn:oasis:names:tc:SAML:2.0:protocol'

function onlyProvider(root: XmlElement): { entity: XmlElement; role: XmlElement } {
  const entities = allElements(root).filter((each) => isNamed(each, metadataNamespace, 'EntityDescriptor'))
  const providers = entities.flatMap((entity) =>
    childrenNamed(entity, metadataNamespace, 'IDPSSODescriptor')
      .filter((role) => (attribute(role, 'protocolSupportEnumeration') ?? '').split(' ').includes(protocol))
      .map((role) => ({ entity, role })),
  )
  const [provider, ...more] = providers
  if (provider === undefined) throw new MetadataProblem('describe no identity provider of SAML 2.0')
  if (more.length > 0) throw new MetadataProblem('describe several identity providers')
  return provider
}

function signOnUrl(role: XmlElement): string {
  const services = childrenNamed(role, metadataNamespace, 'SingleSignOnService')
  const bindings = services.map((service) => attribute(service, 'Binding'))
  const found = services.find((service) => attribute(service, 'Binding') === redirectBinding)
  const url = found === undefined ? undefined : attribute(found, 'Location')
  if (url !== undefined) return url
  throw new MetadataProblem(
    bindings.includes(postBinding)
      ? 'offer sign-in only by the POST binding; the redirect binding is needed'
      : 'name no address for sign-in',
  )
}

function logoutUrls(role: XmlElement): Pick<ProviderMetadata, 'sloUrl' | 'sloResponseUrl'> {
  const service = childrenNamed(role, metadataNamespace, 'SingleLogoutService').find(
    (each) => attribute(each, 'Binding') === redirectBinding,
  )
  const [sloUrl = null, sloResponseUrl = null] = ['Location', 'ResponseLocation'].map((name) =>
    service === undefined ? undefined : attribute(service, name),
  )
  // Signing in does not depend on it, so metadata with an unusable address are metadata without one.
  const isUsable = [sloUrl, sloResponseUrl].every((url) => url === null || isWebUri(url))
  return sloUrl !== null && isUsable ? { sloUrl, sloResponseUrl } : { sloUrl: null, sloResponseUrl: null }
}

function signingCertificates(role: XmlElement): string[] {
  const texts = childrenNamed(role, metadataNamespace, 'KeyDescriptor')
    .filter((key) => (attribute(key, 'use') ?? 'signing') === 'signing')
    .flatMap((key) => allElements(key).filter((each) => isNamed(each, signatureNamespace, 'X509Certificate')))
    .map((element) => plainText(element) ?? '')
  const values = texts.map(certificateValue).filter((value) => value !== undefined)
  return [...new Set(values)]
}

/** @throws MetadataProblem */
export function readProviderMetadata(xml: string): ProviderMetadata {
  try {
    const { entity, role } = onlyProvider(readXml(xml))
    const entityId = attribute(entity, 'entityID')
    if (entityId === undefined) throw new MetadataProblem('name no entity id')
    const certificates = signingCertificates(role)
    if (certificates.length === 0)
      throw new MetadataProblem('have no certificate for signatures with an RSA key of 2,048 bits or an EC key')
    return { entityId, ssoUrl: signOnUrl(role), certificates, ...logoutUrls(role) }
  } catch (error) {
    if (error instanceof XmlProblem) throw new MetadataProblem(`cannot be read: ${error.message}`)
    throw error
  }
}
