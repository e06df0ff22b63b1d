// Holds an assertion to what this connection, this request and this moment allow: the rules of the Web Browser SSO Profile
// (SAML Profiles 2.0 section 4.1.4.3) without those that it leaves open.
import { assertionNamespace, bearer, transientFormat } from '../saml-names.ts'
import { SamlRefusal } from '../saml-refusal.ts'
import { ageMax, skew, timeIn } from '../saml-times.ts'
import { XmlProblem } from '../xml/xml-problem.ts'
import { type XmlElement, attribute, childrenNamed, elementsIn, isNamed, plainText } from '../xml/xml-tree.ts'
import { type ReadResponse, type ResponseKeys, readResponse, textOfOnly } from './read-response.ts'

export interface ExpectedResponse extends ResponseKeys {
  readonly idpEntityId: string
  readonly spEntityId: string
  readonly acsUrl: string
  /** The id of the request that this browser began; null for a response that answers none. */
  readonly inResponseTo: string | null
  /** In milliseconds. */
  readonly now: number
}

export interface VerifiedAssertion {
  readonly id: string
  /** Until when it could be sent again, in milliseconds. */
  readonly repeatableUntil: number
  readonly nameId: string
  readonly nameIdFormat: string | null
  /** Who gives the name, and to whom, as the provider must be told when the person signs out. */
  readonly nameQualifier: string | null
  readonly spNameQualifier: string | null
  readonly sessionIndex: string | null
  readonly attributes: ReadonlyMap<string, readonly string[]>
}

const nameIdLengthMax = 512
const attributesMax = 200
const valuesMax = 1000
const valueLengthMax = 2048

const expired = () => new SamlRefusal('expired', 'The assertion has expired.')

/** @returns until when it is valid. */
function assertNow(element: XmlElement, now: number): number {
  const [notBefore, notOnOrAfter] = [timeIn(element, 'NotBefore'), timeIn(element, 'NotOnOrAfter')]
  if (notBefore !== undefined && now < notBefore - skew)
    throw new SamlRefusal('not_yet_valid', 'The assertion is not valid yet. Is the clock of the provider right?')
  if (notOnOrAfter !== undefined && now >= notOnOrAfter + skew) throw expired()
  return notOnOrAfter ?? Number.POSITIVE_INFINITY
}

function assertIssuer(element: XmlElement, { idpEntityId }: ExpectedResponse) {
  if (textOfOnly(element, assertionNamespace, 'Issuer') !== idpEntityId)
    throw new SamlRefusal('wrong_issuer', 'The response comes from another provider than that of this connection.')
}

function assertResponse(response: XmlElement, expected: ExpectedResponse) {
  if (attribute(response, 'Version') !== '2.0')
    throw new SamlRefusal('not_a_response', 'The response is not of SAML 2.0.')
  assertIssuer(response, expected)
  if (attribute(response, 'Destination') !== expected.acsUrl)
    throw new SamlRefusal(
      'wrong_destination',
      'The response was made for another address than that of this connection.',
    )
  if ((attribute(response, 'InResponseTo') ?? null) !== expected.inResponseTo) throw notAsked()
}

const notAsked = () =>
  new SamlRefusal('wrong_request', 'The response does not answer the sign-in that this browser began.')

/** @returns until when the assertion may be used. */
function assertConditions(assertion: XmlElement, { spEntityId, now }: ExpectedResponse): number {
  const [conditions, ...more] = childrenNamed(assertion, assertionNamespace, 'Conditions')
  if (conditions === undefined || more.length > 0)
    throw new SamlRefusal('wrong_audience', 'The assertion names no audience.')
  const until = assertNow(conditions, now)
  const known = ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']
  const isKnown = (each: XmlElement) => known.some((name) => isNamed(each, assertionNamespace, name))
  if (!elementsIn(conditions).every(isKnown))
    throw new SamlRefusal('not_a_response', 'The assertion has a condition that is not known here.')
  const restrictions = childrenNamed(conditions, assertionNamespace, 'AudienceRestriction')
  const isForUs = (restriction: XmlElement) =>
    childrenNamed(restriction, assertionNamespace, 'Audience').some((audience) => plainText(audience) === spEntityId)
  if (restrictions.length === 0 || !restrictions.every(isForUs))
    throw new SamlRefusal('wrong_audience', 'The assertion was made for another service.')
  return until
}

/** @returns until when the confirmation is valid. */
function confirmationUntil(confirmation: XmlElement, expected: ExpectedResponse): number {
  const [data, ...more] = childrenNamed(confirmation, assertionNamespace, 'SubjectConfirmationData')
  if (data === undefined || more.length > 0 || attribute(data, 'Recipient') !== expected.acsUrl)
    throw new SamlRefusal('wrong_recipient', 'The assertion was made for another address than that of this connection.')
  if ((attribute(data, 'InResponseTo') ?? null) !== expected.inResponseTo) throw notAsked()
  const until = assertNow(data, expected.now)
  if (until === Number.POSITIVE_INFINITY) throw expired()
  return until
}

/** The first bearer confirmation that holds is enough; if none does, the first reason is the one that is reported. */
function assertConfirmed(subject: XmlElement, expected: ExpectedResponse): number {
  const confirmations = childrenNamed(subject, assertionNamespace, 'SubjectConfirmation').filter(
    (each) => attribute(each, 'Method') === bearer,
  )
  let refusal = new SamlRefusal('wrong_recipient', 'The assertion is for nobody who brings it.')
  for (const [n, confirmation] of confirmations.entries()) {
    try {
      return confirmationUntil(confirmation, expected)
    } catch (error) {
      if (!(error instanceof SamlRefusal)) throw error
      if (n === 0) refusal = error
    }
  }
  throw refusal
}

type NameId = Pick<VerifiedAssertion, 'nameId' | 'nameIdFormat' | 'nameQualifier' | 'spNameQualifier'>

export function nameIdIn(subject: XmlElement): NameId {
  const [element, ...more] = childrenNamed(subject, assertionNamespace, 'NameID')
  const nameId = element === undefined || more.length > 0 ? undefined : plainText(element)
  if (element === undefined || nameId === undefined || nameId === '' || nameId.length > nameIdLengthMax)
    throw new SamlRefusal('no_name_id', 'The assertion has no name id that identifies the user.')
  const nameIdFormat = attribute(element, 'Format') ?? null
  if (nameIdFormat === transientFormat)
    throw new SamlRefusal(
      'no_name_id',
      'The name id is another one at every sign-in. Choose a persistent one at the provider.',
    )
  return {
    nameId,
    nameIdFormat,
    nameQualifier: attribute(element, 'NameQualifier') ?? null,
    spNameQualifier: attribute(element, 'SPNameQualifier') ?? null,
  }
}

function assertAuthenticated(assertion: XmlElement, now: number): Pick<VerifiedAssertion, 'sessionIndex'> {
  const [statement] = childrenNamed(assertion, assertionNamespace, 'AuthnStatement')
  if (statement === undefined)
    throw new SamlRefusal('not_a_response', 'The assertion does not say that the user signed in.')
  const until = timeIn(statement, 'SessionNotOnOrAfter')
  if (until !== undefined && now >= until + skew) throw expired()
  return { sessionIndex: attribute(statement, 'SessionIndex') ?? null }
}

function attributesIn(assertion: XmlElement): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  let count = 0
  const statements = childrenNamed(assertion, assertionNamespace, 'AttributeStatement')
  for (const each of statements.flatMap((statement) => childrenNamed(statement, assertionNamespace, 'Attribute'))) {
    const values = childrenNamed(each, assertionNamespace, 'AttributeValue')
      .map(plainText)
      .filter((value): value is string => value !== undefined && value.length <= valueLengthMax)
    count += values.length
    const name = attribute(each, 'Name') ?? ''
    found.set(name, [...(found.get(name) ?? []), ...values])
    if (found.size > attributesMax || count > valuesMax)
      throw new SamlRefusal('too_many_attributes', 'The assertion has more than 200 attributes or 1,000 values.')
  }
  return found
}

/** Says nothing of whether the assertion has been used before, which only the database knows. */
function verifyAssertion({ response, assertion }: ReadResponse, expected: ExpectedResponse): VerifiedAssertion {
  const { now } = expected
  assertResponse(response, expected)
  const id = attribute(assertion, 'ID') ?? ''
  if (attribute(assertion, 'Version') !== '2.0' || id === '')
    throw new SamlRefusal('not_a_response', 'The assertion is not of SAML 2.0.')
  assertIssuer(assertion, expected)
  const issuedAt = timeIn(assertion, 'IssueInstant') ?? Number.NaN
  if (!(now < issuedAt + ageMax + skew)) throw expired()
  if (now < issuedAt - skew)
    throw new SamlRefusal(
      'not_yet_valid',
      'The assertion was issued in the future. Is the clock of the provider right?',
    )
  const conditionsUntil = assertConditions(assertion, expected)
  const [subject, ...more] = childrenNamed(assertion, assertionNamespace, 'Subject')
  if (subject === undefined || more.length > 0)
    throw new SamlRefusal('no_name_id', 'The assertion does not say whom it is about.')
  const confirmedUntil = assertConfirmed(subject, expected)
  return {
    id,
    repeatableUntil: Math.min(conditionsUntil, confirmedUntil, issuedAt + ageMax) + skew,
    ...nameIdIn(subject),
    ...assertAuthenticated(assertion, now),
    attributes: attributesIn(assertion),
  }
}

/**
 * Returns what the provider of a connection says of a person.
 * @param samlResponse as the browser sent it, in base64.
 * @throws SamlRefusal
 */
export function verifySamlResponse(samlResponse: string, expected: ExpectedResponse): VerifiedAssertion {
  try {
    return verifyAssertion(readResponse(samlResponse, expected), expected)
  } catch (error) {
    if (error instanceof XmlProblem) throw new SamlRefusal('xml_refused', `The XML is refused: ${error.message}.`)
    throw error
  }
}
