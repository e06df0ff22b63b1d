// What applications ask for beside scopes: resources as a whole, single claims, one organization, another account.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { PageBrowser } from '../../../test/harness/browser/page-browser.ts'
import { storedEvents } from '../../../test/harness/databases/stored.ts'
import { createOrganization } from '../../../test/harness/factories.ts'
import { type Walker, walkAuthorization } from '../../../test/harness/people/authorization-walk.ts'
import {
  VisitingBrowser,
  beginAuthorization,
  callbackUri,
  createApplication,
  createResource,
  relyingParty,
} from '../../../test/harness/people/authorization.ts'
import { password } from '../../../test/harness/people/people.ts'
import { signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { describeService } from '../../../test/harness/service.ts'

describeService('what an authorization request asks for', (service) => {
  const world = async (options: Parameters<typeof createApplication>[2] = {}) => {
    const tenant = await tenantWith(service(), { organizationsEnabled: true })
    const rp = await relyingParty(service(), tenant.id, await createApplication(service(), tenant.id, options))
    const { user, email } = await signedInUser(service(), tenant, { password, name: 'Ada' })
    const walker: Walker = {
      service: service(),
      browser: new PageBrowser(service(), 'localhost'),
      visiting: new VisitingBrowser(service()),
      email,
    }
    return { tenant, rp, user, walker }
  }
  type World = Awaited<ReturnType<typeof world>>
  /** Walks an authorization with these parameters; without a scope where it is empty. */
  const walk = async ({ rp, walker }: World, parameters: Record<string, string>) => {
    const { url, checks } = await beginAuthorization(rp, parameters)
    if (parameters['scope'] === '') {
      for (const name of ['scope', 'nonce']) url.searchParams.delete(name)
    }
    const walked = await walkAuthorization(walker, url)
    const { expectedNonce: _nonce, ...plain } = checks
    return { ...walked, checks: url.searchParams.has('nonce') ? checks : plain }
  }
  const readTokens = async (of: World, parameters: Record<string, string>) => {
    const { back, end, checks } = await walk(of, parameters)
    assert.equal(end, 'code', back?.href)
    const { resource } = parameters
    const form = resource === undefined ? {} : { resource }
    return client.authorizationCodeGrant(of.rp, back ?? assert.fail(), checks, form)
  }

  it('is refused at once if nothing of it can be granted, with what would be', async () => {
    const of = await world()
    const { indicator } = await createResource(service(), of.tenant.id)
    const refusals: [parameters: Record<string, string>, description: RegExp][] = [
      [{ scope: 'unknown', resource: indicator }, /none of the requested scopes: .* articles:read articles:write/],
      [{ scope: '', resource: indicator }, /none of the requested scopes: .* articles:read articles:write/],
      [{ scope: 'articles:read' }, /name the resource/],
      [{ scope: '' }, /^scope is required: .* `resource`/],
    ]
    for (const [parameters, description] of refusals) {
      const nonce = new URL((await beginAuthorization(of.rp, parameters)).url)
      for (const name of parameters['scope'] === '' ? ['scope', 'nonce'] : ['nonce']) nonce.searchParams.delete(name)
      const { pages, end, back } = await walkAuthorization(of.walker, nonce)
      assert.deepEqual([pages, end], [[], 'invalid_scope'], JSON.stringify(parameters))
      assert.match(back?.searchParams.get('error_description') ?? '', description)
    }
  })

  for (const isTrusted of [true, false]) {
    it(`gives a token for a resource without scopes ${isTrusted ? 'without a question' : 'that the user allows'}`, async () => {
      const of = await world({ isTrusted })
      const { indicator } = await createResource(service(), of.tenant.id, { scopes: [] })
      const tokens = await readTokens(of, { scope: '', resource: indicator })
      const { aud, scope } = decodeJwt(tokens.access_token)
      assert.deepEqual([aud, scope ?? ''], [indicator, ''])
      const again = await walk(of, { scope: '', resource: indicator })
      assert.deepEqual([again.pages, again.end], [[], 'code'])
      const refreshed = await client.refreshTokenGrant(of.rp, tokens.refresh_token ?? '', { resource: indicator })
      assert.equal(decodeJwt(refreshed.access_token).aud, indicator)
      const other = await createResource(service(), of.tenant.id, { scopes: [] })
      const { pages } = await walk(of, { scope: 'openid', resource: other.indicator })
      assert.deepEqual(pages, isTrusted ? [] : ['consent'])
    })

    it(`gives the claims that it names${isTrusted ? '' : ', once the user has allowed them'}`, async () => {
      const of = await world({ isTrusted })
      const claims = JSON.stringify({ id_token: { email: null }, userinfo: { name: { essential: true } } })
      const tokens = await readTokens(of, { scope: 'openid', claims })
      const idToken = tokens.claims()
      assert.deepEqual([idToken?.['email'], idToken?.['name']], [of.walker.email, undefined])
      const info = await client.fetchUserInfo(of.rp, tokens.access_token, of.user.id)
      assert.deepEqual([info.name, info.email, info.picture], ['Ada', undefined, undefined])
      const again = await walk(of, { scope: 'openid', claims })
      assert.deepEqual([again.pages, again.end], [[], 'code'])
      const more = await walk(of, { scope: 'openid', claims: JSON.stringify({ id_token: { phone_number: null } }) })
      assert.deepEqual(more.pages, isTrusted ? [] : ['consent'])
      const [change] = await storedEvents(service(), of.tenant.id, 'grant.updated')
      const { before, after } = (change?.data ?? {}) as Record<'before' | 'after', { readonly claims: string[] }>
      assert.deepEqual(
        [before.claims, after.claims],
        [
          ['email', 'name'],
          ['email', 'name', 'phone_number'],
        ],
      )
      const plain = await readTokens(of, { scope: 'openid' })
      assert.equal(plain.claims()?.['email'], undefined)
    })

    it(`acts for the requested organization${isTrusted ? '' : ', which the page names'}`, async () => {
      const of = await world({ isTrusted })
      const organization = await createOrganization(service(), of.tenant.id)
      const other = await createOrganization(service(), of.tenant.id)
      await service().ok('createOrganizationMember', {
        body: { organizationId: organization.id, userId: of.user.id },
      })
      for (const name of [organization.id, organization.slug.toUpperCase()]) {
        const tokens = await readTokens(of, { scope: 'openid', organization: name })
        assert.equal(tokens.claims()?.['org_id'], organization.id)
      }
      for (const name of [other.id, other.slug, 'nobody-knows-it']) {
        const { end } = await walk(of, { scope: 'openid', organization: name })
        assert.equal(end, 'access_denied', name)
      }
      const malformed = await walk(of, { scope: 'openid', organization: 'not a slug' })
      assert.deepEqual([malformed.pages, malformed.end], [[], 'invalid_request'])
    })
  }

  it('ends with an error where a required strength of sign-in cannot be reached', async () => {
    const of = await world()
    const acr = { essential: true, values: ['urn:bailiwick:2fa'] }
    const walked = await walk(of, { scope: 'openid', claims: JSON.stringify({ id_token: { acr } }) })
    assert.deepEqual([walked.pages, walked.end], [['identifier', 'password'], 'unmet_authentication_requirements'])
  })

  it('can be allowed with another account', async () => {
    const of = await world({ isTrusted: false })
    const { email } = await signedInUser(service(), of.tenant, { password })
    const { url, checks } = await beginAuthorization(of.rp, { scope: 'openid' })
    await walk(of, { scope: 'openid', prompt: 'none' })
    const { browser, visiting } = of.walker
    const begun = await visiting.visit(url)
    const open = (location: unknown) => {
      const { pathname, search } = new URL(String(location), 'http://localhost')
      return browser.open(pathname + search)
    }
    const signIn = async (page: Awaited<ReturnType<typeof open>>, identifier: string) => {
      const asked = await browser.send(page, { identifier }, { button: 'Continue' })
      const left = await browser.send(asked, { password })
      const answer = await visiting.visit(String(left.headers['refresh']).replace('0;url=', ''))
      return open(answer.headers['location'])
    }
    const consent = await signIn(await open(begun.headers['location']), of.walker.email)
    const link = [...consent.document.querySelectorAll('a')].find(
      ({ textContent }) => textContent.trim() === 'Use another account',
    )
    const second = await signIn(await open(link?.getAttribute('href')), email)
    assert.match(second.text, /asks for access/)
    const left = await browser.send(second, {}, { button: 'Allow' })
    const back = await visiting.visit(String(left.headers['refresh']).replace('0;url=', ''))
    const location = String(back.headers['location'])
    assert.ok(location.startsWith(callbackUri), location)
    const tokens = await client.authorizationCodeGrant(of.rp, new URL(location), checks)
    assert.notEqual(tokens.claims()?.sub, of.user.id)
  })
})
