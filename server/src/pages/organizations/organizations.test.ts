import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Role } from '@bailiwick/contract'
import { PageBrowser, type Shown } from '../../../test/harness/browser/page-browser.ts'
import {
  type Home,
  type Visitor,
  hrefOf,
  newHome,
  pathIn,
  pathOf,
  signInAt,
  visitor,
} from '../../../test/harness/browser/page-visitors.ts'
import { storedEvents } from '../../../test/harness/databases/stored.ts'
import { createRole, createUser, unique } from '../../../test/harness/factories.ts'
import { latestMessageTo } from '../../../test/harness/messages.ts'
import { password } from '../../../test/harness/people/people.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'
import { organizationRoutes } from './routes.ts'

const textsOf = ({ document }: Shown, selector: string) =>
  [...document.querySelectorAll(selector)].map(({ textContent }) => textContent.trim())
const readRows = (shown: Shown) => textsOf(shown, '.list > li')

interface Scene {
  readonly home: Home
  readonly admin: Visitor
  /** The path of the organization's page. */
  readonly at: string
  readonly id: string
}

/** An organization with its administrator, made on the pages. */
async function scene(service: TestService, auth: object = {}, name = 'Research'): Promise<Scene> {
  const home = await newHome(service, auth)
  const admin = await visitor(service, home)
  const start = await admin.browser.open(`${home.at}/organizations/new`)
  const made = await admin.browser.send(start, { name, slug: '' })
  assert.equal(made.title, name)
  const at = pathOf(made)
  return { home, admin, at, id: at.split('/').at(-1) ?? '' }
}

/** Another member of the organization. */
async function fellow(service: TestService, { home, id }: Scene, role?: { readonly id: string }, body: object = {}) {
  const guest = await visitor(service, home, body)
  const { id: memberId } = await service.ok<{ id: string }>('createOrganizationMember', {
    body: { organizationId: id, userId: guest.userId, ...(role === undefined ? {} : { roleId: role.id }) },
  })
  return { ...guest, memberId }
}

const userOf = async (service: TestService, { tenant }: Home) => (await createUser(service, tenant.id)).id

async function roleId(service: TestService, { tenant }: Home, name: string): Promise<string> {
  const { data } = await service.ok<{ data: Role[] }>('listRoles', { params: { tenantId: tenant.id } })
  return data.find((role) => role.name === name)?.id ?? ''
}

/** Makes the only session of a tenant look as if it had begun long ago. */
async function ageSession({ deps: { db, sessions } }: TestService, { tenant }: Home) {
  const at = new Date(Date.now() - 20 * 60_000).toISOString().replace('Z', '000Z')
  await db.write(() => [sql`UPDATE sessions SET created_at = ${at} WHERE tenant_id = ${tenant.id}`])
  sessions.clear()
}

/** Claims a domain for the organization; returns the last part of its path. */
async function claimedBy({ admin, at }: Scene): Promise<string> {
  const page = await admin.browser.open(`${at}/domains`)
  const made = await admin.browser.send(page, { name: `${unique()}.example` })
  return pathOf(made).split('/').at(-1) ?? ''
}

describeService('the pages about organizations', (service) => {
  it('create an organization, switch to it, change it and delete it', async () => {
    const { home, admin, at } = await scene(service())
    const { browser } = admin
    const list = await browser.open(`${home.at}/organizations`)
    assert.match(readRows(list)[0] ?? '', /Research.*admin · 1 member.*Switch to it/s)
    const switched = await browser.send(list, {}, { button: 'Switch to it – Research' })
    assert.deepEqual(textsOf(switched, '.badge'), ['Active'])
    const none = await browser.send(switched, {}, { button: 'Switch to it – Yourself' })
    assert.deepEqual(textsOf(none, '.badge'), [])

    const details = await browser.open(at)
    const refused = await browser.send(details, { name: '', slug: 'x', imageUri: 'nowhere' })
    assert.equal(refused.status, 422)
    assert.deepEqual(Object.keys(refused.errors), ['name'])
    const wrong = await browser.send(refused, { name: '<i>Labs</i>', slug: 'x!', imageUri: 'nowhere' })
    assert.deepEqual(Object.keys(wrong.errors).toSorted(), ['imageUri', 'slug'])
    assert.match(wrong.text, /value="nowhere"/)
    const saved = await browser.send(wrong, { slug: 'labs-one', imageUri: '' })
    assert.equal(saved.title, '<i>Labs</i>')
    assert.doesNotMatch(saved.text, /<i>Labs/)
    assert.deepEqual(textsOf(saved, '[role=status]'), ['Your changes have been saved.'])

    const asked = await browser.open(hrefOf(saved, 'Delete the organization'))
    const deleted = await browser.send(asked, {}, { button: 'Delete for ever' })
    assert.equal(pathOf(deleted), `${home.at}/organizations`)
    assert.match(deleted.text, /not in any organization/)
    assert.equal((await browser.open(at)).status, 404)
  })

  it('say what is wrong with a new organization and keep what was typed', async () => {
    const { home, admin } = await scene(service())
    const start = await admin.browser.open(`${home.at}/organizations/new`)
    const empty = await admin.browser.send(start, { name: '  ', slug: 'one' })
    assert.deepEqual([empty.status, Object.keys(empty.errors)], [422, ['name']])
    const taken = await admin.browser.send(empty, { name: 'Research again', slug: 'research' })
    assert.deepEqual([taken.status, Object.keys(taken.errors)], [409, ['slug']])
    assert.match(taken.text, /value="Research again"/)
  })

  it('ask for a fresh sign-in before an organization is deleted, and lead back', async () => {
    const { home, admin, at } = await scene(service())
    await ageSession(service(), home)
    const asked = await admin.browser.open(`${at}/delete`)
    const again = await admin.browser.send(asked, {}, { button: 'Delete for ever' })
    assert.equal(again.title, 'Sign in again first')
    const start = await admin.browser.open(hrefOf(again, 'Sign in again'))
    const back = await admin.browser.send(await admin.browser.send(start, { identifier: admin.email }), { password })
    assert.equal(back.title, 'Delete Research?')
    assert.equal(pathOf(await admin.browser.send(back, {}, { button: 'Delete for ever' })), `${home.at}/organizations`)
  })

  it('page through the organizations and the members of a long list', async () => {
    const here = await scene(service())
    const { home, admin, at } = here
    for (let made = 0; made < 20; made++) {
      const { id } = await service().ok<{ id: string }>('createOrganization', {
        body: { tenantId: home.tenant.id, name: `More ${made}` },
      })
      await service().ok('createOrganizationMember', { body: { organizationId: id, userId: admin.userId } })
      await service().ok('createOrganizationMember', {
        body: { organizationId: here.id, userId: await userOf(service(), home) },
      })
    }
    for (const path of [`${home.at}/organizations`, `${at}/members`]) {
      const first = await admin.browser.open(path)
      assert.equal(readRows(first).length, 20)
      const second = await admin.browser.open(hrefOf(first, 'Next'))
      assert.equal(readRows(second).length, 1)
      assert.equal(readRows(await admin.browser.open(hrefOf(second, 'Previous'))).length, 20)
      assert.equal((await admin.browser.open(`${path}?cursor=junk`)).status, 404)
    }
  })

  it('change the role of a member, remove a member, and keep a manager of the members', async () => {
    const here = await scene(service())
    const { home, admin, at } = here
    const guest = await fellow(service(), here, undefined, { name: 'Grace' })
    const members = await admin.browser.open(`${at}/members`)
    const rows = readRows(members)
    assert.match(rows[0] ?? '', /Grace.*No role/s)
    assert.match(rows[1] ?? '', /Ada.*You.*admin/s)
    const memberRole = await roleId(service(), home, 'member')
    const changed = await admin.browser.send(members, { roleId: memberRole }, { to: `${at}/members/${guest.memberId}` })
    assert.match(readRows(changed)[0] ?? '', /Grace.*member/s)
    const own = [...members.document.querySelectorAll('form')]
      .map((form) => form.getAttribute('action') ?? '')
      .find((action) => action.includes('/members/') && !action.includes(guest.memberId))
    const last = await admin.browser.send(members, { roleId: '' }, { to: own ?? '' })
    assert.deepEqual(
      [last.status, last.errors['form']],
      [409, 'You are the last member who can manage this organization. Give another member that permission first.'],
    )
    assert.match(last.title, /Members/)
    const removed = await admin.browser.send(changed, {}, { button: 'Remove from the organization' })
    assert.deepEqual(readRows(removed).length, 1)
    const left = await admin.browser.send(await admin.browser.open(`${at}/leave`), {}, { button: 'Leave' })
    assert.equal(
      left.errors['form'],
      'You are the last member who can manage this organization. Give another member that permission first.',
    )
    assert.equal((await guest.browser.open(at)).status, 404)
  })

  it('let a member leave, and show no more than a member may see', async () => {
    const here = await scene(service(), { organizationCustomDomainManagementEnabled: true })
    const { home, at } = here
    const { browser } = await fellow(service(), here)
    const details = await browser.open(at)
    assert.deepEqual(textsOf(details, 'nav li'), ['Your organizations', 'Details', 'Members'])
    assert.equal(details.document.querySelector('[name=name]'), null)
    assert.equal(hrefOf(details, 'Delete the organization'), '')
    assert.equal((await browser.open(`${at}/members`)).document.querySelector('details form'), null)
    const left = await browser.send(
      await browser.open(hrefOf(details, 'Leave the organization')),
      {},
      { button: 'Leave' },
    )
    assert.deepEqual(textsOf(left, '[role=status]'), ['You have left the organization.'])
    assert.equal(pathOf(left), `${home.at}/organizations`)
  })

  it('offer no role with more permissions than the reader has, and refuse it', async () => {
    const here = await scene(service())
    const { home, at } = here
    const helper = await createRole(service(), home.tenant.id, {
      permissions: ['org:members:manage', 'org:invitations:manage'],
    })
    const { browser, memberId } = await fellow(service(), here, helper)
    const members = await browser.open(`${at}/members`)
    assert.equal(
      textsOf(members, 'select').some((options) => options.includes('admin')),
      false,
    )
    const admin = await roleId(service(), home, 'admin')
    const refused = await browser.send(members, { roleId: admin }, { to: `${at}/members/${memberId}` })
    assert.deepEqual(
      [refused.status, /permissions that you do not have/.test(refused.errors['form'] ?? '')],
      [403, true],
    )
    const invitations = await browser.open(`${at}/invitations`)
    const sent = await browser.send(invitations, { email: `${unique()}@example.com`, roleId: admin })
    assert.deepEqual([sent.status, /permissions that you do not have/.test(sent.errors['form'] ?? '')], [403, true])
  })

  it('send an invitation, again, and withdraw it; its link is accepted by a new user', async () => {
    const { home, admin, at } = await scene(service())
    const { browser } = admin
    const email = `${unique()}@example.com`
    const start = await browser.open(`${at}/invitations`)
    const wrong = await browser.send(start, { email: 'nobody' })
    assert.deepEqual([Object.keys(wrong.errors), /value="nobody"/.test(wrong.text)], [['email'], true])
    const sent = await browser.send(wrong, { email })
    assert.match(readRows(sent)[0] ?? '', /valid until/)
    const twice = await browser.send(sent, { email })
    assert.deepEqual([twice.status, Object.keys(twice.errors)], [409, ['email']])
    const old = pathIn((await latestMessageTo(service().deps, email)).link)
    await browser.send(sent, {}, { button: `Send again – ${email}` })
    const newer = pathIn((await latestMessageTo(service().deps, email)).link)
    const guest = new PageBrowser(service())
    assert.equal((await guest.open(old)).status, 410)
    const opened = await guest.open(newer)
    assert.match(opened.text, /invited to Research/)
    const signUp = await guest.open(hrefOf(opened, 'Create an account'))
    assert.equal(pathOf(await guest.send(signUp, { password })), `${home.at}/account`)
    assert.equal((await guest.open(at)).title, 'Research')
    const answered = await browser.open(`${at}/invitations`)
    assert.match(readRows(answered)[0] ?? '', /Accepted on/)
    await browser.send(answered, {}, { button: `Remove from the list – ${email}` })

    const other = `${unique()}@example.com`
    const waiting = await browser.send(await browser.open(`${at}/invitations`), { email: other })
    const link = pathIn((await latestMessageTo(service().deps, other)).link)
    const withdrawn = await browser.send(waiting, {}, { button: `Withdraw – ${other}` })
    assert.match(withdrawn.text, /There are no invitations yet/)
    assert.equal((await guest.open(link)).status, 410)
  })

  it('are refused without the permission, with another tenant’s session, and without the form of this browser', async () => {
    const here = await scene(service(), {
      organizationCustomDomainManagementEnabled: true,
      organizationRolesEnabled: true,
      organizationRolePermissions: ['org:read'],
      userApiKeysEnabled: true,
    })
    const { home, admin, id } = here
    const elsewhere = await visitor(service(), await newHome(service()))
    const plain = await fellow(service(), here)
    const stranger = await visitor(service(), home)
    const domain = await claimedBy(here)
    const inOrganization = { params: { organizationId: id }, body: { name: 'Engineering' } }
    const { id: groupId } = await service().ok<{ id: string }>('createOrganizationGroup', inOrganization)
    const ofOrganization = { tenantId: home.tenant.id, organizationId: id, name: 'Deployment script' }
    const { id: keyId } = await service().ok<{ id: string }>('createUserApiKey', { body: ofOrganization })
    const withRole = { params: { organizationId: id }, body: { name: 'Dispatcher' } }
    const ownRole = await service().ok<{ id: string }>('createOrganizationRole', withRole)
    const names: Record<string, string> = {
      id,
      memberId: plain.memberId,
      invitationId: id,
      domainId: domain,
      groupId,
      keyId,
      roleId: ownRole.id,
    }
    const before = await storedEvents(service(), home.tenant.id)
    for (const { method, path } of organizationRoutes) {
      const to = home.at + path.replaceAll(/:(\w+)/g, (_whole, name: string) => names[name] ?? '')
      if (method === 'GET') {
        assert.equal((await new PageBrowser(service()).open(to)).title, 'Sign in', to)
        assert.equal((await elsewhere.browser.open(to)).title, 'Sign in', to)
        if (path.includes(':id')) assert.equal((await stranger.browser.open(to)).status, 404, to)
        continue
      }
      const anybody = new PageBrowser(service())
      const form = await anybody.open(`${home.at}/sign-in`)
      assert.equal((await anybody.send(form, {}, { to })).title, 'Sign in', to)
      const page = await admin.browser.open(`${home.at}/organizations/new`)
      const wrong = await admin.browser.send(page, {}, { to, replace: { formToken: 'x'.repeat(43) } })
      assert.deepEqual([wrong.status, wrong.title], [403, 'Load this page again'], to)
      const foreign = await admin.browser.send(
        page,
        {},
        { to, headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } },
      )
      assert.equal(foreign.status, 403, to)
      if (!path.includes(':id') || path.endsWith('/leave')) continue
      const own = await plain.browser.open(`${home.at}/organizations/new`)
      assert.equal((await plain.browser.send(own, {}, { to })).status, 403, to)
      const theirs = await stranger.browser.open(`${home.at}/organizations/new`)
      assert.equal((await stranger.browser.send(theirs, {}, { to })).status, 404, to)
    }
    const kinds = (await storedEvents(service(), home.tenant.id)).slice(before.length).map(({ type }) => type)
    assert.deepEqual(
      kinds.filter((type) => type.startsWith('organization')),
      [],
    )
  })

  it('say so if the tenant has no organizations', async () => {
    const { home, admin } = await scene(service())
    await service().ok('putAuthTenant', { params: { id: home.tenant.id }, body: { organizationsEnabled: false } })
    for (const path of ['', '/new']) {
      const shown = await admin.browser.open(`${home.at}/organizations${path}`)
      assert.deepEqual([shown.status, shown.title], [403, 'There are no organizations here'])
    }
  })

  it('lead back to the requested page after a sign-in', async () => {
    const { home, admin, at } = await scene(service())
    const browser = new PageBrowser(service())
    const start = await browser.open(`${at}/members`)
    const end = await browser.send(await browser.send(start, { identifier: admin.email }), { password })
    assert.equal(pathOf(end), `${at}/members`)
    assert.equal(pathOf(await signInAt(new PageBrowser(service()), home.at, admin.email)), `${home.at}/account`)
  })

  it('let an administrator set sign-in rules, and say whom they would lock out before they are saved', async () => {
    const home = await newHome(service())
    const { browser } = await visitor(service(), home)
    const at = pathOf(await browser.send(await browser.open(`${home.at}/organizations/new`), { name: 'Research' }))
    const organizationId = at.split('/').at(-1) ?? ''
    const { id: userId } = await createUser(service(), home.tenant.id, { username: unique() })
    await service().ok('createOrganizationMember', { body: { organizationId, userId } })
    const rules = await browser.open(`${at}/security/rules`)
    assert.equal(rules.document.querySelector('[aria-current="page"]')?.textContent, 'Sign-in rules')
    const wrong = await browser.send(rules, { minutes: 'soon' })
    assert.deepEqual([wrong.status, Object.keys(wrong.errors)], [422, ['minutes']])
    const doubtful = await browser.send(rules, { 'way:password': '1', minutes: '60' })
    assert.equal(doubtful.status, 409)
    assert.match(doubtful.text, /1 member cannot sign in/)
    const saved = await browser.send(doubtful, { 'way:password': '1' }, { button: 'Save the rules anyway' })
    assert.match(saved.text, /Your changes have been saved/)
    assert.notEqual(saved.document.querySelector('[name="way:password"]')?.getAttribute('checked') ?? null, null)
    assert.equal(saved.document.querySelector('[name="minutes"]')?.getAttribute('value'), '60')
    const body = { allowedStrategies: ['email_code'] }
    await service().ok('updateOrganizationSecurity', { params: { id: organizationId }, body })
    const asked = await browser.open(`${at}/members`)
    assert.equal(asked.status, 401)
    assert.match(asked.text, /sign in again in one of these ways: Code by e-mail/)
    const link = [...asked.document.querySelectorAll('a')].find(({ textContent }) => textContent === 'Sign in again')
    const start = await browser.open(link?.getAttribute('href') ?? '')
    assert.ok(
      start.document.querySelector('[name="identifier"]'),
      'the page asks to sign in, although there is a session',
    )
  })
})
