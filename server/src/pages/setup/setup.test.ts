// The set-up pages without script: from the link in a message to a colleague who signs in at the organization's provider.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Connection, NewSetupLink, Organization } from '@bailiwick/contract'
import { PageBrowser, type Shown } from '../../../test/harness/browser/page-browser.ts'
import { hrefOf, newHome } from '../../../test/harness/browser/page-visitors.ts'
import { createOrganization, unique } from '../../../test/harness/factories.ts'
import { latestMessageTo } from '../../../test/harness/messages.ts'
import { FakeIdentityProvider } from '../../../test/harness/outside/fake-identity-provider.ts'
import { startNameServer } from '../../../test/harness/outside/name-server.ts'
import { type TestService, describeService, testEnv } from '../../../test/harness/service.ts'

const names = await startNameServer()
after(() => names.close())

const email = 'it@acme.example'

async function scene(service: TestService, body: object = {}) {
  const home = await newHome(service)
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
    const chosen = await browser.open(hrefOf(providers, 'Another provider (OpenID Connect)'))
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
    assert.match(tested.text, /The test has succeeded/)
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

  it('show only the steps that the link allows', async () => {
    const { browser, path } = await scene(service(), { steps: ['domain'] })
    const overview = await enter(service(), browser, path)
    assert.equal(hrefOf(overview, 'Identity provider'), '')
    assert.equal((await browser.open(path.replace(/\?.*$/, '/connection'))).status, 403)
  })
}

describeService('the set-up pages', suite, { ...testEnv, BAILIWICK_DNS_SERVERS: names.address })
