// With a certified identity provider, from the first page to the session.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { BegunConnectionTest, ConnectionCheck } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { PageBrowser } from '../../../test/harness/browser/page-browser.ts'
import {
  createConnection,
  createOrganization,
  createRole,
  createSocialProvider,
  testPages,
  unique,
} from '../../../test/harness/factories.ts'
import { CertifiedProvider, certifiedClient, followPages } from '../../../test/harness/outside/certified-provider.ts'
import { addDomain, provenByDns } from '../../../test/harness/people/enterprise.ts'
import { tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { begin, errorOf, locationOf, whoIs } from '../../../test/harness/people/social-sign-in.ts'
import { describeService } from '../../../test/harness/service.ts'

const callback = 'http://127.0.0.1:4000/frontend/api/v0/oauth/callback/gitlab'

describeService('a certified identity provider', (service) => {
  const idp = new CertifiedProvider()
  before(() => idp.start())
  after(() => idp.stop())

  it('signs a user up, and in again', async () => {
    idp.serve(callback)
    const tenant = await tenantWith(service(), { redirectUris: testPages })
    await createSocialProvider(service(), tenant.id, {
      providerKey: 'gitlab',
      useCustomCredentials: true,
      clientId: certifiedClient.client_id,
      clientSecret: certifiedClient.client_secret,
      config: { issuer: idp.issuer, trustEmails: true },
    })
    const account = unique()
    const ids: string[] = []
    for (let times = 0; times < 2; times++) {
      const browser = new Browser(service(), tenant.publicKey)
      const { authorizeUri } = await begin(browser, 'gitlab')
      const back = await followPages(`${authorizeUri}&login_hint=${account}`, callback)
      assert.equal(errorOf(locationOf(await browser.visit(back))), null)
      const user = await whoIs(browser)
      assert.equal(user.name, 'Grace Hopper')
      ids.push(user.id)
    }
    assert.equal(ids[0], ids[1])
  })

  it('is checked, tested and switched on, and then makes who types an address of the organization a member', async () => {
    const tenant = await tenantWith(service(), { redirectUris: testPages })
    const organization = await createOrganization(service(), tenant.id)
    const domain = await addDomain(service(), organization.id)
    await provenByDns(service(), domain)
    const role = await createRole(service(), tenant.id)
    const { client_id: clientId, client_secret: clientSecret } = certifiedClient
    const { id, oidc } = await createConnection(service(), organization.id, {
      oidc: { issuer: idp.issuer, clientId, clientSecret, scopes: ['email', 'profile', 'groups'] },
      roleRules: [{ claim: 'groups', value: 'admins', roleId: role.id }],
      required: true,
    })
    const at = oidc?.callbackUri ?? ''
    idp.serve(at)
    idp.accountOf = (account) => ({ email: account, name: 'Grace Hopper', groups: ['staff', 'admins'] })
    const params = { id }
    assert.equal((await service().ok<ConnectionCheck>('checkConnection', { params })).problem, null)
    const { authorizeUri } = await service().ok<BegunConnectionTest>('testConnection', { params })
    const email = `${unique()}@${domain.name}`
    const tested = await followPages(`${authorizeUri ?? ''}&login_hint=${encodeURIComponent(email)}`, at)
    assert.equal(errorOf(locationOf(await new Browser(service(), '').visit(tested))), null)
    await service().ok('updateConnection', { params, body: { state: 'live' } })

    const browser = new PageBrowser(service(), 'localhost:4000')
    const start = await browser.open(`/t/${tenant.slug}/sign-in`)
    const leaving = await browser.send(start, { identifier: email })
    const [, address = ''] = /^0;\s*url=(.*)$/.exec(String(leaving.headers['refresh'])) ?? []
    assert.ok(address.startsWith(idp.issuer), leaving.text)
    const back = await followPages(address, at)
    const hop = await service().request({
      method: 'GET',
      url: back.pathname + back.search,
      headers: { host: '127.0.0.1:4000' },
    })
    const there = new URL(String(hop.headers['location']))
    const end = await browser.open(there.pathname + there.search)
    assert.equal(new URL(end.url).pathname, `/t/${tenant.slug}/account`)
    assert.match(end.text, /Grace Hopper/)
    const { data } = await service().ok<{ data: { roleId: string | null; user: { name: string } }[] }>(
      'listOrganizationMembers',
      { params: { organizationId: organization.id } },
    )
    assert.deepEqual(
      data.map(({ roleId, user }) => [roleId, user.name]),
      [[role.id, 'Grace Hopper']],
    )
  })
})
