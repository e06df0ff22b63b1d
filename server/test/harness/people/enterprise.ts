// Organizations with connections that are live, whose identity provider a test plays.
import type { Connection, OrganizationDomain, SignInAnswer, Tenant } from '@bailiwick/contract'
import { sql } from '../../../src/platform/db/sql.ts'
import { Browser } from '../browser/frontend.ts'
import { createConnection, createOrganization, createTenant, testPages, unique } from '../factories.ts'
import type { Claims, FakeIdentityProvider } from '../outside/fake-identity-provider.ts'
import type { TestService } from '../service.ts'
import { locationOf, page } from './social-sign-in.ts'

/** As if its TXT record had been found. */
export async function provenByDns({ deps }: TestService, domain: OrganizationDomain): Promise<void> {
  const at = deps.clock.now()
  await deps.db.transaction((tx) =>
    tx.run(sql`UPDATE organization_domains SET verified_at = ${at}, dns_verified_at = ${at} WHERE id = ${domain.id}`),
  )
}

export const addDomain = (service: TestService, organizationId: string, name = `${unique()}.example`) =>
  service.ok<OrganizationDomain>('createDomainOfOrganization', { params: { organizationId }, body: { name } })

/** As if a test had succeeded, and an administrator had switched it on. */
export async function makeLive({ deps }: TestService, { id, tenantId }: Connection): Promise<void> {
  const at = deps.clock.now()
  await deps.db.transaction((tx) =>
    tx.run(sql`UPDATE connections SET state = 'live', tested_at = ${at} WHERE id = ${id}`),
  )
  deps.tenants.invalidate(tenantId)
}

/** An organization with a domain that was verified by DNS and a live connection. */
export async function connectedOrganization(
  service: TestService,
  tenantId: string,
  idp: Pick<FakeIdentityProvider, 'issuer' | 'clientId'>,
  body: object = {},
) {
  const organization = await createOrganization(service, tenantId)
  const domain = await addDomain(service, organization.id)
  await provenByDns(service, domain)
  const oidc = { issuer: idp.issuer, clientId: idp.clientId, clientSecret: 'its secret: 100 %' }
  const connection = await createConnection(service, organization.id, { oidc, ...body })
  await makeLive(service, connection)
  return { organization, domain: domain.name, connection }
}

export interface EnterpriseWorld extends Awaited<ReturnType<typeof connectedOrganization>> {
  readonly tenant: Tenant
  readonly browser: Browser
}

export async function createEnterpriseWorld(
  service: TestService,
  idp: Pick<FakeIdentityProvider, 'issuer' | 'clientId'>,
  { auth = {}, connection = {} }: { readonly auth?: object; readonly connection?: object } = {},
): Promise<EnterpriseWorld> {
  const { tenant } = await createTenant(service)
  await service.ok('putAuthTenant', { params: { id: tenant.id }, body: { redirectUris: testPages, ...auth } })
  const world = await connectedOrganization(service, tenant.id, idp, connection)
  return { ...world, tenant, browser: new Browser(service, tenant.publicKey) }
}

/** Somebody at the provider of an organization. */
export const staff = (domain: string, claims: Claims = {}): Claims => ({
  sub: `sub-${unique()}`,
  email: `${unique()}@${domain}`,
  name: 'Ada Lovelace',
  given_name: 'Ada',
  family_name: 'Lovelace',
  ...claims,
})

/** Begins to sign in with the connection that serves an address. */
export async function leave(browser: Browser, identifier: string, body: object = {}) {
  const answer = await browser.ok<SignInAnswer & { connections?: { id: string; name: string }[] }>('createSignIn', {
    body: { identifier, strategy: 'enterprise', redirectUri: page, ...body },
  })
  return { ...answer, authorizeUri: answer.authorizeUri ?? '' }
}

/** Signs in from beginning to end; returns the page at which the browser ends. */
export async function signInAtWork(browser: Browser, idp: FakeIdentityProvider, claims: Claims) {
  const { authorizeUri } = await leave(browser, String(claims['email']))
  return locationOf(await browser.visit(idp.agree(authorizeUri, claims)))
}
