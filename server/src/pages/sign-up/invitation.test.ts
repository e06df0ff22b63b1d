// The page to which the link in an invitation leads, for both kinds of invitations.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { RoleFlag, TenantInvitation } from '@bailiwick/contract'
import { PageBrowser } from '../../../test/harness/browser/page-browser.ts'
import { type Home, hrefOf, newHome, pathIn, pathOf, visitor } from '../../../test/harness/browser/page-visitors.ts'
import { storedCounter, storedEvents } from '../../../test/harness/databases/stored.ts'
import { createOrganization, createTenant, unique } from '../../../test/harness/factories.ts'
import { latestMessageTo } from '../../../test/harness/messages.ts'
import { password } from '../../../test/harness/people/people.ts'
import { flagsOf } from '../../../test/harness/people/sessions.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'
import { getConsoleTenantId } from '../../tenancy/tenants/console-tenant.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'

const newEmail = () => `${unique()}@example.com`

/** The pages of the console's own tenant. */
async function consoleHome({ deps }: TestService): Promise<Home> {
  const { row } = await getTenant(deps, await getConsoleTenantId(deps.db))
  return { tenant: { id: row.id, slug: row.slug, publicKey: row.public_key }, at: `/t/${row.slug}` }
}

/** An invitation to administer a new tenant, and the path of its link. */
async function administrators(service: TestService, email = newEmail(), ...flags: readonly RoleFlag[]) {
  const { tenant } = await createTenant(service)
  const body = { tenantId: tenant.id, email, ...flagsOf(...flags) }
  await service.ok<TenantInvitation>('inviteTenantMember', { body })
  const message = await latestMessageTo(service.deps, email)
  return { tenant, email, link: pathIn(message.link), message }
}

async function toOrganization(service: TestService, home: Home, email = newEmail()) {
  const organization = await createOrganization(service, home.tenant.id, { name: 'Research' })
  await service.ok('createOrganizationInvitation', { body: { organizationId: organization.id, email } })
  return { organization, email, link: pathIn((await latestMessageTo(service.deps, email)).link) }
}

describeService('the page of an invitation to administer a tenant', (service) => {
  it('lets a new person sign up with the link of the message, and become an administrator', async () => {
    const { tenant, link } = await administrators(service(), newEmail(), 'roleViewUsers')
    const home = await consoleHome(service())
    assert.equal(link.split('/invitation')[0], `/t/${home.tenant.id}`)
    const browser = new PageBrowser(service())
    const opened = await browser.open(link)
    assert.ok(opened.text.includes(`You have been invited to administer ${tenant.name}`), opened.text)
    const signUp = await browser.open(hrefOf(opened, 'Create an account'))
    const end = await browser.send(signUp, { password })
    assert.equal(new URL(hrefOf(end, 'Continue')).pathname, `/console/t/${tenant.id}`)
    assert.equal(await storedCounter(service(), tenant.id, 'members'), 1)
    assert.equal((await browser.open(link)).status, 410)
  })

  it('lets a console user accept once, and names the tenant', async () => {
    const person = await visitor(service(), await consoleHome(service()))
    const { tenant, link } = await administrators(service(), person.email, 'roleViewUsers')
    const { browser } = person
    const opened = await browser.open(link)
    const accepted = await browser.send(opened, {}, { button: 'Accept' })
    assert.equal(accepted.title, 'You are an administrator now')
    assert.ok(accepted.text.includes(tenant.name))
    const again = await browser.send(opened, {}, { button: 'Accept' })
    assert.equal(again.title, 'This invitation is no longer valid')
    const [event] = await storedEvents(service(), tenant.id, 'tenant_invitation.accepted')
    assert.equal(event?.actor_type, 'console_user')
    const elsewhere = await visitor(service(), await consoleHome(service()))
    assert.equal(
      (await elsewhere.browser.open(new URL(accepted.url).pathname + new URL(accepted.url).search)).status,
      404,
    )
  })

  it('lets a console user decline', async () => {
    const person = await visitor(service(), await consoleHome(service()))
    const { tenant, link } = await administrators(service(), person.email)
    const declined = await person.browser.send(await person.browser.open(link), {}, { button: 'Decline' })
    assert.equal(declined.title, 'You have declined')
    assert.equal(await storedCounter(service(), tenant.id, 'invitations'), 0)
    assert.equal(await storedCounter(service(), tenant.id, 'members'), 0)
  })

  it('lets only the user with the invited address answer, whatever is sent', async () => {
    const home = await consoleHome(service())
    const { tenant, email, link } = await administrators(service())
    const other = await visitor(service(), home)
    const shown = await other.browser.open(link)
    assert.ok(shown.text.includes(`but the invitation is for ${email}`))
    assert.equal(hrefOf(shown, 'Use another account').startsWith(`${home.at}/sign-in?`), true)
    const anonymous = new PageBrowser(service())
    const token = new URL(`http://id.test${link}`).searchParams.get('token') ?? ''
    // The forms of another invitation that these users may answer, with the token of this one.
    const theirs = await administrators(service(), other.email)
    const form = await other.browser.open(theirs.link)
    const organization = await toOrganization(service(), home)
    const anybodys = await anonymous.open(organization.link)
    for (const button of ['Accept', 'Decline']) {
      const refused = await other.browser.send(form, {}, { button, replace: { token } })
      assert.equal(refused.status, 403, button)
    }
    const asked = await anonymous.send(anybodys, {}, { button: 'Decline', replace: { token } })
    assert.equal(hrefOf(asked, 'Sign in') === '', false)
    assert.equal(await storedCounter(service(), tenant.id, 'invitations'), 1)
    assert.equal(await storedCounter(service(), tenant.id, 'members'), 0)
  })

  it('is invalid on the pages of another tenant, even for its user with the same address', async () => {
    const home = await newHome(service())
    const person = await visitor(service(), home)
    const { link } = await administrators(service(), person.email)
    const query = link.split('?')[1] ?? ''
    const shown = await person.browser.open(`${home.at}/invitation?${query}`)
    assert.deepEqual([shown.status, shown.title], [410, 'This invitation is no longer valid'])
  })
})

describeService('the page of an invitation to an organization', (service) => {
  it('lets a user with the invited address accept or decline, signed in or not', async () => {
    const home = await newHome(service())
    const person = await visitor(service(), home)
    const { organization, link } = await toOrganization(service(), home, person.email)
    const opened = await person.browser.open(link)
    assert.match(opened.text, /invited to Research/)
    const joined = await person.browser.send(opened, {}, { button: 'Accept' })
    assert.equal(pathOf(joined), `${home.at}/organizations/${organization.id}`)
    const second = await toOrganization(service(), home)
    const anonymous = new PageBrowser(service())
    const declined = await anonymous.send(await anonymous.open(second.link), {}, { button: 'Decline' })
    assert.equal(declined.title, 'You have declined')
    assert.equal((await anonymous.open(second.link)).status, 410)
  })

  it('asks another user to sign in with the invited address, and cannot be accepted by others', async () => {
    const home = await newHome(service())
    const [invited, other] = [await visitor(service(), home), await visitor(service(), home)]
    const { link, organization } = await toOrganization(service(), home, invited.email)
    const shown = await other.browser.open(link)
    assert.equal(
      [...shown.document.querySelectorAll('button')].some(({ textContent }) => textContent.trim() === 'Accept'),
      false,
    )
    // Everybody who has the link can decline, so the answer is changed on its way.
    const own = await toOrganization(service(), home, other.email)
    const form = await other.browser.open(own.link)
    const token = new URL(`http://id.test${link}`).searchParams.get('token') ?? ''
    const refused = await other.browser.send(form, {}, { button: 'Accept', replace: { token } })
    assert.equal(refused.status, 403)
    assert.equal(await storedCounter(service(), home.tenant.id, `organization_members:${organization.id}`), 0)
    const start = await other.browser.open(hrefOf(shown, 'Use another account'))
    const back = await other.browser.send(await other.browser.send(start, { identifier: invited.email }), { password })
    assert.equal(pathOf(back), `${home.at}/invitation`)
    await other.browser.send(back, {}, { button: 'Accept' })
    assert.equal(await storedCounter(service(), home.tenant.id, `organization_members:${organization.id}`), 1)
  })

  it('says that it does not work at another tenant, or if organizations are off', async () => {
    const home = await newHome(service())
    const { link } = await toOrganization(service(), home)
    const elsewhere = await newHome(service())
    const query = link.split('?')[1] ?? ''
    assert.equal((await new PageBrowser(service()).open(`${elsewhere.at}/invitation?${query}`)).status, 410)
    await service().ok('putAuthTenant', { params: { id: home.tenant.id }, body: { organizationsEnabled: false } })
    assert.equal((await new PageBrowser(service()).open(link)).status, 410)
  })
})
