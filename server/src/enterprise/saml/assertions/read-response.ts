// Reads the response that a browser brings from an identity provider. It is the provider's word only as far as it is signed: whatever is read of
// a person is read from the very bytes whose signature was checked, and never from the document around them.
import type { KeyObject } from 'node:crypto'
import { assertionNamespace, protocolNamespace, signatureNamespace, successStatus } from '../saml-names.ts'
import { SamlRefusal } from '../saml-refusal.ts'
import { verifiedXml } from '../signatures/verify-signature.ts'
import { fromBase64 } from '../xml/base64.ts'
import { charactersMax, readXml } from '../xml/read-xml.ts'
import { XmlProblem } from '../xml/xml-problem.ts'
import { type XmlElement, allElements, attribute, childrenNamed, isNamed, plainText } from '../xml/xml-tree.ts'
import { decryptedXml } from './decrypt-assertion.ts'

export interface ResponseKeys {
  /** Of the connection's certificates. */
  readonly signedWith: readonly KeyObject[]
  readonly decryptWith: KeyObject | null
  readonly mustBeEncrypted: boolean
}

export interface ReadResponse {
  /** Verified only if the response itself is signed. */
  readonly response: XmlElement
  /** Read from verified bytes. */
  readonly assertion: XmlElement
}

const unusual = (message: string) => new SamlRefusal('not_a_response', message)

/** @throws SamlRefusal */
export function decodedMessage(samlResponse: string): string {
  if (samlResponse.length > charactersMax * 1.4) throw new XmlProblem('too_large', 'it is too long')
  const bytes = fromBase64(samlResponse)
  if (bytes === undefined) throw unusual('The response is not base64.')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new XmlProblem('malformed', 'it is not UTF-8')
  }
}

/** Whatever is called so, in whatever namespace, could be read as an assertion by somebody. */
const isAssertion = ({ local }: XmlElement) => local === 'Assertion' || local === 'EncryptedAssertion'

/** Returns the only assertion of a response, which must stand where it belongs. */
function onlyAssertion(response: XmlElement): XmlElement {
  const [assertion, ...more] = allElements(response).filter(isAssertion)
  if (assertion === undefined) throw unusual('The response has no assertion.')
  if (more.length > 0 || !response.children.includes(assertion) || assertion.namespace !== assertionNamespace)
    throw new SamlRefusal('signature_wrapped', 'The response must have exactly one assertion, directly inside it.')
  return assertion
}

/** Returns the signature of each element that has one; nowhere else may one stand. */
function signaturesIn(root: XmlElement, owners: readonly XmlElement[]): ReadonlyMap<XmlElement, XmlElement> {
  const found = new Map<XmlElement, XmlElement>()
  for (const signature of allElements(root).filter(({ local }) => local === 'Signature')) {
    const owner = owners.find(({ children }) => children.includes(signature))
    if (owner === undefined || found.has(owner) || signature.namespace !== signatureNamespace)
      throw new SamlRefusal('signature_wrapped', 'A signature stands where none belongs.')
    found.set(owner, signature)
  }
  return found
}

/** Returns the verified copy of an element; undefined if it is not signed. */
function verified(
  root: XmlElement,
  element: XmlElement,
  signature: XmlElement | undefined,
  { signedWith }: ResponseKeys,
) {
  return signature === undefined ? undefined : readXml(verifiedXml(root, element, signature, signedWith))
}

/** Says what the provider reports, in its own codes, which are fixed names. */
function assertSuccess(response: XmlElement) {
  const [status] = childrenNamed(response, protocolNamespace, 'Status')
  const [code] = status === undefined ? [] : childrenNamed(status, protocolNamespace, 'StatusCode')
  if (code === undefined) throw unusual('The response has no status.')
  const value = attribute(code, 'Value') ?? ''
  if (value === successStatus) return
  const [second] = childrenNamed(code, protocolNamespace, 'StatusCode')
  const names = [value, second === undefined ? '' : (attribute(second, 'Value') ?? '')]
    .map((name) => /^urn:oasis:names:tc:SAML:2\.0:status:([A-Za-z]{1,40})$/.exec(name)?.[1])
    .filter((name) => name !== undefined)
  throw new SamlRefusal(
    'provider_refused',
    `The provider did not sign the user in: ${names.join(', ') || 'no reason'}.`,
  )
}

const unsigned = () => new SamlRefusal('unsigned', 'Neither the response nor the assertion is signed.')

function openEncrypted(element: XmlElement, isCovered: boolean, keys: ResponseKeys): XmlElement {
  const { decryptWith } = keys
  if (decryptWith === null)
    throw new SamlRefusal('decryption_failed', 'The assertion is encrypted, but the connection has no key for that.')
  const assertion = readXml(decryptedXml(element, decryptWith))
  const inside = allElements(assertion).filter(isAssertion)
  if (!isNamed(assertion, assertionNamespace, 'Assertion') || inside.length > 1)
    throw new SamlRefusal('signature_wrapped', 'What is encrypted is not one assertion.')
  const own = verified(assertion, assertion, signaturesIn(assertion, [assertion]).get(assertion), keys)
  // Everybody knows the public key with which an assertion is encrypted: that alone proves nothing.
  if (own === undefined && !isCovered) throw unsigned()
  return own ?? assertion
}

/**
 * Returns the response and its assertion.
 * @throws SamlRefusal, XmlProblem
 */
export function readResponse(samlResponse: string, keys: ResponseKeys): ReadResponse {
  const root = readXml(decodedMessage(samlResponse))
  if (!isNamed(root, protocolNamespace, 'Response')) throw unusual('The message is not a response of SAML 2.0.')
  if (allElements(root).some((each) => each.local === 'Response' && each !== root))
    throw new SamlRefusal('signature_wrapped', 'A response stands in another.')
  assertSuccess(root)
  const element = onlyAssertion(root)
  const isEncrypted = element.local === 'EncryptedAssertion'
  if (keys.mustBeEncrypted && !isEncrypted) throw new SamlRefusal('not_encrypted', 'The assertion is not encrypted.')
  const signatures = signaturesIn(root, isEncrypted ? [root] : [root, element])
  const response = verified(root, root, signatures.get(root), keys)
  if (isEncrypted) {
    const covered = response === undefined ? element : onlyAssertion(response)
    return { response: response ?? root, assertion: openEncrypted(covered, response !== undefined, keys) }
  }
  const assertion = verified(root, element, signatures.get(element), keys)
  if (assertion === undefined && response === undefined) throw unsigned()
  return { response: response ?? root, assertion: assertion ?? onlyAssertion(response ?? root) }
}

/** Returns the text of the only child with a name; undefined if there is none. */
export function textOfOnly(element: XmlElement, namespace: string, name: string): string | undefined {
  const [child, ...more] = childrenNamed(element, namespace, name)
  return child === undefined || more.length > 0 ? undefined : plainText(child)
}
