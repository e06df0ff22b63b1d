// The pages about organizations as people use them, in Chromium at a phone's width: with the keyboard, without JavaScript, through the
// links of real messages, and with names that are as long and as strange as allowed.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { getConsoleTenantId } from '../../src/tenancy/tenants/console-tenant.ts'
import { getTenant } from '../../src/tenancy/tenants/tenants.ts'
import { pathIn } from '../harness/browser/page-visitors.ts'
import { describeOnOneEngine } from '../harness/databases/on-one-engine.ts'
import { createTenant, createUser, unique } from '../harness/factories.ts'
import { freePort } from '../harness/free-port.ts'
import { latestMessageTo } from '../harness/messages.ts'
import { startNameServer } from '../harness/outside/name-server.ts'
import { domainSettings } from '../harness/people/organization-domains.ts'
import { password } from '../harness/people/people.ts'
import { type TestService, startTestService, testEnv } from '../harness/service.ts'
import { describeBrowser, startChromium } from './chromium.ts'
import { openWatchedPage } from './watched-page.ts'

/** 64 characters without a place to break, markup, marks of direction, an emoji. */
const longName = `${'Donaudampfschiff'.repeat(3)}<b>\u{202e}🧪\u{200f}ahrt`

describeBrowser('in Chromium', () => {
  describeOnOneEngine('the pages about organizations', (open) => {
    let service: TestService
    let origin: string
    let browser: Browser
    const names = startNameServer()
    before(async () => {
      const port = await freePort()
      // Flows return to the address with which the service is configured.
      origin = `http://localhost:${port}`
      const env = { ...testEnv, BAILIWICK_DNS_SERVERS: (await names).address, BAILIWICK_BASE_URL: origin }
      service = await startTestService((await open()).database, env)
      await service.app.listen({ port, host: '127.0.0.1' })
      browser = await startChromium()
    })
    after(async () => {
      await browser.close()
      await service.app.close()
      await (await names).close()
    })

    async function verifiedUser(tenantId: string, email = `${unique()}@example.com`) {
      const user = await createUser(service, tenantId, { email, password, name: 'Ada' })
      await service.ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
      return email
    }

    /** From whatever page asks for it. */
    async function signIn(page: Page, email: string) {
      await page.getByLabel('E-mail address').fill(email)
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
    }

    const linkTo = async (email: string) => origin + pathIn((await latestMessageTo(service.deps, email)).link)
    const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

    it('work for an administrator, and for an invited person without JavaScript', async () => {
      const { tenant } = await createTenant(service)
      await service.ok('putAuthTenant', { params: { id: tenant.id }, body: domainSettings })
      const at = `${origin}/t/${tenant.slug}/organizations`
      const email = await verifiedUser(tenant.id)
      const { context, page, check } = await openWatchedPage(browser)
      await page.goto(at)
      await signIn(page, email)
      await heading(page, 'Your organizations')
      await check()
      await page.getByRole('link', { name: 'Create an organization' }).click()
      await page.getByLabel('Name', { exact: true }).fill(longName)
      await page.getByLabel('Short name').fill('no')
      await page.getByRole('button', { name: 'Create' }).click()
      await page.getByText('Use 4 to 32 letters').first().waitFor()
      await check()
      await page.getByLabel('Short name').fill('')
      await page.getByRole('button', { name: 'Create' }).click()
      await page.getByText('The organization has been created.').waitFor()
      assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), longName)
      await check()
      const home = page.url().replace(/\?.*/, '')

      await page.getByRole('link', { name: 'Invitations' }).click()
      const guestEmail = `${unique()}@example.com`
      await page.getByLabel('E-mail address').fill(guestEmail)
      await page.getByLabel('Role').selectOption({ label: 'member' })
      await page.getByRole('button', { name: 'Send the invitation' }).click()
      await page.getByText('The invitation has been sent.').waitFor()
      await check()

      const guest = await openWatchedPage(browser, { javaScriptEnabled: false })
      await guest.page.goto(await linkTo(guestEmail))
      await heading(guest.page, 'You have been invited')
      await guest.page.getByRole('link', { name: 'Create an account' }).click()
      await guest.page.getByLabel('Password', { exact: true }).fill(password)
      await guest.page.getByRole('button', { name: 'Sign up' }).click()
      await guest.page.waitForURL(/\/account/)
      await guest.page.goto(`${home}/members`)
      await heading(guest.page, 'Members')
      assert.equal(await guest.page.getByText('Change').count(), 0)

      // Whoever signs in without the link is offered the invitation first.
      const colleague = await openWatchedPage(browser, { viewport: { width: 390, height: 800 } })
      const colleagueEmail = await verifiedUser(tenant.id)
      const organizationId = home.split('/').at(-1) ?? ''
      await service.ok('createOrganizationInvitation', { body: { organizationId, email: colleagueEmail } })
      await colleague.page.goto(`${origin}/t/${tenant.slug}/sign-in`)
      await signIn(colleague.page, colleagueEmail)
      await heading(colleague.page, 'You have been invited')
      await colleague.check()
      await colleague.page.getByRole('button', { name: /^Decline/ }).click()
      await colleague.page.waitForURL(/\/account/)
      await colleague.context.close()

      await page.getByRole('link', { name: 'Members' }).click()
      await heading(page, 'Members')
      const change = page.getByText('Change').first()
      await change.focus()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      assert.equal(await page.evaluate('document.activeElement.name'), 'roleId')
      await check()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      assert.equal(await page.evaluate('document.activeElement.textContent.trim()'), 'Remove from the organization')
      await page.keyboard.press('Enter')
      await page.getByText('The member has been removed.').waitFor()
      await check()
      assert.equal((await guest.page.goto(home))?.status(), 404)
      await guest.context.close()

      await page.getByRole('link', { name: 'Domains' }).click()
      const domain = `${unique()}.example`
      await page.getByLabel('Domain', { exact: true }).fill(domain)
      await page.getByRole('button', { name: 'Add the domain' }).click()
      await heading(page, domain)
      await page.getByRole('button', { name: 'Check the record' }).click()
      await page.getByText('The record is not there yet').waitFor()
      await check()
      const [, record = '', value = ''] = await page.locator('code').allTextContents()
      ;(await names).records.set(record, [value])
      await page.getByRole('button', { name: 'Check the record' }).click()
      await page.getByText('The domain has been verified.').waitFor()
      await check()

      await page.goto(`${home}/delete?lang=ar`)
      await check()
      await page.goto(`${home}?lang=ar`)
      await check()
      await page.goto(`${home}/delete?lang=en`)
      await page.getByRole('button', { name: 'Delete for ever' }).click()
      await page.getByText('The organization has been deleted.').waitFor()
      await check()
      await context.close()
    })

    it('lead an invited administrator to sign in with the invited address', async () => {
      const consoleId = await getConsoleTenantId(service.deps.db)
      const { row } = await getTenant(service.deps, consoleId)
      const [email, other] = [await verifiedUser(row.id), await verifiedUser(row.id)]
      const { tenant } = await createTenant(service)
      await service.ok('inviteTenantMember', { body: { tenantId: tenant.id, email, roleAdmin: true } })
      const { context, page, check } = await openWatchedPage(browser)
      await page.goto(`${origin}/t/${row.slug}/sign-in`)
      await signIn(page, other)
      await page.waitForURL(/\/account/)
      await page.goto(await linkTo(email))
      await page.getByText(`but the invitation is for ${email}`).waitFor()
      await check()
      assert.equal(await page.getByRole('button').count(), 0)
      await page.getByRole('link', { name: 'Use another account' }).click()
      await signIn(page, email)
      await page.getByText(`You have been invited to administer ${tenant.name}`).waitFor()
      await check()
      await page.getByRole('button', { name: 'Accept' }).click()
      await heading(page, 'You are an administrator now')
      await check()
      await context.close()
    })
  })
})
