// The messages of single logout that we send (SAML Core 2.0 section 3.7).
import { assertionNamespace, protocolNamespace, successStatus } from '../saml-names.ts'
import type { SamlName } from '../sign-ins.ts'
import { escaped } from '../xml/escaped.ts'

interface Message {
  /** An XML id. */
  readonly id: string
  readonly issuedAt: Date
  readonly issuer: string
  readonly destination: string
}

const validMs = 5 * 60_000

const beginning = ({ id, issuedAt, destination }: Message) =>
  `xmlns:samlp="${protocolNamespace}" xmlns:saml="${assertionNamespace}" ID="${id}" Version="2.0" IssueInstant="${issuedAt.toISOString()}" Destination="${escaped(destination)}"`
const issuer = (message: Message) => `<saml:Issuer>${escaped(message.issuer)}</saml:Issuer>`
const optional = (name: string, value: string | null) => (value === null ? '' : ` ${name}="${escaped(value)}"`)

function nameIdXml({ nameId, nameIdFormat, nameQualifier, spNameQualifier }: SamlName): string {
  const attributes = [
    optional('NameQualifier', nameQualifier),
    optional('SPNameQualifier', spNameQualifier),
    optional('Format', nameIdFormat),
  ]
  return `<saml:NameID${attributes.join('')}>${escaped(nameId)}</saml:NameID>`
}

export function logoutRequestXml(message: Message, name: SamlName): string {
  const until = new Date(message.issuedAt.getTime() + validMs).toISOString()
  const index =
    name.sessionIndex === null ? '' : `<samlp:SessionIndex>${escaped(name.sessionIndex)}</samlp:SessionIndex>`
  return `<samlp:LogoutRequest ${beginning(message)} NotOnOrAfter="${until}">${issuer(message)}${nameIdXml(name)}${index}</samlp:LogoutRequest>`
}

/** @param inResponseTo the id of a request that was verified. */
export const logoutResponseXml = (message: Message, inResponseTo: string): string =>
  `<samlp:LogoutResponse ${beginning(message)} InResponseTo="${escaped(inResponseTo)}">${issuer(message)}<samlp:Status><samlp:StatusCode Value="${successStatus}"/></samlp:Status></samlp:LogoutResponse>`
