// Applications that sign their users in by the hosted pages, in Chromium: an independent library at the one end, a person at the other.
import assert from 'node:assert/strict'
import { type Server, createServer } from 'node:http'
import { after, before, it } from 'node:test'
import * as client from 'openid-client'
import type { Browser, Page } from 'playwright-core'
import { describeOnOneEngine } from '../harness/databases/on-one-engine.ts'
import { createTenant } from '../harness/factories.ts'
import { freePort } from '../harness/free-port.ts'
import { beginAuthorization, createApplication, relyingParty, signedOutUri } from '../harness/people/authorization.ts'
import { password, signedInPerson } from '../harness/people/people.ts'
import { type TestService, startTestService, testEnv } from '../harness/service.ts'
import { describeBrowser, startChromium } from './chromium.ts'
import { openWatchedPage } from './watched-page.ts'

const arrived =
  '<!doctype html><html lang="en"><title>App</title><link rel="icon" href="data:,"><h1>At the application</h1>'

describeBrowser('in Chromium', () => {
  describeOnOneEngine('applications in a browser', (open) => {
    let service: TestService
    let browser: Browser
    let application: Server
    let callback: string
    before(async () => {
      const [port, applicationPort] = [await freePort(), await freePort()]
      const env = { ...testEnv, BAILIWICK_BASE_URL: `http://localhost:${port}` }
      service = await startTestService((await open()).database, env)
      await service.app.listen({ port, host: '127.0.0.1' })
      callback = `http://localhost:${applicationPort}/callback`
      application = createServer((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end(arrived)
      })
      await new Promise<void>((resolve) => application.listen(applicationPort, '127.0.0.1', resolve))
      browser = await startChromium()
    })
    after(async () => {
      await browser.close()
      application.close()
      await service.app.close()
    })

    async function signIn(page: Page, email: string) {
      await page.getByLabel('E-mail address').fill(email)
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
    }

    it('share one sign-in, ask for consent, and are signed out of together', async () => {
      const { tenant } = await createTenant(service)
      const { email, user } = await signedInPerson(service, tenant)
      const register = async (isTrusted: boolean) => {
        const registered = await createApplication(service, tenant.id, { isTrusted, redirectUris: [callback] })
        return relyingParty(service, tenant.id, registered)
      }
      const [asking, trusted] = [await register(false), await register(true)]
      const { context, page, check } = await openWatchedPage(browser)
      await page.route('https://app.example/**', (route) => route.fulfill({ contentType: 'text/html', body: arrived }))
      const begin = async (rp: client.Configuration) => {
        const authorization = await beginAuthorization(rp, { redirect_uri: callback })
        await page.goto(authorization.url.href)
        return authorization
      }
      const readTokens = async ({ rp, checks }: Awaited<ReturnType<typeof begin>>) => {
        await page.waitForURL(/\/callback\?code=/)
        return client.authorizationCodeGrant(rp, new URL(page.url()), checks)
      }

      const first = await begin(asking)
      await page.getByText('You then continue to').waitFor()
      await check()
      await signIn(page, email)
      await page.getByRole('heading', { name: 'asks for access' }).waitFor()
      await check()
      await page.getByRole('button', { name: 'Allow', exact: true }).click()
      const tokens = await readTokens(first)
      assert.equal(tokens.claims()?.sub, user.id)

      const others = await readTokens(await begin(trusted))
      assert.equal(others.claims()?.sub, user.id)

      // Without proof of whom it is about, the user is asked.
      await page.goto(client.buildEndSessionUrl(trusted).href)
      await page.getByRole('button', { name: 'Stay signed in' }).waitFor()
      await check()
      const query = { id_token_hint: others.id_token ?? '', post_logout_redirect_uri: signedOutUri }
      await page.goto(client.buildEndSessionUrl(trusted, query).href)
      await page.waitForURL(signedOutUri)
      for (const [rp, { refresh_token: token }] of [
        [asking, tokens],
        [trusted, others],
      ] as const) {
        await assert.rejects(client.refreshTokenGrant(rp, token ?? ''))
        await begin(rp)
        await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      }
      await check()
      await context.close()
    })

    it('run on a device whose code is entered on a page', async () => {
      const { tenant } = await createTenant(service)
      const { email, user } = await signedInPerson(service, tenant)
      const registered = await createApplication(service, tenant.id, {
        type: 'device',
        isTrusted: false,
        grantTypes: ['urn:ietf:params:oauth:grant-type:device_code'],
      })
      const rp = await relyingParty(service, tenant.id, registered)
      const device = await client.initiateDeviceAuthorization(rp, { scope: 'openid profile' })
      const { context, page, check } = await openWatchedPage(browser)
      await page.goto(device.verification_uri_complete ?? '')
      await signIn(page, email)
      await page.getByRole('heading', { name: 'Connect a device' }).waitFor()
      assert.equal(await page.getByLabel('Code').inputValue(), device.user_code)
      await check()
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByText('in front of you').waitFor()
      await check()
      await page.getByRole('button', { name: 'Allow', exact: true }).click()
      await page.getByRole('heading', { name: 'The device is connected' }).waitFor()
      await check()
      const tokens = await client.pollDeviceAuthorizationGrant(rp, { ...device, interval: 0 })
      assert.equal(tokens.claims()?.sub, user.id)

      await page.goto(new URL(`/t/${tenant.slug}/account/apps`, page.url()).href)
      await page.getByRole('heading', { name: 'Apps with access' }).waitFor()
      await check()
      await page.getByRole('link', { name: 'Remove' }).click()
      await page.getByRole('heading', { name: 'Remove the access of' }).waitFor()
      await check()
      await page.getByRole('button', { name: 'Remove access' }).click()
      await page.getByText('No application can use your account.').waitFor()
      await check()
      await assert.rejects(client.fetchUserInfo(rp, tokens.access_token, user.id))
      await context.close()
    })

    it('get a page that explains a request that cannot be answered elsewhere', async () => {
      const { tenant } = await createTenant(service)
      const rp = await relyingParty(service, tenant.id, await createApplication(service, tenant.id))
      const { context, page, check } = await openWatchedPage(browser)
      await page.goto((await beginAuthorization(rp, { redirect_uri: 'https://attacker.example/callback' })).url.href)
      await page.getByText('invalid_redirect_uri').waitFor()
      await check()
      await context.close()
    })
  })
})
