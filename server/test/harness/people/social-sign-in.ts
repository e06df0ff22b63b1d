// A tenant with a social provider that a test plays, and people with accounts there.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { SignInAnswer, SocialProvider, Tenant } from '@bailiwick/contract'
import { Browser } from '../browser/frontend.ts'
import { createSocialProvider, createTenant, testPages, unique } from '../factories.ts'
import type { Claims, FakeIdentityProvider } from '../outside/fake-identity-provider.ts'
import type { Answer, TestService } from '../service.ts'

export const page = 'http://localhost:3000/back'

export interface SocialWorld {
  readonly tenant: Tenant
  readonly provider: SocialProvider
  readonly browser: Browser
}

export async function createSocialWorld(
  service: TestService,
  idp: FakeIdentityProvider,
  { auth = {}, provider: settings = {} }: { readonly auth?: object; readonly provider?: Record<string, unknown> } = {},
): Promise<SocialWorld> {
  const { tenant } = await createTenant(service)
  const { config, ...rest } = settings
  const provider = await createSocialProvider(service, tenant.id, {
    providerKey: 'google',
    useCustomCredentials: true,
    clientId: idp.clientId,
    clientSecret: randomBytes(16).toString('hex'),
    config: { issuer: idp.issuer, trustEmails: true, ...(config as object | undefined) },
    ...rest,
  })
  await service.ok('putAuthTenant', { params: { id: tenant.id }, body: { redirectUris: testPages, ...auth } })
  return { tenant, provider, browser: new Browser(service, tenant.publicKey) }
}

export const person = (claims: Claims = {}): Claims => ({
  sub: `sub-${unique()}`,
  email: `${unique()}@example.com`,
  email_verified: true,
  name: 'Ada Lovelace',
  ...claims,
})

export async function begin(browser: Browser, providerKey = 'google', redirectUri = page) {
  const answer = await browser.ok<SignInAnswer>('createSignIn', {
    body: { strategy: 'oauth', providerKey, redirectUri },
  })
  assert.ok(answer.authorizeUri !== undefined)
  return { ...answer, authorizeUri: answer.authorizeUri }
}

/** Where a redirect leads. */
export function locationOf({ status, headers, text }: Answer): URL {
  assert.equal(status, 303, text)
  return new URL(headers['location'] as string)
}

/** Signs in from beginning to end; returns the page at which the browser ends. */
export async function signInAs(browser: Browser, idp: FakeIdentityProvider, claims: Claims, providerKey = 'google') {
  const { authorizeUri } = await begin(browser, providerKey)
  return locationOf(await browser.visit(idp.agree(authorizeUri, claims)))
}

export const errorOf = (at: URL) => at.searchParams.get('error')

export async function whoIs(browser: Browser) {
  const { user } = await browser.ok<{ user: { id: string; hasPassword: boolean; name: string | null } }>('getProfile')
  return user
}
