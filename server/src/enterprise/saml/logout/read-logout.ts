// Reads what a provider says of signing out: its own request, or the answer to ours. Both are signed, by either binding, or not believed.
import type { KeyObject } from 'node:crypto'
import { decodedMessage, textOfOnly } from '../assertions/read-response.ts'
import { nameIdIn } from '../assertions/verify-assertion.ts'
import { type MessageName, readRedirect } from '../provider/redirect-binding.ts'
import { assertionNamespace, protocolNamespace, signatureNamespace, successStatus } from '../saml-names.ts'
import { SamlRefusal } from '../saml-refusal.ts'
import { ageMax, skew, timeIn } from '../saml-times.ts'
import { verifiedXml } from '../signatures/verify-signature.ts'
import { readXml } from '../xml/read-xml.ts'
import { XmlProblem } from '../xml/xml-problem.ts'
import { type XmlElement, attribute, childrenNamed, isNamed, plainText } from '../xml/xml-tree.ts'

export interface ExpectedLogout {
  readonly idpEntityId: string
  /** Our single logout service. */
  readonly sloUrl: string
  readonly signedWith: readonly KeyObject[]
  /** In milliseconds. */
  readonly now: number
}

export interface LogoutRequest {
  readonly kind: 'request'
  readonly id: string
  readonly nameId: string
  /** The sessions at the provider that are meant; none means all of the person. */
  readonly sessionIndexes: readonly string[]
  /** Until when it could be sent again, in milliseconds. */
  readonly repeatableUntil: number
  /** For the provider alone, which gets it back. */
  readonly relayState: string | null
}

export interface LogoutResponse {
  readonly kind: 'response'
  readonly inResponseTo: string
  readonly isSuccess: boolean
}

/** A message as the browser brought it. */
export type SentMessage = { readonly query: string } | { readonly form: URLSearchParams }

const sessionIndexesMax = 100
const idLengthMax = 512
const relayStateLengthMax = 1024

const unusual = (message: string) => new SamlRefusal('not_a_response', message)

interface Verified {
  readonly name: MessageName
  readonly root: XmlElement
  readonly relayState: string | null
}

function verifiedForm(form: URLSearchParams, keys: readonly KeyObject[]): Verified {
  const names = (['SAMLRequest', 'SAMLResponse'] as const).filter((each) => form.has(each))
  const [name] = names
  const values = name === undefined ? [] : form.getAll(name)
  const relayStates = form.getAll('RelayState')
  if (name === undefined || names.length > 1 || values.length > 1 || relayStates.length > 1)
    throw unusual('The form has no message, or several.')
  const root = readXml(decodedMessage(values[0] ?? ''))
  const [signature, ...more] = childrenNamed(root, signatureNamespace, 'Signature')
  if (signature === undefined) throw new SamlRefusal('unsigned', 'The message is not signed.')
  if (more.length > 0) throw new SamlRefusal('signature_wrapped', 'The message has several signatures.')
  return { name, root: readXml(verifiedXml(root, root, signature, keys)), relayState: relayStates[0] ?? null }
}

function verifiedMessage(sent: SentMessage, keys: readonly KeyObject[]): Verified {
  if ('form' in sent) return verifiedForm(sent.form, keys)
  const { name, xml, relayState } = readRedirect(sent.query, keys)
  return { name, root: readXml(xml), relayState }
}

/** Returns until when it could be sent again. */
function assertMessage(root: XmlElement, { idpEntityId, sloUrl, now }: ExpectedLogout): number {
  if (attribute(root, 'Version') !== '2.0') throw unusual('The message is not of SAML 2.0.')
  if (textOfOnly(root, assertionNamespace, 'Issuer') !== idpEntityId)
    throw new SamlRefusal('wrong_issuer', 'The message comes from another provider than that of this connection.')
  if (attribute(root, 'Destination') !== sloUrl)
    throw new SamlRefusal('wrong_destination', 'The message was made for another address than that of this connection.')
  const issuedAt = timeIn(root, 'IssueInstant') ?? Number.NaN
  const until = Math.min(timeIn(root, 'NotOnOrAfter') ?? Number.POSITIVE_INFINITY, issuedAt + ageMax) + skew
  if (!(now < until)) throw new SamlRefusal('expired', 'The message has expired.')
  if (now < issuedAt - skew)
    throw new SamlRefusal('not_yet_valid', 'The message was issued in the future. Is the clock of the provider right?')
  return until
}

function requestIn({ root, relayState }: Verified, repeatableUntil: number): LogoutRequest {
  const id = attribute(root, 'ID') ?? ''
  if (id === '' || id.length > idLengthMax) throw unusual('The request has no id.')
  if ((relayState ?? '').length > relayStateLengthMax) throw unusual('The RelayState is too long.')
  const sessionIndexes = childrenNamed(root, protocolNamespace, 'SessionIndex').map((each) => plainText(each) ?? '')
  if (sessionIndexes.length > sessionIndexesMax) throw unusual('The request names too many sessions.')
  const { nameId } = nameIdIn(root)
  return { kind: 'request', id, nameId, sessionIndexes, repeatableUntil, relayState }
}

function responseIn({ root }: Verified): LogoutResponse {
  const [status] = childrenNamed(root, protocolNamespace, 'Status')
  const [code] = status === undefined ? [] : childrenNamed(status, protocolNamespace, 'StatusCode')
  const isSuccess = code !== undefined && attribute(code, 'Value') === successStatus
  return { kind: 'response', inResponseTo: attribute(root, 'InResponseTo') ?? '', isSuccess }
}

/**
 * Returns what the provider of a connection says. Whether a request was seen before, and which of ours a response answers, only the
 * database knows.
 * @throws SamlRefusal
 */
export function readLogout(sent: SentMessage, expected: ExpectedLogout): LogoutRequest | LogoutResponse {
  try {
    const verified = verifiedMessage(sent, expected.signedWith)
    const isRequest = verified.name === 'SAMLRequest'
    if (!isNamed(verified.root, protocolNamespace, isRequest ? 'LogoutRequest' : 'LogoutResponse'))
      throw unusual('The message is not about signing out.')
    const until = assertMessage(verified.root, expected)
    return isRequest ? requestIn(verified, until) : responseIn(verified)
  } catch (error) {
    if (error instanceof XmlProblem) throw new SamlRefusal('xml_refused', `The XML is refused: ${error.message}.`)
    throw error
  }
}
