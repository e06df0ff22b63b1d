// Other implementations of SAML, to compare with. Their own types are not read, because they bring in those of browsers for the whole project.
import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

interface Reference {
  readonly xpath: string
  readonly transforms: readonly string[]
  readonly digestAlgorithm: string
  readonly inclusiveNamespacesPrefixList?: readonly string[]
}
interface Signer {
  addReference(reference: Reference): void
  computeSignature(xml: string, options?: { prefix: string; location: { reference: string; action: 'after' } }): void
  getSignedXml(): string
}
interface SignerOptions {
  readonly privateKey: string
  readonly publicCert?: string
  readonly signatureAlgorithm: string
  readonly canonicalizationAlgorithm: string
}
export const { SignedXml } = load('xml-crypto') as { SignedXml: new (options: SignerOptions) => Signer }

interface ServiceProvider {
  validatePostResponseAsync(form: { SAMLResponse: string }): Promise<{ profile: { nameID: string } | null }>
}
export const { SAML: NodeSaml } = load('@node-saml/node-saml') as {
  SAML: new (options: Readonly<Record<string, unknown>>) => ServiceProvider
}

export const { safeValidateSAMLResponse } = load('@stytch/samlshield') as {
  safeValidateSAMLResponse: (response: { response_xml: string }) => Promise<{ valid: boolean }>
}
