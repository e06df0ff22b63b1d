// Checks the signature that stands in the element it signs, which is the only form that SAML allows (SAML Core 2.0 section 5.4).
import { type KeyObject, timingSafeEqual } from 'node:crypto'
import { envelopedSignature, exclusiveCanonicalXml, signatureNamespace } from '../saml-names.ts'
import { SamlRefusal } from '../saml-refusal.ts'
import { fromBase64 } from '../xml/base64.ts'
import { canonicalXml } from '../xml/canonical-xml.ts'
import { readXml } from '../xml/read-xml.ts'
import {
  type XmlElement,
  allElements,
  attribute,
  childrenNamed,
  elementsIn,
  isNamed,
  plainText,
} from '../xml/xml-tree.ts'
import { digest, isDigestAlgorithm, isSignatureAlgorithm, isSignedBy } from './algorithms.ts'

const inclusivePrefixesMax = 16

const unusual = (what: string) => new SamlRefusal('signature_malformed', `The signature ${what}.`)

/** Returns the children of an element of a signature, which must have exactly these names, in this order; those that end in ? may be missing. */
function childrenAs(element: XmlElement, names: readonly string[]): ReadonlyMap<string, XmlElement> {
  const found = new Map<string, XmlElement>()
  const children = elementsIn(element)
  let n = 0
  for (const name of names) {
    const local = name.replace('?', '')
    const child = children[n]
    if (child !== undefined && isNamed(child, signatureNamespace, local)) {
      found.set(local, child)
      n += 1
    } else if (local === name) throw unusual(`has no ${local} where one belongs`)
  }
  if (n < children.length) throw unusual(`has more in ${element.local} than belongs there`)
  return found
}

const child = (children: ReadonlyMap<string, XmlElement>, name: string): XmlElement => {
  const element = children.get(name)
  if (element === undefined) throw unusual(`has no ${name}`)
  return element
}

const algorithmIn = (element: XmlElement) => attribute(element, 'Algorithm') ?? ''

/** Returns the prefixes of an exclusive canonicalization. */
function readPrefixes(method: XmlElement): string[] {
  if (algorithmIn(method) !== exclusiveCanonicalXml)
    throw new SamlRefusal(
      'algorithm_refused',
      'The signature uses another form of XML than exclusive canonical XML without comments.',
    )
  const [list, ...rest] = elementsIn(method)
  if (list === undefined) return []
  if (rest.length > 0 || !isNamed(list, exclusiveCanonicalXml, 'InclusiveNamespaces'))
    throw unusual('has a transformation with unknown parameters')
  const prefixes = (attribute(list, 'PrefixList') ?? '').split(' ').filter((prefix) => prefix !== '')
  if (prefixes.length > inclusivePrefixesMax) throw unusual('lists too many namespaces')
  return prefixes
}

function bytesIn(element: XmlElement): Buffer {
  const bytes = fromBase64(plainText(element) ?? '')
  if (bytes === undefined) throw unusual(`has a ${element.local} that is not base64`)
  return bytes
}

/** Returns the canonical form of what is signed, as the provider's key signed it. */
function verifiedSignedInfo(signature: XmlElement, keys: readonly KeyObject[]): XmlElement {
  const parts = childrenAs(signature, ['SignedInfo', 'SignatureValue', 'KeyInfo?'])
  const signedInfo = child(parts, 'SignedInfo')
  const [canonicalization, method] = elementsIn(signedInfo)
  if (canonicalization === undefined || method === undefined) throw unusual('does not say how it was made')
  const algorithm = algorithmIn(method)
  if (!isSignatureAlgorithm(algorithm))
    throw new SamlRefusal('algorithm_refused', 'The signature uses an algorithm that is not accepted, such as SHA-1.')
  const canonical = canonicalXml(signedInfo, { inclusivePrefixes: readPrefixes(canonicalization) })
  const value = bytesIn(child(parts, 'SignatureValue'))
  const bytes = Buffer.from(canonical)
  if (!keys.some((key) => isSignedBy(key, algorithm, bytes, value)))
    throw new SamlRefusal('signature_wrong', 'The signature was not made with a certificate of this connection.')
  const verified = readXml(canonical)
  const [, verifiedMethod] = elementsIn(verified)
  if (verifiedMethod === undefined || algorithmIn(verifiedMethod) !== algorithm) throw unusual('contradicts itself')
  return verified
}

/** What ends in ID, whatever its case and namespace, can be what a reader takes for one. */
const isId = (name: string) => name.toLowerCase() === 'id'

function assertOnlyOne(root: XmlElement, id: string) {
  const same = allElements(root).flatMap(({ attributes }) =>
    attributes.filter(({ local, value }) => isId(local) && value === id),
  )
  if (same.length !== 1) throw new SamlRefusal('signature_wrapped', 'Several elements have the ID that is signed.')
}

/** Returns the second of the two transformations that SAML allows (SAML Core 2.0 section 5.4.4). */
function exclusiveTransform(transforms: XmlElement): XmlElement {
  const [enveloped, exclusive, ...more] = childrenNamed(transforms, signatureNamespace, 'Transform')
  if (
    enveloped === undefined ||
    algorithmIn(enveloped) !== envelopedSignature ||
    exclusive === undefined ||
    more.length > 0 ||
    elementsIn(transforms).length > 2
  )
    throw unusual('has other transformations than the two that SAML allows')
  return exclusive
}

/**
 * Returns the canonical bytes of an element that its own signature covers.
 * @param root of the document, in which nothing else may have the ID.
 * @throws SamlRefusal signature_malformed, signature_wrapped, signature_wrong, algorithm_refused
 */
export function verifiedXml(
  root: XmlElement,
  signed: XmlElement,
  signature: XmlElement,
  keys: readonly KeyObject[],
): string {
  const signedInfo = childrenAs(verifiedSignedInfo(signature, keys), [
    'CanonicalizationMethod',
    'SignatureMethod',
    'Reference',
  ])
  const reference = child(signedInfo, 'Reference')
  const parts = childrenAs(reference, ['Transforms', 'DigestMethod', 'DigestValue'])
  const id = attribute(signed, 'ID') ?? ''
  if (id === '' || attribute(reference, 'URI') !== `#${id}`)
    throw new SamlRefusal('signature_wrapped', 'The signature covers another element than the one in which it stands.')
  assertOnlyOne(root, id)
  const exclusive = exclusiveTransform(child(parts, 'Transforms'))
  const algorithm = algorithmIn(child(parts, 'DigestMethod'))
  if (!isDigestAlgorithm(algorithm))
    throw new SamlRefusal('algorithm_refused', 'The signature uses a digest that is not accepted, such as SHA-1.')
  const canonical = canonicalXml(signed, { without: signature, inclusivePrefixes: readPrefixes(exclusive) })
  const actual = digest(algorithm, Buffer.from(canonical))
  const stated = bytesIn(child(parts, 'DigestValue'))
  if (actual.length !== stated.length || !timingSafeEqual(actual, stated))
    throw new SamlRefusal('signature_wrong', 'The message is not as the provider signed it.')
  return canonical
}
