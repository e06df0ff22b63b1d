// An organization whose SAML provider a test plays.
import { inflateRawSync } from 'node:zlib'
import type { Connection, SamlConnection } from '@bailiwick/contract'
import { Browser } from '../browser/frontend.ts'
import { createOrganization, createTenant, testPages, unique } from '../factories.ts'
import { addDomain, leave, makeLive, provenByDns } from '../people/enterprise.ts'
import { locationOf } from '../people/social-sign-in.ts'
import type { Answer, TestService } from '../service.ts'
import { type Crafted, base64, newProviderKey, responseXml, signed } from './crafted-response.ts'

export const providerKey = newProviderKey()

/** An organization with a domain that was verified by DNS and a live SAML connection. */
export async function connectedBySaml(service: TestService, tenantId: string, saml: object = {}) {
  const organization = await createOrganization(service, tenantId)
  const domain = await addDomain(service, organization.id)
  await provenByDns(service, domain)
  const issuer = `https://${unique()}.example/saml`
  const settings = { entityId: issuer, ssoUrl: 'https://idp.example/sso?x=1', certificates: [providerKey.certificate] }
  const connection = await service.ok<Connection>('createConnection', {
    body: { organizationId: organization.id, type: 'saml', name: 'Acme SAML', saml: { ...settings, ...saml } },
  })
  await makeLive(service, connection)
  const own = connection.saml as SamlConnection
  return { organization, domain: domain.name, connection, own, issuer }
}

export type SamlPlace = Awaited<ReturnType<typeof connectedBySaml>>

export async function createSamlWorld(service: TestService, saml: object = {}) {
  const { tenant } = await createTenant(service)
  await service.ok('putAuthTenant', { params: { id: tenant.id }, body: { redirectUris: testPages } })
  const place = await connectedBySaml(service, tenant.id, saml)
  return { ...place, tenant, browser: new Browser(service, tenant.publicKey) }
}

/** What a provider reads from the address to which a browser was sent. */
export function requestIn(address: string) {
  const { searchParams } = new URL(address)
  const xml = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
  return { xml, id: / ID="([^"]+)"/.exec(xml)?.[1] ?? '', relayState: searchParams.get('RelayState') ?? '' }
}

/** Returns what the provider of a place says, as its Crafted parts. */
export const said = (
  service: TestService,
  { issuer, own }: SamlPlace,
  inResponseTo: string,
  email: string,
): Crafted => ({
  issuer,
  audience: own.ownEntityId,
  acsUrl: own.acsUrl,
  inResponseTo,
  now: service.deps.clock.nowMs(),
  nameId: `sub-${email}`,
  attributes: { email, givenName: 'Ada', sn: 'Lovelace', displayName: 'Ada Lovelace' },
})

/** Posts a response as a page of another site has a browser post it: without our cookies. */
export function post(service: TestService, at: string, form: Readonly<Record<string, string>>): Promise<Answer> {
  return service.request({
    method: 'POST',
    url: new URL(at).pathname,
    headers: { host: 'id.test', 'content-type': 'application/x-www-form-urlencoded', origin: 'https://idp.example' },
    payload: new URLSearchParams(form).toString(),
  })
}

/** Signs in from beginning to end; returns the page at which the browser ends. */
export async function signInBySaml(
  service: TestService,
  place: SamlPlace & { readonly browser: Browser },
  email: string,
  changes: Partial<Crafted> = {},
): Promise<URL> {
  const { authorizeUri } = await leave(place.browser, email)
  const { id, relayState } = requestIn(authorizeUri)
  const xml = signed(responseXml({ ...said(service, place, id, email), ...changes }), 'Assertion', providerKey)
  const posted = await post(service, place.own.acsUrl, { SAMLResponse: base64(xml), RelayState: relayState })
  return locationOf(await place.browser.visit(locationOf(posted)))
}
