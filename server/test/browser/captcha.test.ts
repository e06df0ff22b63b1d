// The widgets of Turnstile and hCaptcha on the hosted pages, in Chromium: scripts that stand in for theirs come from their addresses, so that the
// policy of the page decides what is loaded.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, it } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { describeOnOneEngine } from '../harness/databases/on-one-engine.ts'
import { unique } from '../harness/factories.ts'
import { password } from '../harness/people/people.ts'
import { tenantWith } from '../harness/people/signed-in-user.ts'
import { type TestService, startTestService, testEnv } from '../harness/service.ts'
import { describeBrowser, startChromium } from './chromium.ts'
import { openWatchedPage } from './watched-page.ts'

const providers = {
  turnstile: {
    script: 'https://challenges.cloudflare.com/turnstile/v0/api.js',
    frame: 'https://challenges.cloudflare.com/w',
  },
  hcaptcha: { script: 'https://js.hcaptcha.com/1/api.js', frame: 'https://newassets.hcaptcha.com/w' },
} as const
type Provider = keyof typeof providers

const places = { turnstile: ['.cf-turnstile', 'cf-turnstile-response'], hcaptcha: ['.h-captcha', 'h-captcha-response'] }

/** Like those of the providers: it shows a frame, and puts the answer into the form. */
const standIn = (provider: Provider) => `
  for (const place of document.querySelectorAll(${JSON.stringify(places[provider][0])})) {
    const frame = document.createElement('iframe')
    Object.assign(frame, { src: ${JSON.stringify(providers[provider].frame)}, title: 'Puzzle', width: 300, height: 65 })
    const answer = document.createElement('input')
    Object.assign(answer, { type: 'hidden', name: ${JSON.stringify(places[provider][1])} })
    place.append(frame, answer)
    frame.addEventListener('load', () => { answer.value = 'answer to ' + place.dataset.sitekey })
  }`

const serveProviders = (context: BrowserContext) =>
  context.route(/^https:\/\/(challenges\.cloudflare|js\.hcaptcha|newassets\.hcaptcha)\.com\//, (route) => {
    const { hostname, pathname } = new URL(route.request().url())
    const provider = hostname.includes('cloudflare') ? 'turnstile' : 'hcaptcha'
    return pathname === '/w'
      ? route.fulfill({
          contentType: 'text/html',
          body: '<!doctype html><html lang="en"><title>Puzzle</title><main>Solved',
        })
      : route.fulfill({ contentType: 'text/javascript', body: standIn(provider) })
  })

/** Whether a page's policy lets it load a script. */
const mayLoad = (page: Page, src: string) =>
  page.evaluate<boolean>(`new Promise((resolve) => {
    const script = document.createElement('script')
    script.addEventListener('load', () => resolve(true))
    script.addEventListener('error', () => resolve(false))
    try { script.src = ${JSON.stringify(src)} } catch { resolve(false) }
    document.head.append(script)
  })`)

describeBrowser('in Chromium', () => {
  describeOnOneEngine('the widget of a provider of puzzles', (open) => {
    let service: TestService
    let verifier: Server
    let browser: Browser
    const checked: URLSearchParams[] = []
    before(async () => {
      verifier = createServer((request, response) => {
        let text = ''
        request.on('data', (chunk) => (text += String(chunk)))
        request.on('end', () => {
          checked.push(new URLSearchParams(text))
          const verdict = { success: true, hostname: 'localhost', action: 'sign_up' }
          response.setHeader('content-type', 'application/json').end(JSON.stringify(verdict))
        })
      })
      await once(verifier.listen(0, '127.0.0.1'), 'listening')
      const { port } = verifier.address() as AddressInfo
      const env = { ...testEnv, BAILIWICK_CHALLENGE_VERIFY_URL: `http://127.0.0.1:${port}/siteverify` }
      service = await startTestService((await open()).database, env)
      await service.app.listen({ port: 0, host: '127.0.0.1' })
      browser = await startChromium()
    })
    after(async () => {
      await browser.close()
      await service.app.close()
      verifier.closeAllConnections()
      verifier.close()
    })

    for (const provider of Object.keys(providers) as Provider[]) {
      it(`is shown by the page that needs it, which loads ${provider} and no other, and lets a person sign up`, async () => {
        const tenant = await tenantWith(service, { challengeOnSignUp: 'always' })
        const siteKey = `site-${unique()}`
        const body = { provider, siteKey, secret: 'secret-at-the-provider' }
        await service.ok('putChallengeProvider', { params: { id: tenant.id }, body })
        const { port } = service.app.server.address() as AddressInfo
        const at = `http://localhost:${port}/t/${tenant.slug}`
        const { context, page, check, problems } = await openWatchedPage(browser)
        await serveProviders(context)
        await page.goto(`${at}/sign-up`)
        await page.frameLocator('iframe[title=Puzzle]').getByText('Solved').waitFor()
        await check()
        const other = provider === 'turnstile' ? 'hcaptcha' : 'turnstile'
        assert.equal(await mayLoad(page, providers[other].script), false)
        await page.getByLabel('E-mail address').fill(`${unique()}@example.com`)
        await page.getByLabel('Password', { exact: true }).fill(password)
        await page.getByRole('button', { name: 'Sign up' }).click()
        await page.getByLabel('Code').waitFor()
        const sent = checked.at(-1)
        assert.deepEqual([sent?.get('response'), sent?.get('sitekey') ?? siteKey], [`answer to ${siteKey}`, siteKey])
        await page.goto(`${at}/sign-in`)
        assert.equal(await mayLoad(page, providers[provider].script), false)
        // What the policy has refused is reported, once for each of the scripts that this test adds.
        assert.ok(
          problems.every((problem) => /Content Security Policy|Trusted/i.test(problem)),
          problems.join('\\n'),
        )
        await context.close()
      })
    }
  })
})
