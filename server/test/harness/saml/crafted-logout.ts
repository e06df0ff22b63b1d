// What a SAML provider of a test says of signing out, right or wrong.
import { randomBytes, sign } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { type ProviderKey, base64, signed } from './crafted-response.ts'

export interface CraftedLogout {
  readonly issuer: string
  readonly destination: string
  /** In milliseconds. */
  readonly now: number
  readonly id?: string
  readonly nameId?: string
  readonly sessionIndexes?: readonly string[]
  /** In milliseconds; null leaves it out. */
  readonly notOnOrAfter?: number | null
  readonly inResponseTo?: string
  readonly status?: string
}

const iso = (at: number) => new Date(at).toISOString()
const newXmlId = () => `_l${randomBytes(16).toString('hex')}`
const beginning = ({ id = newXmlId(), now, destination }: CraftedLogout) =>
  `xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${iso(now)}" Destination="${destination}"`

export function logoutRequest(crafted: CraftedLogout): string {
  const { now, issuer, nameId = 'u-1001', sessionIndexes = [], notOnOrAfter = now + 300_000 } = crafted
  const until = notOnOrAfter === null ? '' : ` NotOnOrAfter="${iso(notOnOrAfter)}"`
  const indexes = sessionIndexes.map((each) => `<samlp:SessionIndex>${each}</samlp:SessionIndex>`)
  return `<samlp:LogoutRequest ${beginning(crafted)}${until}><saml:Issuer>${issuer}</saml:Issuer><saml:NameID>${nameId}</saml:NameID>${indexes.join('')}</samlp:LogoutRequest>`
}

export const logoutResponse = (crafted: CraftedLogout): string =>
  `<samlp:LogoutResponse ${beginning(crafted)} InResponseTo="${crafted.inResponseTo ?? ''}"><saml:Issuer>${crafted.issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="${crafted.status ?? 'urn:oasis:names:tc:SAML:2.0:status:Success'}"/></samlp:Status></samlp:LogoutResponse>`

const messageName = (xml: string) => (xml.startsWith('<samlp:LogoutRequest') ? 'SAMLRequest' : 'SAMLResponse')

/** Returns the query of a redirect; without a key it is not signed. */
export function redirected(xml: string, key?: ProviderKey, relayState?: string): string {
  const parts = [
    `${messageName(xml)}=${encodeURIComponent(deflateRawSync(xml).toString('base64'))}`,
    ...(relayState === undefined ? [] : [`RelayState=${encodeURIComponent(relayState)}`]),
  ]
  if (key === undefined) return parts.join('&')
  const covered = [...parts, `SigAlg=${encodeURIComponent('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256')}`].join(
    '&',
  )
  const signature = sign('sha256', Buffer.from(covered), key.privateKey).toString('base64')
  return `${covered}&Signature=${encodeURIComponent(signature)}`
}

/** Returns the fields of a form. */
export const posted = (xml: string, key: ProviderKey, relayState?: string): Record<string, string> => ({
  [messageName(xml)]: base64(signed(xml, messageName(xml) === 'SAMLRequest' ? 'LogoutRequest' : 'LogoutResponse', key)),
  ...(relayState === undefined ? {} : { RelayState: relayState }),
})
