import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { PageBrowser } from '../../../test/harness/browser/page-browser.ts'
import { unique } from '../../../test/harness/factories.ts'
import { FakeIdentityProvider } from '../../../test/harness/outside/fake-identity-provider.ts'
import { createSocialWorld, person } from '../../../test/harness/people/social-sign-in.ts'
import { describeService } from '../../../test/harness/service.ts'

/** The deployment's address in development, and localhost, under which its pages are called. */
const deployment = '127.0.0.1:4000'
const pages = 'localhost:4000'

describeService('signing in on the hosted pages with a social provider', (service) => {
  const idp = new FakeIdentityProvider()
  before(() => idp.start())
  after(() => idp.stop())

  /** Presses the provider's button and consents there. Returns where the provider leads, and the browser. */
  async function leave({ auth = {}, query = '' }: { readonly auth?: object; readonly query?: string } = {}) {
    const { tenant } = await createSocialWorld(service(), idp, { auth })
    const browser = new PageBrowser(service(), pages)
    const start = await browser.open(`/t/${tenant.slug}/sign-in${query}`)
    const leaving = await browser.send(start, {}, { button: 'Continue with Google' })
    assert.equal(leaving.status, 200)
    const [, address = ''] = /^0;\s*url=(.*)$/.exec(String(leaving.headers['refresh'])) ?? []
    const back = idp.agree(address, person())
    assert.equal(back.host, deployment)
    return { tenant, browser, back }
  }

  const visitDeployment = ({ pathname, search }: URL) =>
    service().request({ method: 'GET', url: pathname + search, headers: { host: deployment } })

  it('leads back to localhost, where the cookies are, and ends at the account', async () => {
    const { tenant, browser, back } = await leave()
    const { status, headers } = await visitDeployment(back)
    assert.equal(status, 303)
    const hop = new URL(String(headers['location']))
    assert.deepEqual([hop.host, hop.pathname], [pages, back.pathname])
    assert.deepEqual(Object.fromEntries(hop.searchParams), Object.fromEntries(back.searchParams))
    const end = await browser.open(hop.pathname + hop.search)
    assert.equal(new URL(end.url).pathname, `/t/${tenant.slug}/account`)
    assert.match(end.text, /Ada Lovelace/)
  })

  /** Follows the redirect to where the cookies are. */
  async function arrive(browser: PageBrowser, back: URL) {
    const { headers } = await visitDeployment(back)
    const hop = new URL(String(headers['location']))
    return browser.open(hop.pathname + hop.search)
  }

  // Guards: own-pages
  it('ends at the destination of the sign-in, also for a new person who has to enter more', async () => {
    const wanted = 'http://localhost:3000/in'
    const query = `?${new URLSearchParams({ redirect_to: wanted }).toString()}`
    const known = await leave({ query })
    assert.equal((await arrive(known.browser, known.back)).headers['refresh'], `0;url=${wanted}`)

    const { browser, back } = await leave({ auth: { usernameRequired: true }, query })
    const asked = await arrive(browser, back)
    assert.equal(asked.title, 'Almost there')
    const end = await browser.send(asked, { username: unique() })
    assert.equal(end.headers['refresh'], `0;url=${wanted}`)
    const { pathname, search } = new URL(end.url)
    assert.match(pathname, /\/return$/)

    // The page on the way checks the address again.
    const bent = new URLSearchParams(search)
    bent.set('redirect_to', 'https://evil.example/')
    const refused = await browser.open(`${pathname}?${bent.toString()}`)
    assert.deepEqual([refused.status, refused.headers['refresh']], [400, undefined])
  })

  it('can be used only by the browser that left', async () => {
    const { browser, back } = await leave()
    const thief = new PageBrowser(service(), pages)
    assert.equal((await thief.open(back.pathname + back.search)).status, 400)
    assert.equal(thief.cookies.size, 0)
    assert.ok(browser.cookies.size > 0)
  })
})
