// The components as people use them, in Chromium on the service: no error, nothing that a strict policy refuses, no barrier that axe finds, and
// no difference between what the server and the browser render.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { UserApiKeyCheck } from '@bailiwick/contract'
import { ConsumerProject } from '../../scripts/packages/consumer-project.ts'
import { addAuthenticator, describeBrowser } from '../../server/test/browser/chromium.ts'
import { createResource, createRole, createTenant, unique } from '../../server/test/harness/factories.ts'
import { latestMessageTo } from '../../server/test/harness/messages.ts'
import { password, signedInPerson } from '../../server/test/harness/people/people.ts'
import { describeServiceOnce } from '../../server/test/harness/service.ts'
import { type PageProps, startAppServer } from './app-server.ts'
import { addPasskey, removePasskey } from './passkeys.ts'
import { setUpStage } from './stage.ts'
import { check, openWindow, shoot, signInHere, signOut } from './window.ts'

const brand = {
  primary: '#0f766e',
  primaryForeground: '#ffffff',
  card: '40 60% 97%',
  accent: 'no colour at all',
  darkPrimary: '#5eead4',
  darkPrimaryForeground: '#042f2e',
  radius: '4px',
}

describeBrowser('in Chromium', () => {
  describeServiceOnce('the components', (service) => {
    const stage = setUpStage(service)
    const { createVerifier, home, readState } = stage

    /** A tenant with a brand, a user in two organizations, and the app's pages for them. */
    async function createHome(props: Partial<PageProps> = {}) {
      const { tenant } = await createTenant(service())
      const { id, publicKey } = tenant
      await service().ok('putTenantBrand', { params: { id }, body: brand })
      await service().ok('putAuthTenant', { params: { id }, body: { homeUri: home() } })
      stage.app.props = { scene: 'links', frontendApiUrl: stage.frontendApiUrl(), publicKey, tenantId: id, ...props }
      return { tenant, verify: createVerifier(publicKey) }
    }

    it('lead to the hosted pages and back, show the user and the organizations, and give tokens that verify', async () => {
      const { tenant, verify } = await createHome()
      const person = await signedInPerson(service(), tenant)
      const { organization } = await person.browser.ok<{ organization: { id: string } }>('createOwnOrganization', {
        body: { name: 'Bletchley Park' },
      })
      const role = await createRole(service(), tenant.id, { permissions: ['orders:read'] })
      const { context, page, problems, openTab } = await openWindow(stage.browser)
      await page.goto(home())
      const signIn = page.getByRole('link', { name: 'Sign in' })
      // The brand, once it has been fetched.
      await page.locator('.mine[style]').waitFor()
      const colors = () =>
        page.evaluate(
          '(({ backgroundColor, color }) => [backgroundColor, color])(getComputedStyle(document.querySelector(".mine")))',
        )
      assert.deepEqual(await colors(), ['rgb(15, 118, 110)', 'rgb(255, 255, 255)'])
      await page.emulateMedia({ colorScheme: 'dark' })
      assert.deepEqual(await colors(), ['rgb(94, 234, 212)', 'rgb(4, 47, 46)'])
      await check(page)
      await shoot(page, 'signed-out')
      await signIn.click()
      await signInHere(page, person.email)
      await page.waitForURL(home())
      await page.getByRole('button', { name: 'Account of Ada' }).waitFor()
      await page.getByText('No orders for you.').waitFor()
      await check(page)

      // By keyboard, as by mouse: the browser gives the focus back when the menu is closed.
      await page.getByRole('button', { name: 'Account of Ada' }).press('Enter')
      const manage = page.getByRole('link', { name: 'Manage account' })
      await manage.first().waitFor()
      await check(page)
      await shoot(page, 'menu')
      await page.keyboard.press('Escape')
      assert.equal(await page.evaluate('document.activeElement.ariaLabel'), 'Account of Ada')

      const second = await openTab()
      await second.goto(home())
      await second.getByText('Not in charge.').waitFor()
      await page.getByLabel('Organization', { exact: true }).selectOption({ label: 'Bletchley Park' })
      await page.getByText('In charge.', { exact: true }).waitFor()
      // The other tab follows.
      await second.getByText('In charge.', { exact: true }).waitFor()
      let asked = 0
      page.on('request', (request) => (asked += request.url().endsWith('/user/sessions/token') ? 1 : 0))
      await page.getByRole('button', { name: 'Ask for tokens' }).click()
      await page.locator('#tokens:not(:empty)').waitFor({ state: 'attached' })
      const tokens = ((await page.locator('#tokens').textContent()) ?? '').split(' ')
      assert.equal(tokens.length, 5)
      assert.equal(new Set(tokens).size, 1)
      assert.equal(asked, 0, 'the token that came with the profile serves')
      const { sub, claims } = await verify(tokens[0] ?? '')
      assert.deepEqual([sub, claims?.orgId], [person.user.id, organization.id])

      await service().ok('updateUser', { params: { id: person.user.id }, body: { roleId: role.id } })
      await page.reload()
      await page.getByText('All the orders.').waitFor()
      await page.locator('#organization', { hasText: /^Bletchley Park$/ }).waitFor()

      await second.getByRole('button', { name: 'Account of Ada' }).click()
      await second.getByRole('button', { name: 'Sign out' }).click()
      await second.getByRole('link', { name: 'Sign in' }).waitFor()
      await signIn.waitFor()
      assert.equal(await page.getByText('All the orders.').count(), 0)
      assert.deepEqual(problems, [])
      await context.close()
    })

    it('sign in within the page: with a password and an app, with a code, and with a passkey', async () => {
      const { tenant } = await createHome({ scene: 'sign-in' })
      const person = await signedInPerson(service(), tenant)
      const { context, page, problems } = await openWindow(stage.browser)
      const { devTools } = await addAuthenticator(page)
      await page.goto(home())
      const field = page.getByLabel('E-mail address')
      await field.waitFor()
      await check(page)
      await shoot(page, 'embedded-start')
      await field.fill(person.email)
      await page.getByRole('button', { name: 'Continue' }).click()
      const secret = page.getByLabel('Password', { exact: true })
      await secret.fill('not this one')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByText('That does not match.').waitFor()
      assert.equal(await page.evaluate('document.activeElement.name'), 'password')
      await check(page)
      await shoot(page, 'embedded-refused')

      // Another way, which sends a code.
      await page.getByRole('button', { name: 'Use another way' }).click()
      await check(page)
      await page.getByRole('button', { name: 'Code by e-mail' }).click()
      await page.getByLabel('Code').waitFor()
      await check(page)
      const { code } = await latestMessageTo(service().deps, person.email)
      await page.getByLabel('Code').fill(code ?? '')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByText('done').waitFor()
      assert.equal(await page.locator('#who').textContent(), 'Ada')
      await addPasskey(page, tenant.publicKey, stage.servicePort)
      const { recoveryCodes } = await person.addApp()
      await signOut(page)

      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page.getByRole('button', { name: 'Account of Ada' }).waitFor()
      await signOut(page)

      await signInHere(page, person.email)
      await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
      await check(page)
      await page.getByRole('button', { name: 'Use the authenticator app' }).click()
      await page.getByLabel('Code').fill('000000')
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByText('The code is not correct').waitFor()
      await page.getByRole('button', { name: 'Use a recovery code' }).click()
      await page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '')
      await shoot(page, 'embedded-second')
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('button', { name: 'Account of Ada' }).waitFor()
      await signOut(page)

      // A user without passkeys is offered one after the password, until it is put off.
      const other = await signedInPerson(service(), tenant)
      await signInHere(page, other.email)
      await page.getByRole('heading', { name: 'Sign in faster next time' }).waitFor()
      await check(page)
      await page.getByRole('button', { name: 'Not now' }).click()
      await page.getByRole('button', { name: 'Account of Ada' }).waitFor()
      await signOut(page)
      await signInHere(page, other.email)
      await signOut(page)

      // A passkey that is gone leaves the password manager once it is refused.
      await removePasskey(service(), person.user.id)
      const forgotten = new Promise((resolve) => devTools.once('WebAuthn.credentialDeleted', resolve))
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await forgotten
      assert.deepEqual(problems, [])
      await context.close()
    })

    it('let users create API keys, see each one once, replace and revoke it', async () => {
      const { tenant } = await createHome({ scene: 'keys' })
      await service().ok('putAuthTenant', { params: { id: tenant.id }, body: { userApiKeysEnabled: true } })
      await createResource(service(), tenant.id, { scopes: [{ name: 'reports:read' }] })
      const { id: roleId } = await createRole(service(), tenant.id, { permissions: ['reports:read'] })
      const person = await signedInPerson(service(), tenant)
      await service().ok('updateUser', { params: { id: person.user.id }, body: { roleId } })
      const { context, page, problems } = await openWindow(stage.browser)
      await page.goto(home())
      await page.getByRole('link', { name: 'Sign in' }).click()
      await signInHere(page, person.email)
      await page.waitForURL(home())
      await page.getByLabel('Name').fill('Nightly export')
      await page.getByLabel('reports:read').check()
      await check(page)
      await page.getByRole('button', { name: 'Create API key' }).click()
      const shown = page.getByLabel('Your new API key')
      await shown.waitFor()
      const first = await shown.inputValue()
      const isValid = async (key: string) =>
        (await service().ok<UserApiKeyCheck>('verifyUserApiKey', { body: { tenantId: tenant.id, key } })).valid
      assert.equal(await isValid(first), true)
      await page.getByRole('button', { name: 'Copy' }).click()
      await page.getByText('Copied').waitFor()
      await check(page)
      await shoot(page, 'api-keys')

      await page.getByText('Replace or revoke').click()
      await page.getByRole('button', { name: 'Replace key: Nightly export' }).click()
      // Not by `waitForFunction`, because the page's policy forbids what that evaluates when it looks again.
      while ((await shown.inputValue()) === first) await page.waitForTimeout(50)
      const second = await shown.inputValue()
      assert.deepEqual([await isValid(first), await isValid(second)], [false, true])
      await page.getByRole('button', { name: 'Revoke key: Nightly export' }).click({ force: true })
      await page.getByText('The key no longer works.').waitFor()
      assert.equal(await isValid(second), false)
      assert.equal(await shown.count(), 0)
      assert.deepEqual(problems, [])
      await context.close()
    })

    it('sign up within the page, in another language, from right to left', async () => {
      await createHome({ scene: 'sign-up', language: 'ar' })
      const email = `${unique()}@example.com`
      const { context, page, problems } = await openWindow(stage.browser)
      await page.goto(home())
      await page.getByRole('heading', { name: 'إنشاء حساب' }).waitFor()
      await check(page)
      await shoot(page, 'embedded-sign-up')
      await page.getByLabel('البريد الإلكتروني').fill(email)
      await page.getByLabel('كلمة المرور', { exact: true }).fill('password')
      await page.getByRole('button', { name: 'متابعة' }).click()
      await page.getByText('هذا غير صالح').waitFor()
      assert.equal(await page.evaluate('document.activeElement.name'), 'password')
      await check(page)
      await page.getByLabel('كلمة المرور', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'متابعة' }).click()
      await page.getByText(`أُرسل رمز إلى ${email}`).waitFor()
      await check(page)
      await page.getByRole('button', { name: 'إرسال رمز جديد' }).click()
      await page.getByText('أُرسل رمز جديد.').waitFor()
      const { code } = await latestMessageTo(service().deps, email)
      await page.getByLabel('الرمز').fill(code ?? '')
      await page.getByRole('button', { name: 'متابعة' }).click()
      await page.getByText('done').waitFor()
      await page.getByRole('button', { name: `حساب ${email}` }).waitFor()
      assert.deepEqual(problems, [])
      await context.close()
    })

    it('sign in on another site, where no cookie reaches the service, by tokens of their own', async () => {
      const { tenant, verify } = await createHome({ scene: 'tokens' })
      const person = await signedInPerson(service(), tenant)
      const { context, page, problems } = await openWindow(stage.browser)
      await page.goto(`http://127.0.0.1:${stage.app.port}/`)
      await signInHere(page, person.email)
      await page.getByText('done').waitFor()
      await page.getByRole('button', { name: 'Ask for tokens' }).click()
      const [token = ''] = ((await page.locator('#tokens').textContent()) ?? '').split(' ')
      assert.equal((await verify(token)).sub, person.user.id)
      assert.deepEqual(await context.cookies(), [])
      await signOut(page)
      assert.deepEqual(problems, [])
      await context.close()
    })

    it('switch between the accounts of the browser, and add one', async () => {
      const { tenant } = await createHome()
      await service().ok('putAuthTenant', { params: { id: tenant.id }, body: { severalAccountsEnabled: true } })
      const [ada, ben] = [await signedInPerson(service(), tenant), await signedInPerson(service(), tenant)]
      const { context, page, problems, openTab } = await openWindow(stage.browser)
      await page.goto(home())
      await page.getByRole('link', { name: 'Sign in' }).click()
      await signInHere(page, ada.email)
      const menu = page.getByRole('button', { name: 'Account of Ada' })
      await menu.click()
      await page.getByRole('button', { name: 'Add account' }).click()
      await signInHere(page, ben.email)
      await page.waitForURL(home())
      const tab = await openTab()
      await tab.goto(home())
      await menu.click()
      await page.getByRole('button', { name: `(${ada.email})` }).waitFor()
      await check(page)
      await shoot(page, 'accounts')
      await page.getByRole('button', { name: `(${ada.email})` }).click()
      // The other tab follows.
      for (const each of [page, tab])
        await each.locator('.bw-who', { hasText: ada.email }).waitFor({ state: 'attached' })
      assert.deepEqual(problems, [])
      await context.close()
    })

    it('show the new session of another user, and nothing of a user whose session has ended', async () => {
      const { tenant } = await createHome()
      const person = await signedInPerson(service(), tenant)
      const { context, page, problems } = await openWindow(stage.browser)
      await page.goto(home())
      await page.getByRole('link', { name: 'Sign in' }).click()
      await signInHere(page, person.email)
      await page.getByRole('button', { name: 'Account of Ada' }).waitFor()
      const { sessions } = await person.browser.ok<{ sessions: { id: string }[] }>('listOwnSessions')
      for (const { id } of sessions) await person.browser.call('deleteOwnSession', { params: { id } })
      await page.reload()
      await page.getByRole('link', { name: 'Sign in' }).waitFor()
      assert.deepEqual(problems, [])
      await context.close()
    })

    for (const version of [18, 19]) {
      describe(`rendered by a server with React ${version}`, () => {
        const project = new ConsumerProject()
        after(() => project.remove())

        it('are taken over by the browser as they are, with a user and without', async () => {
          if (version === 18) await project.install('react@18.3.1', 'react-dom@18.3.1')
          const other = await startAppServer(version === 18 ? project.folder : undefined)
          try {
            const { tenant } = await createHome()
            const person = await signedInPerson(service(), tenant)
            const { jwt } = await person.browser.ok<{ jwt: string }>('createOwnToken', { body: {} })
            const base = stage.app.props ?? assert.fail('there is no page')
            const initialState = await readState(jwt, base)
            assert.equal(initialState?.user.id, person.user.id)
            for (const props of [{ initialState }, { initialState: null }, {}, { scene: 'sign-in' as const }]) {
              other.props = { ...base, ...props }
              const { context, page, problems } = await openWindow(stage.browser)
              const response = await page.goto(`http://localhost:${other.port}/`)
              const html = (await response?.text()) ?? ''
              if (props.initialState) assert.match(html, /aria-label="Account of Ada"/)
              assert.equal(html.includes('/sign-in"'), props.initialState === null, JSON.stringify(props))
              // The browser has no session, whatever the server has said.
              await page
                .getByText(props.scene === undefined ? 'Sign up' : 'Continue')
                .first()
                .waitFor()
              assert.deepEqual(problems, [], JSON.stringify(props))
              await context.close()
            }
          } finally {
            other.stop()
          }
        })
      })
    }
  })
})
