// The set-up pages without script: from the link in a message to a colleague who signs in at the organization's provider.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Connection, NewSetupLink, Organization } from '@bailiwick/contract'
import { PageBrowser, type Shown } from '../../../test/harness/browser/page-browser.ts'
import { hrefOf, newHome } from '../../../test/harness/browser/page-visitors.ts'
import {
  createConnection,
  createOrganization,
  createRole,
  textAttribute,
  unique,
} from '../../../test/harness/factories.ts'
import { latestMessageTo } from '../../../test/harness/messages.ts'
import { FakeIdentityProvider } from '../../../test/harness/outside/fake-identity-provider.ts'
import { startNameServer } from '../../../test/harness/outside/name-server.ts'
import { newProviderKey } from '../../../test/harness/saml/crafted-response.ts'
import { type TestService, describeService, testEnv } from '../../../test/harness/service.ts'

const names = await startNameServer()
after(() => names.close())

const email = 'it@acme.example'

const providerMetadata = `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example/saml">
  <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${newProviderKey().certificate.replaceAll(/-----[A-Z ]+-----|\s/g, '')}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
    <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example/sso"/>
  </md:IDPSSODescriptor>
</md:EntityDescriptor>`

async function scene(service: TestService, body: object = {}) {
  const home = await newHome(service, { homeUri: 'https://app.example/' })
  const organization: Organization = await createOrganization(service, home.tenant.id, { name: 'Acme' })
  const params = { organizationId: organization.id }
  const { uri, id } = await service.ok<NewSetupLink>('createSetupLink', { params, body: { email, ...body } })
  const path = new URL(uri).pathname + new URL(uri).search
  return { home, organization, params, path, id, browser: new PageBrowser(service, 'localhost') }
}

/** Returns the address at the provider to which a page leads. */
const addressOf = ({ headers }: Shown) => String(headers['refresh']).replace(/^0;\s*url=/, '')

/** Opens the link with the code from the mailbox. */
async function enter(service: TestService, browser: PageBrowser, path: string): Promise<Shown> {
  const sent = await browser.send(await browser.open(path), {}, { button: 'Send the code' })
  const code = (await latestMessageTo(service.deps, email)).code ?? ''
  return browser.send(sent, { code })
}

const suite = (service: () => TestService) => {
  const idp = new FakeIdentityProvider()
  before(() => idp.start())
  after(() => idp.stop())

  it('lead from the link to a live connection, and say what is missing on the way', async () => {
    const { home, browser, path, params } = await scene(service())
    const overview = await enter(service(), browser, path)
    assert.match(overview.text, /To do/)
    const at = new URL(overview.url).pathname.replace('/setup/home', '')

    const domains = await browser.open(`${at}/setup/domains`)
    const name = `${unique()}.example`
    const added = await browser.send(domains, { name })
    const [, record = '', value = ''] = [...added.document.querySelectorAll('code')].map((each) => each.textContent)
    const missing = await browser.send(added, {}, { button: 'Check the record' })
    assert.match(missing.errors['form'] ?? '', /not there yet/)

    const providers = await browser.open(`${at}/setup/connection`)
    const chosen = await browser.open(hrefOf(providers, 'Another provider'))
    const unreachable = await browser.send(chosen, { issuer: 'http://127.0.0.1:9' })
    assert.match(unreachable.errors['issuer'] ?? '', /cannot be reached/)
    const draft = await browser.send(unreachable, { issuer: idp.issuer })
    assert.match(draft.text, /Not tested yet/)
    const empty = await browser.send(draft, { clientId: '', clientSecret: '' })
    assert.deepEqual(Object.keys(empty.errors), ['clientId'])
    const saved = await browser.send(empty, { clientId: idp.clientId, clientSecret: 'its secret: 100 %' })
    assert.match(saved.text, /changes have been saved/)
    assert.doesNotMatch(saved.text, /its secret/)

    const leaving = await browser.send(saved, {}, { button: 'Test the sign-in' })
    const claims = { sub: `sub-${unique()}`, email: `ada@${name}`, name: 'Ada' }
    const back = idp.agree(addressOf(leaving), claims)
    const tested = await browser.open(back.pathname + back.search)
    assert.match(tested.text, /The test was successful/)
    const early = await browser.send(tested, {}, { button: 'Switch on' })
    assert.match(early.errors['form'] ?? '', /Verify a domain first/)

    names.records.set(record, [value])
    await browser.send(await browser.open(`${at}/setup/domains`), {}, { button: 'Check the record' })
    const live = await browser.send(early, {}, { button: 'Switch on' })
    assert.match(live.text, /Single sign-on is on/)
    const [connection] = await service().ok<Connection[]>('listConnectionsOfOrganization', { params })
    assert.equal(connection?.state, 'live')
    const done = await browser.open(`${at}/setup/home`)
    assert.doesNotMatch(done.text, /To do/)

    const colleague = new PageBrowser(service(), 'localhost')
    const start = await colleague.open(`${home.at}/sign-in`)
    const known = await colleague.send(start, { identifier: `grace@${name}` })
    const away = await colleague.send(known, {}, { button: 'Continue with Acme' })
    const there = idp.agree(addressOf(away), { sub: `sub-${unique()}`, email: `grace@${name}`, name: 'Grace' })
    const signedIn = await colleague.open(there.pathname + there.search)
    assert.equal(signedIn.status, 200)
    const members = await service().ok<{ meta: { total: number } }>('listOrganizationMembers', { params })
    assert.equal(members.meta.total, 1, 'the colleague alone: the test has made nobody')
  })

  // Guards: customers-administrators
  it('open nothing without the code, in another browser, or once the link was revoked', async () => {
    const { browser, path, params, id } = await scene(service())
    const home = path.replace(/\?.*$/, '/home')
    assert.equal((await browser.open(home)).status, 403)
    const sent = await browser.send(await browser.open(path), {}, { button: 'Send the code' })
    const code = (await latestMessageTo(service().deps, email)).code ?? ''
    const wrong = await browser.send(sent, { code: code === '000000' ? '111111' : '000000' })
    assert.match(wrong.errors['code'] ?? '', /not correct/)
    assert.equal((await browser.open(home)).status, 403)
    const opened = await browser.send(wrong, { code })
    assert.equal(opened.status, 200)
    assert.equal((await new PageBrowser(service(), 'localhost').open(home)).status, 403)
    await service().ok('deleteSetupLink', { params: { ...params, id } })
    assert.equal((await browser.open(home)).status, 403)
    assert.equal((await browser.open(path)).status, 403)
  })

  it('connect a SAML provider, provision and give roles, with what the pages say', async () => {
    const { home, browser, path, params } = await scene(service())
    const role = await createRole(service(), home.tenant.id)
    const kept = await createRole(service(), home.tenant.id, { assignableBy: 'tenant' })
    const at = new URL((await enter(service(), browser, path)).url).pathname.replace('/home', '')
    const waiting = await browser.open(`${at}/scim`)
    assert.match(waiting.text, /Connect your identity provider first/)
    assert.equal(
      waiting.document.querySelector('a.home'),
      null,
      "whoever has come by a link is no user of the tenant's app",
    )
    const chosen = await browser.open(`${at}/connection/okta`)
    const draft = await browser.send(chosen, {}, { button: 'Use SAML 2.0' })
    const [acsUrl = '', entityId] = [...draft.document.querySelectorAll('code')].map((each) => each.textContent)
    assert.match(acsUrl, /\/saml\/\w+\/acs$/)
    assert.equal(entityId, acsUrl.replace(/acs$/, 'metadata'))
    assert.match(draft.text, /Audience URI \(SP Entity ID\)/)
    const nothing = await browser.send(draft, { metadataUri: '', metadataXml: '' })
    assert.match(nothing.errors['metadataUri'] ?? '', /Enter the address/)
    const wrong = await browser.send(nothing, { metadataXml: '<EntityDescriptor/>' })
    assert.match(wrong.errors['metadataXml'] ?? '', /describe no identity provider/)
    assert.match(wrong.text, /EntityDescriptor/, 'what was pasted is still there')
    const saved = await browser.send(wrong, { metadataXml: providerMetadata, nameIdFormat: 'persistent' })
    assert.match(saved.text, /https:\/\/idp.example\/saml/)
    const early = await browser.send(saved, {}, { button: 'Test the sign-in' })
    assert.match(addressOf(early), /^https:\/\/idp.example\/sso\?/)

    const scim = await browser.send(await browser.open(`${at}/scim`), {}, { button: 'Create a token' })
    const token = /scim_\w+/.exec(scim.text)?.[0] ?? ''
    const base = /http[^<]*\/scim\/\w+\/v2/.exec(scim.text)?.[0] ?? ''
    const directory = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' }
    const group = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName: 'Engineering' }
    const pushed = await service().request({
      method: 'POST',
      url: `${new URL(base).pathname}/Groups`,
      headers: directory,
      payload: JSON.stringify(group),
    })
    assert.equal(pushed.status, 201)
    const used = await browser.open(`${at}/scim`)
    assert.match(used.text, /POST Groups/)
    assert.doesNotMatch(used.text, new RegExp(token), 'a token is shown once')
    const full = await browser.send(used, {}, { button: 'Create a token' })
    assert.match(full.text, /Two tokens exist already/)

    const attributes = [textAttribute('desk', 'user'), textAttribute('plan', 'server')]
    await service().ok('putAttributes', { params: { id: home.tenant.id }, body: { attributes } })
    const roles = await browser.open(`${at}/roles`)
    const details = [...roles.document.querySelectorAll('select[name=attribute] option')].map(
      (each) => each.textContent,
    )
    assert.deepEqual(details.slice(1), ['desk'], 'not an attribute that only the tenant writes')
    const nowhere = await browser.send(roles, { attribute: 'desk' }, { button: 'Take it over' })
    assert.match(nowhere.errors['form'] ?? '', /where its value comes from/)
    const entered = ['select[name=attribute] option[selected]', 'input[name=claim]'].map((each) =>
      nowhere.document.querySelector(each)?.getAttribute('value'),
    )
    assert.deepEqual(entered, ['desk', 'groups'], 'each form keeps what it had')
    const forbidden = { attribute: 'plan', mappedClaim: 'plan' }
    assert.match(
      (await browser.send(nowhere, forbidden, { button: 'Take it over' })).errors['form'] ?? '',
      /Choose a detail/,
    )
    const taken = { attribute: 'desk', mappedClaim: 'desk', mappedScim: 'title' }
    const mapped = await browser.send(nowhere, taken, { button: 'Take it over' })
    assert.match(mapped.text, /The changes have been saved/)
    const [withMapping] = await service().ok<Connection[]>('listConnectionsOfOrganization', { params })
    assert.deepEqual(withMapping?.attributeMappings, [{ attribute: 'desk', claim: 'desk', scim: 'title' }])
    const unmapped = await browser.send(mapped, { rule: 'desk' }, { button: 'Remove' })
    assert.match(unmapped.text, /The changes have been saved/)
    const options = [...roles.document.querySelectorAll('select[name=roleId] option')].map((each) => each.textContent)
    assert.ok(options.includes(role.name) && !options.includes(kept.name), 'not a role that only the tenant gives')
    const beyond = await browser.send(unmapped, { claim: 'groups', value: 'x', roleId: kept.id })
    assert.match(beyond.errors['form'] ?? '', /Choose a role/)
    const added = await browser.send(beyond, { claim: 'groups', value: 'admins', roleId: role.id })
    assert.match(added.text, /groups is admins/)
    const groupId = added.document.querySelector('#f-groupId option:nth-child(2)')?.getAttribute('value') ?? ''
    const tried = await browser.send(added, { groupId, roleId: role.id }, { button: 'Try without saving' })
    assert.match(tried.text, /0 of 0 members would have another role/)
    assert.equal(tried.document.querySelector('#f-groupId option[selected]')?.getAttribute('value'), groupId)
    const both = await browser.send(tried, { groupId, roleId: role.id })
    const [connection] = await service().ok<Connection[]>('listConnectionsOfOrganization', { params })
    assert.deepEqual(connection?.roleRules, [{ claim: 'groups', value: 'admins', roleId: role.id }])
    const rules = await service().ok('getGroupRules', { params: { id: connection.id } })
    assert.deepEqual(rules, { rules: [{ groupId, roleId: role.id }] })
    const stale = await browser.send(added, {}, { button: 'Remove' })
    assert.match(stale.text, /has been removed/)
    const again = await browser.send(both, { rule: '0' }, { button: 'Remove' })
    assert.doesNotMatch(again.text, /has been removed/)
    assert.match((await browser.open(`${at}/done`)).text, /Not finished yet/)
  })

  // Guards: customers-administrators
  it('act for their organization alone', async () => {
    const { home, browser, path } = await scene(service())
    const other = await scene(service())
    const neighbour = await createOrganization(service(), home.tenant.id)
    const at = new URL((await enter(service(), browser, path)).url).pathname.replace('/home', '')
    const oidc = { issuer: idp.issuer, clientId: 'other' }
    const foreign = [
      await createConnection(service(), other.organization.id, { oidc }),
      await createConnection(service(), neighbour.id, { oidc }),
    ]
    const own = await browser.send(await browser.open(`${at}/connection/okta`), {}, { button: 'Use SAML 2.0' })
    const scim = await browser.open(`${at}/scim`)
    for (const { id } of foreign) {
      for (const section of ['connection', 'scim', 'roles'])
        assert.equal((await browser.open(`${at}/${section}?id=${id}`)).status, 404)
      const replace = { id }
      assert.equal((await browser.send(own, {}, { button: 'Remove this connection', replace })).status, 404)
      assert.equal((await browser.send(scim, {}, { button: 'Create a token', replace })).status, 404)
      assert.equal((await service().call('getConnection', { params: { id } })).status, 200)
    }
    const otherTenant = at.replace(/^\/t\/[^/]+/, other.home.at)
    assert.equal((await browser.open(`${otherTenant}/connection`)).status, 403)
    const otherToken = path.replace(/^\/t\/[^/]+/, other.home.at)
    assert.equal((await browser.open(otherToken)).status, 403, 'the token of a link at another tenant')
    const tab = await browser.open(`${at}/home`)
    assert.equal(tab.status, 200, 'a second tab of the same browser')
  })

  it('show only the steps that the link allows', async () => {
    const { browser, path } = await scene(service(), { steps: ['domain'] })
    const overview = await enter(service(), browser, path)
    assert.equal(hrefOf(overview, 'Identity provider'), '')
    assert.equal((await browser.open(path.replace(/\?.*$/, '/connection'))).status, 403)
  })
}

describeService('the set-up pages', suite, { ...testEnv, BAILIWICK_DNS_SERVERS: names.address })
