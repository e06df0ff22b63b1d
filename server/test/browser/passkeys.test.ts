// Passkeys as people use them: in Chromium, with the authenticator that its developer tools simulate.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Passkey, Profile, SignInAnswer } from '@bailiwick/contract'
import type { Browser, Page } from 'playwright-core'
import { describeOnOneEngine } from '../harness/databases/on-one-engine.ts'
import { createTenant } from '../harness/factories.ts'
import { password, signedInPerson } from '../harness/people/people.ts'
import { type TestService, startTestService } from '../harness/service.ts'
import { addAuthenticator, describeBrowser, startChromium } from './chromium.ts'
import { openWatchedPage } from './watched-page.ts'

const html = readFileSync(new URL('page.html', import.meta.url))

/** Makes a browser that accepts an offer without asking, as those with a password manager do. */
const conditionalCreate = `
  PublicKeyCredential.getClientCapabilities = async () => ({ conditionalCreate: true })
  const { credentials } = navigator
  const create = credentials.create.bind(credentials)
  credentials.create = ({ mediation, ...options }) =>
    mediation === 'conditional' ? create(options) : Promise.reject(new Error('a prompt'))`

describeBrowser('in Chromium', () => {
  describeOnOneEngine('passkeys in a browser', (open) => {
    let service: TestService
    let api: string
    let pages: Server
    let browser: Browser
    before(async () => {
      service = await startTestService((await open()).database)
      await service.app.listen({ port: 0, host: '127.0.0.1' })
      api = `http://localhost:${portOf(service.app.server)}`
      pages = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html))
      await once(pages.listen(0, '127.0.0.1'), 'listening')
      browser = await startChromium()
    })
    after(async () => {
      await browser.close()
      pages.closeAllConnections()
      pages.close()
      await service.app.close()
    })

    async function openPage(publicKey: string, authenticator: object = {}): Promise<Page> {
      const page = await browser.newPage()
      await addAuthenticator(page, authenticator)
      await page.goto(`http://localhost:${portOf(pages)}/?${new URLSearchParams({ api, publicKey }).toString()}`)
      return page
    }

    const call = <Data>(page: Page, name: string, ...values: readonly unknown[]) =>
      page.evaluate<Data>(`${name}(${values.map((value) => JSON.stringify(value)).join(', ')})`)

    it('are added, sign in by themselves, and are the second factor after a password', async () => {
      const { tenant } = await createTenant(service)
      const { email, user } = await signedInPerson(service, tenant)
      const page = await openPage(tenant.publicKey)
      const byPassword = { identifier: email, strategy: 'email_password', password }
      const first = await call<SignInAnswer>(page, 'begin', byPassword)
      assert.equal(first.signInAttempt.status, 'complete')
      const added = await call<{ passkey: Passkey }>(page, 'addPasskey', 'Laptop')
      assert.equal(added.passkey.relyingPartyId, 'localhost')
      await assert.rejects(call(page, 'addPasskey', 'Again'), /excludeCredentials|already registered|InvalidState/i)

      for (const identifier of [undefined, email]) {
        await call(page, 'signOut')
        await assert.rejects(call(page, 'profile'), /401/)
        const known = identifier === undefined ? [] : [identifier]
        const { signInAttempt } = await call<SignInAnswer>(page, 'signInWithPasskey', ...known)
        assert.equal(signInAttempt.status, 'complete')
        assert.equal((await call<{ user: Profile }>(page, 'profile')).user.id, user.id)
      }

      await call(page, 'signOut')
      const { signInAttempt } = await call<SignInAnswer>(page, 'begin', byPassword)
      assert.equal(signInAttempt.status, 'needs_factor_two')
      await assert.rejects(call(page, 'profile'), /401/)
      const second = await call<SignInAnswer>(page, 'proveSecondFactor', signInAttempt)
      assert.equal(second.signInAttempt.status, 'complete')
      const { secondFactors } = (await call<{ user: Profile }>(page, 'profile')).user
      assert.deepEqual(secondFactors, ['security_key'])
    })

    it('are only a second factor if they cannot verify their user', async () => {
      const { tenant } = await createTenant(service)
      const { email } = await signedInPerson(service, tenant)
      const page = await openPage(tenant.publicKey, { hasUserVerification: false, isUserVerified: false })
      const byPassword = { identifier: email, strategy: 'email_password', password }
      await call(page, 'begin', byPassword)
      await call(page, 'addPasskey', 'Key')
      await call(page, 'signOut')
      const { signInAttempt } = await call<SignInAnswer>(page, 'begin', byPassword)
      await call(page, 'proveSecondFactor', signInAttempt)
      await call(page, 'profile')
    })

    it('are offered after a password until put off, and leave the password manager when they are removed', async () => {
      const { tenant } = await createTenant(service)
      const { email, user } = await signedInPerson(service, tenant)
      const at = `http://localhost:${portOf(service.app.server)}/t/${tenant.slug}`
      const { context, page, problems, check } = await openWatchedPage(browser)
      const signIn = async () => {
        await page.goto(`${at}/sign-in?prompt=login`)
        await page.getByLabel('E-mail address').fill(email)
        await page.getByRole('button', { name: 'Continue' }).click()
        await page.getByLabel('Password', { exact: true }).fill(password)
        await page.getByRole('button', { name: 'Sign in' }).click()
      }
      await signIn()
      await page.waitForURL(`${at}/account`)
      const { devTools, authenticatorId } = await addAuthenticator(page)
      const stored = async () => (await devTools.send('WebAuthn.getCredentials', { authenticatorId })).credentials
      await signIn()
      await page.getByRole('button', { name: 'Not now' }).waitFor()
      await check()
      await page.getByRole('button', { name: 'Not now' }).click()
      await page.waitForURL(`${at}/account`)
      await signIn()
      await page.waitForURL(`${at}/account`)

      await context.clearCookies()
      // The simulated authenticator does not make passkeys by itself, so the page's request is answered by one that is asked.
      await page.addInitScript(conditionalCreate)
      await signIn()
      await page.waitForURL(`${at}/account`)
      assert.equal((await stored()).length, 1)

      // The page before may still be telling the old name.
      const changed = Promise.withResolvers<void>()
      devTools.on('WebAuthn.credentialUpdated', ({ credential }) => {
        if (credential.userDisplayName === 'Ada King') changed.resolve()
      })
      await service.ok('updateUser', { params: { id: user.id }, body: { name: 'Ada King' } })
      await page.reload()
      await changed.promise

      const params = { id: user.id }
      const [passkey] = await service.ok<{ id: string }[]>('listUserAuthenticators', { params })
      const removed = { userId: user.id, id: passkey?.id ?? '' }
      await service.ok('deleteUserAuthenticator', { params: removed })
      const forgotten = new Promise((resolve) => devTools.once('WebAuthn.credentialDeleted', resolve))
      await page.goto(`${at}/sign-in`)
      // The simulated user takes the first passkey that the browser offers.
      await forgotten
      assert.deepEqual(await stored(), [])
      assert.deepEqual(problems, [])
      await context.close()
    })

    it('stay in the password manager when an older list of them arrives while one is made', async () => {
      const { tenant } = await createTenant(service)
      const { email } = await signedInPerson(service, tenant)
      const at = `http://localhost:${portOf(service.app.server)}/t/${tenant.slug}`
      const { context, page, problems } = await openWatchedPage(browser)
      await page.goto(`${at}/sign-in`)
      await page.getByLabel('E-mail address').fill(email)
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL(`${at}/account`)
      const { devTools, authenticatorId } = await addAuthenticator(page)

      const { promise: isMade, resolve: made } = Promise.withResolvers<undefined>()
      await page.route('**/account/passkeys/signals', async (route) => {
        const response = await route.fetch()
        await isMade
        await route.fulfill({ response })
      })
      await page.goto(`${at}/account/passkeys`)
      const answer = page.waitForResponse('**/account/passkeys/signals')
      await page.route('**/account/passkeys', async (route) => {
        if (route.request().method() === 'POST') {
          made(undefined)
          await (await answer).finished()
          // The page reads the list, and would tell the password manager.
          await sleep(300)
        }
        await route.continue()
      })
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      await page.getByRole('heading', { name: 'Save these codes' }).waitFor()
      const { credentials } = await devTools.send('WebAuthn.getCredentials', { authenticatorId })
      assert.equal(credentials.length, 1)
      assert.deepEqual(problems, [])
      await context.close()
    })
  })
})

const portOf = (server: Pick<Server, 'address'>) => (server.address() as AddressInfo).port
