// The set-up pages for members of an organization: what the tenant, the role and a recent proof decide.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type Connection, idJagGrant } from '@bailiwick/contract'
import { storeGrant } from '../../../test/harness/applications.ts'
import { type PageBrowser, type Shown } from '../../../test/harness/browser/page-browser.ts'
import { hrefOf, newHome, pathOf, visitor } from '../../../test/harness/browser/page-visitors.ts'
import { storedEvents } from '../../../test/harness/databases/stored.ts'
import { createApplication, createRole } from '../../../test/harness/factories.ts'
import { FakeIdentityProvider } from '../../../test/harness/outside/fake-identity-provider.ts'
import { addDomain, provenByDns } from '../../../test/harness/people/enterprise.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'

const settings = { organizationConnectionManagementEnabled: true }
const leavingAddress = ({ headers }: Shown) => String(headers['refresh']).replace(/^0;\s*url=/, '')

async function scene(service: TestService, auth: object = settings) {
  const home = await newHome(service, auth)
  const { browser, userId } = await visitor(service, home)
  const start = await browser.open(`${home.at}/organizations/new`)
  const organizationPath = pathOf(await browser.send(start, { name: 'Research' }))
  const organizationId = organizationPath.split('/').at(-1) ?? ''
  return { home, browser, userId, organizationPath, organizationId, at: `${organizationPath}/security` }
}

describeService('the set-up pages of members', (service) => {
  const idp = new FakeIdentityProvider()
  before(() => idp.start())
  after(() => idp.stop())

  async function connect(browser: PageBrowser, at: string) {
    const chosen = await browser.open(`${at}/connection/other`)
    const draft = await browser.send(chosen, { issuer: idp.issuer })
    return browser.send(draft, { clientId: idp.clientId, clientSecret: 'its secret: 100 %' })
  }

  it('name the applications that act for members because the provider allows it', async () => {
    const { home, browser, userId, organizationId, at } = await scene(service())
    const tenantId = home.tenant.id
    const names = async (name: string, grantTypes: readonly string[]) => {
      const { id } = await createApplication(service(), tenantId, {
        name,
        type: 'machine',
        redirectUris: [],
        grantTypes,
      })
      await storeGrant(service(), { tenantId, userId, applicationId: id, organizationId })
    }
    assert.doesNotMatch((await browser.open(at)).text, /Agents/)
    await names('Reporter', ['client_credentials'])
    await names('Assistant', ['client_credentials', idJagGrant])
    const { text } = await browser.open(at)
    assert.match(text, /Agents.*Assistant.*For 1 member/s)
    assert.doesNotMatch(text, /Reporter/)
  })

  it('lead from the organization to single sign-on that is on, and required, by the member', async () => {
    const { home, browser, userId, organizationPath, organizationId, at } = await scene(service())
    const domain = await addDomain(service(), organizationId)
    await provenByDns(service(), domain)
    const details = await browser.open(organizationPath)
    assert.equal(hrefOf(details, 'Single sign-on'), at)
    assert.match((await browser.open(at)).text, /To do/)
    assert.equal((await browser.open(`${at}/domains`)).status, 404, 'the tenant has domains of organizations off')
    const saved = await connect(browser, at)
    const leaving = await browser.send(saved, {}, { button: 'Test the sign-in' })
    const back = idp.agree(leavingAddress(leaving), { sub: 'one', email: `ada@${domain.name}`, name: 'Ada' })
    const tested = await browser.open(back.pathname + back.search)
    assert.match(tested.text, /The test was successful/)
    assert.ok(pathOf(tested).startsWith(at))
    const live = await browser.send(tested, {}, { button: 'Switch on' })
    assert.match(live.text, /Single sign-on is on/)
    assert.match(live.text, /This affects 0 members/)
    const required = await browser.send(live, {}, { button: 'Require it' })
    assert.match(required.text, /Single sign-on is required/)
    const [connection] = await service().ok<Connection[]>('listConnectionsOfOrganization', {
      params: { organizationId },
    })
    assert.deepEqual([connection?.state, connection?.required], ['live', true])
    const events = await storedEvents(service(), home.tenant.id)
    const own = events.filter(({ type }) => type.startsWith('connection.') && type !== 'connection.tested')
    assert.ok(own.length > 3)
    assert.deepEqual([...new Set(own.map(({ actor_id }) => actor_id))], [userId])
  })

  // Guards: customers-administrators
  it('are for members with the permission alone, and only where the tenant offers it', async () => {
    const { home, at, browser, organizationId } = await scene(service())
    const outsider = await visitor(service(), home)
    assert.equal((await outsider.browser.open(at)).status, 404)
    const member = await visitor(service(), home)
    const role = await createRole(service(), home.tenant.id, { permissions: ['org:read', 'org:manage'] })
    const body = { userId: member.userId, roleId: role.id }
    await service().ok('createOrganizationMember', { body: { organizationId, ...body } })
    assert.equal((await member.browser.open(at)).status, 403)
    const form = await browser.open(`${at}/connection/okta`)
    await service().ok('updateRole', { params: { id: role.id }, body: { permissions: ['org:connections:manage'] } })
    const allowed = await member.browser.open(`${at}/roles`)
    assert.equal(allowed.status, 200)
    await service().ok('putAuthTenant', {
      params: { id: home.tenant.id },
      body: { organizationConnectionManagementEnabled: false },
    })
    assert.equal((await browser.open(at)).status, 403)
    assert.equal((await browser.send(form, {}, { button: 'Use SAML 2.0' })).status, 403)
    const connections = await service().ok('listConnectionsOfOrganization', { params: { organizationId } })
    assert.deepEqual(connections, [])
  })

  // Guards: customers-administrators
  it('give only roles that the member may give', async () => {
    const { home, browser, at, organizationId } = await scene(service())
    const manager = await visitor(service(), home)
    const lesser = await createRole(service(), home.tenant.id, { permissions: ['org:connections:manage'] })
    const body = { userId: manager.userId, roleId: lesser.id }
    await service().ok('createOrganizationMember', { body: { organizationId, ...body } })
    await connect(browser, at)
    const page = await manager.browser.open(`${at}/roles`)
    const names = [...page.document.querySelectorAll('#f-roleId option')].map(({ textContent }) => textContent)
    assert.ok(names.includes(lesser.name) && !names.includes('admin'))
    const every = await browser.open(`${at}/roles`)
    const admin = [...every.document.querySelectorAll('#f-roleId option')].find((each) => each.textContent === 'admin')
    const refused = await manager.browser.send(page, { roleId: admin?.getAttribute('value') ?? '' })
    assert.match(refused.errors['form'] ?? '', /Choose a role/)
    const own = await browser.send(every, { claim: '', roleId: admin?.getAttribute('value') ?? '' })
    assert.match(own.text, /Everybody/)
    const seen = await manager.browser.open(`${at}/roles`)
    assert.equal(seen.text.includes('remove-claim'), false, 'nor remove the rules of others')
  })

  // Guards: customers-administrators
  it('ask for a recent proof of a session that is older than an hour', async () => {
    const { home, browser, at } = await scene(service())
    const old = new Date(Date.now() - 61 * 60_000).toISOString().replace('Z', '000Z')
    await service().deps.db.transaction((tx) =>
      tx.run(sql`UPDATE sessions SET auth_time = ${old}, created_at = ${old} WHERE tenant_id = ${home.tenant.id}`),
    )
    service().deps.sessions.clear()
    const asked = await browser.open(`${at}/connection`)
    assert.match(pathOf(asked), /\/verify$/)
  })
})
