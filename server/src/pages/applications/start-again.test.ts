// A user whose request is over begins again at the application that had sent it.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { PageBrowser } from '../../../test/harness/browser/page-browser.ts'
import { pagePerson } from '../../../test/harness/browser/page-person.ts'
import { hrefOf } from '../../../test/harness/browser/page-visitors.ts'
import { unique } from '../../../test/harness/factories.ts'
import {
  VisitingBrowser,
  beginAuthorization,
  createApplication,
  interactionOf,
  issuerOf,
  relyingParty,
} from '../../../test/harness/people/authorization.ts'
import { password } from '../../../test/harness/people/people.ts'
import { describeService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'

const asBrowser = { accept: 'text/html' }

describeService('"Start again" on the page of a request that is over', (service) => {
  const homeUri = 'https://home.example/'
  const world = async (own: object) => {
    const person = await pagePerson(service(), { user: { password }, auth: { homeUri, redirectUris: [homeUri] } })
    const application = await createApplication(service(), person.tenant.id, { isTrusted: false })
    await service().ok('updateApplication', { params: { id: application.id }, body: own })
    return { person, application, rp: await relyingParty(service(), person.tenant.id, application) }
  }
  type World = Awaited<ReturnType<typeof world>>
  const begin = async ({ rp }: World, parameters: Record<string, string> = {}) => {
    const visiting = new VisitingBrowser(service())
    const { url } = await beginAuthorization(rp, parameters)
    const { headers } = await visiting.visit(url, asBrowser)
    const { pathname, search } = new URL(String(headers['location']))
    return { visiting, at: pathname + search, uid: interactionOf(headers['location']) }
  }
  const endAll = ({ person }: World) =>
    service().deps.db.write(() => [sql`DELETE FROM oauth_interactions WHERE tenant_id = ${person.tenant.id}`])

  it('leads to where the application begins a sign-in, with the issuer, from every page', async () => {
    const of = await world({ initiateLoginUri: 'https://app.example/login?from=idp', homeUri: 'https://app.example/' })
    const { email, tenant } = of.person
    const { at, visiting } = await begin(of)
    const browser = new PageBrowser(service(), 'localhost')
    const start = await browser.open(at)
    const asked = await browser.send(start, { identifier: email }, { button: 'Continue' })
    const signedIn = await browser.send(asked, { password }, { button: 'Sign in' })
    const resumed = String(signedIn.headers['refresh']).replace('0;url=', '')
    const { headers } = await visiting.visit(resumed, asBrowser)
    const { pathname, search } = new URL(String(headers['location']))
    const consent = await browser.open(pathname + search)
    assert.match(consent.title, /asks for access/)
    await endAll(of)
    const iss = issuerOf(service(), tenant.id)
    const expected = `https://app.example/login?${new URLSearchParams({ from: 'idp', iss }).toString()}`
    const pages = {
      'sign-in page': await browser.open(at),
      'sign-in form': await browser.send(start, { identifier: email }, { button: 'Continue' }),
      'attempt that had ended': await browser.open(new URL(asked.url).pathname),
      'consent page': await browser.open(pathname + search),
      'consent form': await browser.send(consent, {}, { button: 'Allow' }),
    }
    for (const [name, page] of Object.entries(pages)) {
      assert.deepEqual([page.status, page.title], [409, 'This page has expired'], name)
      assert.equal(hrefOf(page, 'Start again'), expected, name)
    }
    const engine = await visiting.visit(resumed, asBrowser)
    assert.deepEqual([engine.statusCode, /This page has expired/.test(engine.body)], [403, true])
    assert.ok(engine.body.includes(expected.replaceAll('&', '&amp;')))
  })

  it("leads to the application's first page, and without one to the tenant's", async () => {
    const own = await world({ homeUri: 'https://app.example/start' })
    const without = await world({})
    for (const [of, expected] of [[own, 'https://app.example/start'] as const, [without, homeUri] as const]) {
      const { at } = await begin(of)
      await endAll(of)
      const page = await new PageBrowser(service(), 'localhost').open(at)
      assert.equal(hrefOf(page, 'Start again'), expected)
      const unknown = await of.person.open(`/sign-in?interaction=unknown&client_id=${encodeURIComponent('a\0b')}`)
      assert.equal(hrefOf(unknown, 'Start again'), homeUri)
    }
  })

  it('is shown to a new user before the password or the code is requested', async () => {
    const of = await world({ initiateLoginUri: 'https://app.example/login' })
    const begun = await begin(of, { prompt: 'create' })
    const browser = new PageBrowser(service(), 'localhost')
    const start = await browser.open(begun.at)
    const values = { email: `${unique()}@example.com`, password }
    const asked = await browser.send(start, values)
    assert.equal(asked.title, 'Verify your e-mail address')
    assert.match(hrefOf(asked, 'Start again') ?? '', /\/sign-up\?redirect_to=.*client_id/)
    const redirectTo = new URL(hrefOf(asked, 'Start again') ?? '', 'http://localhost').search
    await endAll(of)
    const pages = {
      'sign-up page': await browser.open(begun.at),
      'sign-up page with the destination': await of.person.open(`/sign-up${redirectTo}`),
      'sign-up form': await browser.send(start, { ...values, email: `${unique()}@example.com` }),
      'page of the code': await browser.open(new URL(asked.url).pathname),
      'form with the code': await browser.send(asked, { code: '000000' }),
    }
    for (const [name, page] of Object.entries(pages)) {
      assert.deepEqual([page.status, page.title], [409, 'This page has expired'], name)
      assert.match(hrefOf(page, 'Start again') ?? '', /^https:\/\/app\.example\/login\?iss=/, name)
    }
  })

  it('takes https addresses alone, and one that begins a sign-in only of an application with a browser', async () => {
    const person = await pagePerson(service())
    const application = await createApplication(service(), person.tenant.id)
    const machine = await createApplication(service(), person.tenant.id, { type: 'machine' })
    const refused = async ({ id }: { readonly id: string }, body: object) => {
      const { issues = [] } = await service().refused('updateApplication', 'validation_failed', {
        params: { id },
        body,
      })
      return issues.map(({ path }) => path).filter((path) => path === '/initiateLoginUri' || path === '/homeUri')
    }
    assert.deepEqual(await refused(application, { initiateLoginUri: 'http://app.example/login' }), [
      '/initiateLoginUri',
    ])
    assert.deepEqual(await refused(application, { initiateLoginUri: 'javascript:alert(1)' }), ['/initiateLoginUri'])
    assert.deepEqual(await refused(application, { homeUri: 'javascript:alert(1)' }), ['/homeUri'])
    assert.deepEqual(await refused(machine, { initiateLoginUri: 'https://app.example/login' }), ['/initiateLoginUri'])
  })
})
