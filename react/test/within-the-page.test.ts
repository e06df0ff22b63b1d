// What is protected, what is wrong, and what is managed within the page, in Chromium on the service.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { addAuthenticator, describeBrowser } from '../../server/test/browser/chromium.ts'
import { createTenant, unique } from '../../server/test/harness/factories.ts'
import { freePort } from '../../server/test/harness/free-port.ts'
import { latestMessageTo } from '../../server/test/harness/messages.ts'
import { password, signedInPerson } from '../../server/test/harness/people/people.ts'
import { describeServiceOnce } from '../../server/test/harness/service.ts'
import type { PageProps } from './app-server.ts'
import { puzzleEnv, puzzleProviders, serveWidgets, startVerifier } from './puzzle-providers.ts'
import { setUpStage } from './stage.ts'
import { check, openWindow, shoot, signInHere } from './window.ts'

describeBrowser('in Chromium', () => {
  describeServiceOnce(
    'the components within a page',
    (service) => {
      const stage = setUpStage(service)
      const { home, readState } = stage

      async function createHome(scene: PageProps['scene'], auth: object = {}) {
        const { tenant } = await createTenant(service())
        const { id, publicKey } = tenant
        await service().ok('putAuthTenant', { params: { id }, body: { homeUri: home(), ...auth } })
        const props: PageProps = { scene, frontendApiUrl: stage.frontendApiUrl(), publicKey, tenantId: id }
        stage.app.props = props
        return { tenant, props }
      }

      async function signIn(page: Page, email: string) {
        await page.goto(home())
        await page.getByRole('link', { name: 'Sign in' }).click()
        await signInHere(page, email)
        await page.waitForURL(home())
      }

      it('show what is protected by role, organization, condition and proof, and lead to the proof', async () => {
        const { tenant, props: base } = await createHome('proof')
        const person = await signedInPerson(service(), tenant)
        const { jwt } = await person.browser.ok<{ jwt: string }>('createOwnToken', { body: {} })
        const state = (await readState(jwt, base)) ?? assert.fail('nobody is signed in')
        const now = Date.now() / 1000
        const organization = { id: 'corg000001', role: 'admin', permissions: [] }
        /** What a server renders for a session, by the name of the condition. */
        const rendered = async (session: Partial<typeof state.session>) => {
          stage.app.props = { ...base, initialState: { ...state, session: { ...state.session, ...session } } }
          const html = await (await fetch(home())).text()
          const lines = html.matchAll(/<div id="([\w-]+)">(.*?)<\/div>/g)
          return Object.fromEntries([...lines].map(([, id, line]) => [id, line === 'shown' || line === 'true']))
        }
        const nothing = {
          recent: false,
          second: false,
          'level-recent': false,
          'level-second': false,
          age: false,
          role: false,
          'organization-role': false,
          condition: true,
          both: false,
        }
        const once = { authenticatedAt: now, hasSecondFactor: false }
        const twice = { authenticatedAt: now - 3600, hasSecondFactor: true }
        const proven = { recent: true, 'level-recent': true }
        assert.deepEqual(await rendered({ authenticatedAt: undefined }), nothing)
        assert.deepEqual(await rendered(once), { ...nothing, ...proven })
        assert.deepEqual(await rendered(twice), { ...nothing, second: true, 'level-second': true })
        assert.deepEqual(await rendered({ ...twice, role: 'Editor' }), {
          ...nothing,
          second: true,
          'level-second': true,
          role: true,
          both: true,
        })
        assert.deepEqual(await rendered({ ...once, role: 'Editor' }), { ...nothing, ...proven, role: true })
        assert.deepEqual(await rendered({ ...once, organization }), {
          ...nothing,
          ...proven,
          'organization-role': true,
        })
        // Whoever acts in the user's place has proven nothing.
        const actor = { type: 'operator', id: null }
        assert.deepEqual(await rendered({ ...once, hasSecondFactor: true, actor }), nothing)

        stage.app.props = base
        const { context, page, problems } = await openWindow(stage.browser)
        await signIn(page, person.email)
        await page.locator('#recent', { hasText: 'true' }).waitFor()
        await page.getByRole('button', { name: 'Prove it' }).click()
        await page.waitForURL(/\/verify\?/)
        await page.getByRole('button', { name: 'Continue' }).click()
        await page.getByLabel('Password', { exact: true }).fill(password)
        await page.getByRole('button', { name: 'Sign in', exact: true }).click()
        await page.waitForURL(home())
        assert.deepEqual(problems, [])
        await context.close()
      })

      it('say what is wrong with the settings or the service, and show what is for people who are not signed in', async () => {
        const { props: base } = await createHome('proof')
        const noPort = await freePort()
        const wrong: readonly (readonly [Partial<Record<keyof PageProps, unknown>>, RegExp])[] = [
          [{ publicKey: 'pk_dev_nobody' }, /No tenant at .* has the public key pk_dev_nobody/],
          [{ publicKey: undefined }, /publicKey is undefined.*VITE_/],
          [{ publicKey: 'sk_dev_1' }, /Never put a secret key into a page/],
          [{ frontendApiUrl: undefined }, /frontendApiUrl is undefined/],
          [{ frontendApiUrl: 'localhost:4000/frontend/api/v0' }, /frontendApiUrl is not an address/],
          [{ frontendApiUrl: `http://127.0.0.1:${stage.servicePort}` }, /does not end with \/frontend\/api\/v0/],
          [
            { frontendApiUrl: `http://127.0.0.1:${noPort}/frontend/api/v0` },
            /No service answers at .* Is it running\?/,
          ],
        ]
        const { context, page } = await openWindow(stage.browser)
        for (const [props, text] of wrong) {
          stage.app.props = { ...base, ...props } as PageProps
          await page.goto(home())
          await page.getByRole('alert').filter({ hasText: 'Bailiwick: users cannot sign in.' }).waitFor()
          assert.match((await page.getByRole('alert').allTextContents()).join(' '), text)
          await page.getByRole('link', { name: 'Sign in' }).waitFor()
          await check(page)
        }
        await shoot(page, 'diagnosis')
        await context.close()
      })

      it('say what could not be fetched, and fetch it again', async () => {
        const { tenant } = await createHome('panels')
        const person = await signedInPerson(service(), tenant)
        const { context, page } = await openWindow(stage.browser)
        await page.route('**/user/profile', (route) => route.abort())
        await signIn(page, person.email)
        // A page that is shown asks once more by itself.
        await page.waitForLoadState('networkidle')
        await page.unroute('**/user/profile')
        await page.getByRole('button', { name: 'Try again' }).click()
        await page.getByRole('region', { name: 'Profile' }).waitFor()
        assert.equal(await page.getByRole('alert').count(), 0)
        await context.close()
      })

      it('speak the language of the page, which the service has, and fill values in', async () => {
        const { tenant, props } = await createHome('panels')
        const person = await signedInPerson(service(), tenant)
        const { context, page, problems } = await openWindow(stage.browser)
        await signIn(page, person.email)
        stage.app.props = { ...props, language: 'ar' }
        await page.goto(home())
        await page.getByRole('heading', { name: 'حسابك' }).waitFor()
        const emails = page.getByRole('region', { name: 'عناوين البريد الإلكتروني' })
        const email = `${unique()}@example.com`
        await emails.getByRole('textbox').fill(email)
        await emails.getByRole('button', { name: 'إضافة بريد إلكتروني' }).click()
        // The app has its own words for this one, which stay.
        await emails.getByText(`أُرسل رمز إلى ${email}.`).waitFor()
        await check(page)
        await shoot(page, 'user-profile-ar')
        assert.deepEqual(problems, [])
        await context.close()
      })

      it('let the user set up phones and second factors, and answer invitations', async () => {
        const { tenant } = await createHome('panels', { phoneSignInEnabled: true })
        const person = await signedInPerson(service(), tenant)
        const body = { tenantId: tenant.id, name: 'Bletchley Park' }
        const { id: organizationId } = await service().ok<{ id: string }>('createOrganization', { body })
        const { context, page, problems } = await openWindow(stage.browser)
        await signIn(page, person.email)
        await addAuthenticator(page)
        const phones = page.getByRole('region', { name: 'Phone numbers' })
        await phones.getByRole('textbox').fill('+49 30 901820')
        await phones.getByRole('button', { name: 'Add a phone number' }).click()
        await page.getByLabel('Code').waitFor()
        const { code } = await latestMessageTo(service().deps, '+4930901820')
        await page.getByLabel('Code').fill(code ?? '')
        await page.getByRole('button', { name: 'Verify', exact: true }).click()
        await page.getByText('Your phone number is verified.').waitFor()

        await page.getByRole('button', { name: 'Set up an app: Authenticator app' }).click()
        const section = page.getByRole('region', { name: 'Authenticator app' })
        await section.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
        await check(page)
        await shoot(page, 'authenticator-app')
        const secret = ((await section.locator('code').textContent()) ?? '').replaceAll(' ', '')
        await section.getByRole('textbox', { name: 'Code' }).fill('000000')
        await section.getByRole('button', { name: 'Switch on' }).click()
        await section.getByText('The code is not correct').waitFor()
        await section.getByRole('textbox', { name: 'Code' }).fill(new TOTP({ secret }).generate())
        await section.getByRole('button', { name: 'Switch on' }).click()
        const codes = page.getByRole('region', { name: 'Save these codes' })
        await codes.getByRole('listitem').nth(9).waitFor()
        assert.equal(await codes.getByRole('listitem').count(), 10)
        await codes.getByRole('button', { name: 'I have saved them' }).click()
        await page.getByRole('button', { name: 'Make new codes: Recovery codes' }).waitFor()

        await page.getByRole('button', { name: 'Add a passkey: Passkeys' }).click()
        await page.getByText('Your passkey is added.').waitFor()
        await check(page)
        await page
          .getByRole('region', { name: 'Passkeys' })
          .getByRole('button', { name: /^Remove/ })
          .click()
        await page.getByText('Your passkey is removed.').waitFor()

        await service().ok('createOrganizationInvitation', { body: { organizationId, email: person.email } })
        await page.reload()
        const invitations = page.getByRole('region', { name: 'Invitations' })
        await invitations.getByRole('button', { name: 'Accept: Bletchley Park' }).click()
        await page.getByText('You are a member now.').waitFor()
        await page.getByRole('button', { name: 'Bletchley Park', exact: true }).waitFor()
        await check(page)
        await shoot(page, 'second-factors')
        assert.deepEqual(problems, [])
        await context.close()
      })

      it('manage the account and the organization within the page', async () => {
        const { tenant } = await createHome('panels')
        const person = await signedInPerson(service(), tenant)
        const { context, page, problems } = await openWindow(stage.browser)
        await signIn(page, person.email)
        const profile = page.getByRole('region', { name: 'Profile' })
        await profile.getByLabel('Name').fill('Ada Lovelace')
        await profile.getByRole('button', { name: 'Save' }).click()
        await page.getByRole('button', { name: 'Account of Ada Lovelace' }).waitFor()
        const email = `${unique()}@example.com`
        const emails = page.getByRole('region', { name: 'E-mail addresses' })
        await emails.getByRole('textbox').fill(email)
        await page.getByRole('button', { name: 'Add an e-mail address' }).click()
        await page.getByLabel('Code').waitFor()
        await check(page)
        const { code } = await latestMessageTo(service().deps, email)
        await page.getByLabel('Code').fill(code ?? '')
        await page.getByRole('button', { name: 'Verify', exact: true }).click()
        await page.getByText('Your e-mail address is verified.').waitFor()
        await page.getByRole('button', { name: `Make primary: ${email}` }).click()
        await page.locator('li', { hasText: email }).getByText('Primary').waitFor()
        await page.getByLabel('Current password').fill('not this one')
        await page.getByLabel('New password').fill('another correct horse battery')
        await page.getByRole('button', { name: 'Save the password' }).click()
        await page.getByText('That does not match.').waitFor()
        await page.getByLabel('Current password').fill(password)
        await page.getByRole('button', { name: 'Save the password' }).click()
        await page.getByText('Your password is changed.').waitFor()
        await check(page)
        await shoot(page, 'user-profile')

        await page.getByText('Create an organization').first().click()
        await page.locator('details').getByLabel('Name').fill('Bletchley Park')
        await page.getByRole('button', { name: 'Create an organization' }).click()
        await page.getByRole('heading', { name: 'Bletchley Park' }).waitFor()
        const invited = `${unique()}@example.com`
        const invitations = page.getByRole('region', { name: 'Invitations' })
        await invitations.getByRole('textbox').fill(invited)
        await invitations.getByRole('button', { name: 'Send the invitation' }).click()
        await page.getByRole('button', { name: `Withdraw: ${invited}` }).waitFor()
        assert.ok((await latestMessageTo(service().deps, invited)).link)
        await check(page)
        await shoot(page, 'organization-profile')
        assert.deepEqual(problems, [])
        await context.close()
      })

      it('lead from one form to the other without leaving the page, and carry an invitation on', async () => {
        const { tenant } = await createHome('sign-in')
        const person = await signedInPerson(service(), tenant)
        const { organization } = await person.browser.ok<{ organization: { id: string } }>('createOwnOrganization', {
          body: { name: 'Bletchley Park' },
        })
        const email = `${unique()}@example.com`
        await person.browser.call('sendInvitation', { params: { id: organization.id }, body: { email } })
        const { link } = await latestMessageTo(service().deps, email)
        const token = new URL(link ?? '').searchParams.get('token') ?? ''
        const { context, page, problems } = await openWindow(stage.browser)
        await page.goto(`${home()}?invitationToken=${token}`)
        await page.getByRole('button', { name: 'Sign up' }).click()
        await page.getByRole('heading', { name: 'Sign up' }).waitFor()
        await page.getByRole('button', { name: 'Sign in' }).click()
        await page.getByRole('heading', { name: 'Sign in' }).waitFor()
        await page.getByRole('button', { name: 'Sign up' }).click()
        // The invitation names the address.
        await page.getByLabel('Password', { exact: true }).fill(password)
        assert.equal(await page.getByLabel('E-mail address').count(), 0)
        await page.getByRole('button', { name: 'Continue' }).click()
        await page.getByText('done').waitFor()
        await page.locator('#who').waitFor({ state: 'attached' })
        const { members } = await person.browser.ok<{ members: { user: { identifier: string } }[] }>(
          'listFellowMembers',
          {
            params: { id: organization.id },
          },
        )
        assert.ok(members.some(({ user }) => user.identifier === email))

        // Whoever signs in without the link is offered the invitation.
        const guest = await signedInPerson(service(), tenant)
        await person.browser.call('sendInvitation', { params: { id: organization.id }, body: { email: guest.email } })
        await context.clearCookies()
        await page.goto(home())
        await signInHere(page, guest.email)
        await page.getByRole('heading', { name: 'You have been invited' }).waitFor()
        await check(page)
        await shoot(page, 'embedded-invited')
        await page.getByRole('button', { name: 'Accept: Bletchley Park' }).click()
        await page.getByText('done').waitFor()
        assert.deepEqual(problems, [])
        await context.close()
      })

      it('show the widget of a provider of puzzles above the form, and sign up with its answer', async () => {
        const verifier = await startVerifier()
        for (const provider of ['turnstile', 'hcaptcha'] as const) {
          const { tenant } = await createHome('sign-up', { challengeOnSignUp: 'always' })
          const siteKey = `site-${unique()}`
          const body = { provider, siteKey, secret: 'secret-at-the-provider' }
          await service().ok('putChallengeProvider', { params: { id: tenant.id }, body })
          stage.app.allowed = puzzleProviders[provider]
          const { context, page, problems } = await openWindow(stage.browser)
          await serveWidgets(context)
          await page.goto(home())
          const email = `${unique()}@example.com`
          await page.getByLabel('E-mail address').fill(email)
          await page.getByLabel('Password', { exact: true }).fill(password)
          await page.getByRole('button', { name: 'Continue' }).click()
          const puzzle = page.frameLocator('iframe[title=Puzzle]').getByRole('button')
          await puzzle.waitFor()
          await check(page)
          await shoot(page, `puzzle-${provider}`)
          await puzzle.click()
          await page.getByLabel('Code').waitFor()
          assert.equal(verifier.asked.at(-1)?.get('response'), `answer to ${siteKey} sign_up`)
          assert.equal(await page.locator('dialog').count(), 0)
          const { code } = await latestMessageTo(service().deps, email)
          await page.getByLabel('Code').fill(code ?? '')
          await page.getByRole('button', { name: 'Continue' }).click()
          await page.getByText('done').waitFor()
          // The form is refused until there is an answer.
          assert.deepEqual(
            problems.map((text) => /status of (\d+)/.exec(text)?.[1] ?? text),
            ['403'],
          )
          await context.close()
        }
        verifier.stop()
      })
    },
    puzzleEnv,
  )
})
