// The pages on which people sign in for applications, consent, connect devices and sign out, without JavaScript.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import * as client from 'openid-client'
import { type Shown, PageBrowser } from '../../../test/harness/browser/page-browser.ts'
import { pagePerson, placeOf } from '../../../test/harness/browser/page-person.ts'
import { hrefOf } from '../../../test/harness/browser/page-visitors.ts'
import { createOrganization } from '../../../test/harness/factories.ts'
import {
  type TestApplication,
  VisitingBrowser,
  beginAuthorization,
  createApplication,
  interactionOf,
  issuerOf,
  relyingParty,
  signedOutUri,
} from '../../../test/harness/people/authorization.ts'
import { password } from '../../../test/harness/people/people.ts'
import { describeService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'

const asBrowser = { accept: 'text/html' }
const addressLeft = ({ status, headers }: Shown) => {
  assert.equal(status, 200)
  return String(headers['refresh']).replace('0;url=', '')
}

describeService('the pages for applications', (service) => {
  const world = async (options: Parameters<typeof createApplication>[2] = {}, auth: object = {}) => {
    const person = await pagePerson(service(), { user: { password }, auth })
    const application = await createApplication(service(), person.tenant.id, options)
    const visiting = new VisitingBrowser(service())
    return { person, application, visiting, rp: await relyingParty(service(), person.tenant.id, application) }
  }
  type World = Awaited<ReturnType<typeof world>>
  /** Begins at the application. Returns where the authorization endpoint leads to. */
  const begin = async ({ rp, visiting }: World, parameters: Record<string, string> = {}) => {
    const authorization = await beginAuthorization(rp, parameters)
    const { headers } = await visiting.visit(authorization.url, asBrowser)
    const { pathname, search } = new URL(String(headers['location']))
    return { authorization, at: pathname + search, uid: interactionOf(headers['location']) }
  }
  const signIn = async (browser: PageBrowser, start: Shown, email: string) => {
    const next = await browser.send(start, { identifier: email }, { button: 'Continue' })
    return browser.send(next, { password }, { button: 'Sign in' })
  }
  /** Opens the sign-in page as somebody who is signed in already. Returns where it leads to. */
  const addressTaken = async ({ person }: World, url: string) => {
    const cookie = [...person.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { host: 'localhost', ...asBrowser, cookie }
    const answer = await service().app.inject({ method: 'GET', url, headers })
    assert.equal(answer.statusCode, 303)
    return String(answer.headers['location'])
  }
  const nameOf = ({ id }: TestApplication) => `Application ${id.slice(-4)}`

  it('sign in a user, ask for consent, and go back to the application', async () => {
    const of = await world({ isTrusted: false })
    const { authorization, at } = await begin(of, { login_hint: of.person.email })
    const browser = new PageBrowser(service(), 'localhost')
    const start = await browser.open(at)
    assert.match(start.text, new RegExp(`You then continue to .*${nameOf(of.application)}`))
    assert.match(start.text, new RegExp(`value="${of.person.email}"`))
    // A wrong identifier leaves the page as it is.
    const refused = await browser.send(start, { identifier: 'nobody' }, { button: 'Continue' })
    assert.match(refused.text, /You then continue to/)
    const left = await signIn(browser, refused, of.person.email)
    const toConsent = await of.visiting.visit(addressLeft(left), asBrowser)
    const { pathname, search } = new URL(String(toConsent.headers['location']))
    const consent = await browser.open(pathname + search)
    assert.equal(consent.title, `${nameOf(of.application)} asks for access`)
    assert.match(consent.text, /see your e-mail address/)
    assert.match(consent.text, /app\.example/)
    const back = await of.visiting.visit(addressLeft(await browser.send(consent, {}, { button: 'Allow' })), asBrowser)
    const tokens = await client.authorizationCodeGrant(
      of.rp,
      new URL(String(back.headers['location'])),
      authorization.checks,
    )
    assert.equal(tokens.claims()?.sub, of.person.user.id)
    // The page is over once it has been answered.
    assert.equal((await browser.open(pathname + search)).title, 'This page has expired')
  })

  it('take a session that there is, unless the application asks for a new or a recent one', async () => {
    const of = await world()
    const { at } = await begin(of)
    const back = await of.visiting.visit(await addressTaken(of, at), asBrowser)
    assert.match(String(back.headers['location']), /^https:\/\/app\.example\/callback\?code=/)
    for (const parameters of [{ prompt: 'login' }, { max_age: '0' }]) {
      const asked = await begin(of, parameters)
      const start = await of.person.browser.open(asked.at)
      assert.equal(start.title, 'Sign in', JSON.stringify(parameters))
      // Nobody gets on by going to the last page at once.
      const shortcut = await of.person.open(`/continue?interaction=${asked.uid}`)
      assert.equal(shortcut.title, 'Sign in', JSON.stringify(parameters))
      const left = addressLeft(await signIn(of.person.browser, start, of.person.email))
      const answer = await of.visiting.visit(left, asBrowser)
      assert.match(`${answer.headers['location']} ${answer.body}`, /[?&]code=/, JSON.stringify(parameters))
    }
  })

  it('let a signed-in user choose the account, in the language that the application requests', async () => {
    const of = await world()
    const asked = await begin(of, { prompt: 'select_account', ui_locales: 'tlh de-AT en' })
    const { browser } = of.person
    const choice = await browser.open(asked.at)
    assert.match(choice.text, /Ada/)
    const hrefs = [...choice.document.querySelectorAll('a')].map((each) => each.getAttribute('href') ?? '')
    const other = hrefs.find((href) => href.includes('prompt=login')) ?? ''
    const start = await browser.open(other)
    assert.equal(start.title, 'Anmelden')
    // The page that follows keeps the language, until the reader chooses another one.
    const next = await browser.send(start, { identifier: of.person.email }, { button: 'Weiter' })
    assert.equal(next.document.documentElement.getAttribute('lang'), 'de')
    const reader = await browser.open(`${of.person.at}/sign-in?prompt=login&lang=fr&ui_locales=de`)
    assert.equal(reader.document.documentElement.getAttribute('lang'), 'fr')
    const taken = hrefs.find((href) => href.includes('/continue?')) ?? ''
    const { pathname, search } = new URL(taken, 'http://localhost')
    const left = addressLeft(await browser.open(pathname + search))
    const back = await of.visiting.visit(left, asBrowser)
    assert.match(String(back.headers['location']), /[?&]code=/)
    const metadata = of.rp.serverMetadata()
    assert.ok(Array.isArray(metadata['prompt_values_supported']) && metadata.ui_locales_supported?.includes('de'))
    const silent = await of.visiting.visit((await beginAuthorization(of.rp, { prompt: 'none' })).url, asBrowser)
    assert.match(String(silent.headers['location']), /[?&]code=/)
  })

  it('let the user refuse, and choose the organization to act for', async () => {
    const of = await world({ isTrusted: false }, { organizationsEnabled: true })
    const organization = await createOrganization(service(), of.person.tenant.id)
    await service().ok('createOrganizationMember', {
      body: { organizationId: organization.id, userId: of.person.user.id },
    })
    const consentOf = async () => {
      const { authorization, at } = await begin(of)
      if (at.includes('/consent?')) return { authorization, page: await of.person.browser.open(at) }
      const { headers } = await of.visiting.visit(await addressTaken(of, at), asBrowser)
      const { pathname, search } = new URL(String(headers['location']))
      return { authorization, page: await of.person.browser.open(pathname + search) }
    }
    const first = await consentOf()
    assert.match(first.page.text, new RegExp(organization.name))
    const refused = addressLeft(await of.person.browser.send(first.page, {}, { button: 'Do not allow' }))
    assert.match(String((await of.visiting.visit(refused)).headers['location']), /error=access_denied/)
    const second = await consentOf()
    const allowed = await of.person.browser.send(second.page, { organizationId: organization.id }, { button: 'Allow' })
    const back = await of.visiting.visit(addressLeft(allowed), asBrowser)
    const tokens = await client.authorizationCodeGrant(
      of.rp,
      new URL(String(back.headers['location'])),
      second.authorization.checks,
    )
    assert.equal(tokens.claims()?.['org_id'], organization.id)
    // The account lists it, and takes its access back.
    const apps = await of.person.open('/account/apps')
    assert.match(apps.text, new RegExp(organization.name))
    const href = apps.document.querySelector('.list a')?.getAttribute('href') ?? ''
    const removal = await of.person.browser.open(href)
    const done = await of.person.browser.send(removal, {}, { button: 'Remove access' })
    assert.equal(placeOf(done), '/account/apps?done=access-removed')
    assert.match(done.text, /No application can use your account/)
    await assert.rejects(client.refreshTokenGrant(of.rp, tokens.refresh_token ?? ''))
  })

  it('are refused to somebody else, to strangers, and to those who act in the place of the user', async () => {
    const of = await world({ isTrusted: false })
    const { at, uid } = await begin(of)
    const acting = await service().ok<{ sessionToken: string }>('impersonateUser', {
      params: { id: of.person.user.id },
      body: { reason: 'a test' },
    })
    const helper = new PageBrowser(service(), 'localhost')
    helper.cookies.set(`__Host-sid-${of.person.tenant.id}`, acting.sessionToken)
    assert.equal((await helper.open(at)).title, 'Only the user can do this')
    assert.equal((await helper.open(`${of.person.at}/continue?interaction=${uid}`)).status, 403)
    const other = await pagePerson(service())
    assert.equal((await other.open(`/sign-in?interaction=${uid}`)).title, 'This page has expired')
    assert.equal((await other.open('/consent?interaction=unknown')).title, 'This page has expired')
  })

  it('connect a device by the code that it shows', async () => {
    const of = await world({ type: 'device', grantTypes: ['urn:ietf:params:oauth:grant-type:device_code'] })
    const begun = await client.initiateDeviceAuthorization(of.rp, { scope: 'openid profile' })
    const { pathname, search } = new URL(begun.verification_uri_complete ?? '')
    const browser = new PageBrowser(service(), 'localhost')
    const start = await browser.open(pathname + search)
    assert.equal(start.title, 'Sign in')
    const entered = await signIn(browser, start, of.person.email)
    assert.equal(new URL(addressOf(entered)).pathname.endsWith('/device'), true)
    assert.match(entered.text, new RegExp(`value="${begun.user_code}"`))
    const wrong = await browser.send(entered, { userCode: 'BBBB-BBBB' }, { button: 'Continue' })
    assert.match(wrong.errors['userCode'] ?? '', /no such code/)
    const consent = await browser.send(wrong, { userCode: begun.user_code.toLowerCase() }, { button: 'Continue' })
    assert.match(consent.text, /in front of you/)
    const done = await browser.send(consent, {}, { button: 'Allow' })
    assert.equal(done.title, 'The device is connected')
    const tokens = await client.pollDeviceAuthorizationGrant(of.rp, { ...begun, interval: 0 })
    assert.equal(tokens.claims()?.sub, of.person.user.id)
  })

  it('sign out at the request of an application, and go back there', async () => {
    const of = await world()
    const { authorization, at } = await begin(of)
    const browser = new PageBrowser(service(), 'localhost')
    const left = addressLeft(await signIn(browser, await browser.open(at), of.person.email))
    const back = await of.visiting.visit(left, asBrowser)
    const tokens = await client.authorizationCodeGrant(
      of.rp,
      new URL(String(back.headers['location'])),
      authorization.checks,
    )
    const asked = await of.visiting.visit(
      client.buildEndSessionUrl(of.rp, { post_logout_redirect_uri: signedOutUri }),
      asBrowser,
    )
    assert.match(asked.body, /asks whether you want to sign out/)
    assert.match(asked.body, /Stay signed in/)
    const [, stayAction = ''] = /action="([^"]+)"/.exec(asked.body) ?? []
    const [, stayXsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(asked.body) ?? []
    const stayed = await of.visiting.send('POST', stayAction, new URLSearchParams({ xsrf: stayXsrf }), asBrowser)
    assert.deepEqual(
      [stayed.statusCode, stayed.headers['location'], stayed.headers['refresh']],
      [200, undefined, undefined],
    )
    assert.match(stayed.body, /You are still signed in/)
    // The application keeps its access, too.
    const silent = await of.visiting.visit((await beginAuthorization(of.rp, { prompt: 'none' })).url, asBrowser)
    assert.match(String(silent.headers['location']), /[?&]code=/)
    const refreshed = await client.refreshTokenGrant(of.rp, tokens.refresh_token ?? '')
    assert.doesNotMatch(String(asked.headers['content-security-policy']), /sha256/)
    const proven = await of.visiting.visit(
      client.buildEndSessionUrl(of.rp, {
        id_token_hint: tokens.id_token ?? '',
        post_logout_redirect_uri: signedOutUri,
        state: 'bye',
      }),
      asBrowser,
    )
    assert.match(String(proven.headers['content-security-policy']), /script-src 'self' 'sha256-[^']+'/)
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(proven.body) ?? []
    const [, action = ''] = /action="([^"]+)"/.exec(proven.body) ?? []
    const done = await of.visiting.send('POST', action, new URLSearchParams({ xsrf, logout: 'yes' }), asBrowser)
    assert.equal(done.statusCode, 200)
    assert.equal(done.headers['refresh'], `0;url=${signedOutUri}?state=bye`)
    assert.match(done.body, /You are signed out/)
    await assert.rejects(client.refreshTokenGrant(of.rp, refreshed.refresh_token ?? ''))
    // Nobody is asked who is not signed in.
    const again = await of.visiting.visit(client.buildEndSessionUrl(of.rp), asBrowser)
    assert.match(String(again.headers['content-security-policy']), /sha256/)
    assert.match(again.body, /Sign out/)
  })

  it('say before a password is typed that the request is over, and lead back to the application', async () => {
    const homeUri = 'https://app.example/'
    const of = await world({}, { homeUri, redirectUris: [homeUri] })
    const { at, uid } = await begin(of)
    const browser = new PageBrowser(service(), 'localhost')
    const start = await browser.open(at)
    const asked = await browser.send(start, { identifier: of.person.email }, { button: 'Continue' })
    assert.equal(asked.title, 'Enter your password')
    const { db } = service().deps
    await db.write(() => [sql`DELETE FROM oauth_interactions WHERE tenant_id = ${of.person.tenant.id}`])
    const pages = [
      await browser.open(new URL(asked.url).pathname),
      await browser.send(start, { identifier: of.person.email }, { button: 'Continue' }),
      await of.person.browser.open(`${of.person.at}/sign-in?interaction=${uid}`),
    ]
    for (const page of pages) {
      assert.deepEqual([page.status, page.title], [409, 'This page has expired'])
      assert.equal(hrefOf(page, 'Start again'), homeUri)
    }
  })

  it('say that there is no such tenant, to a browser as a page and to a program as JSON', async () => {
    const browser = new VisitingBrowser(service())
    const url = issuerOf(service(), 'nobody')
    for (const path of ['/oauth/authorize?client_id=a', '/oauth/logout', '/sign-in']) {
      const page = await browser.visit(url + path, asBrowser)
      assert.deepEqual([page.statusCode, page.headers['content-type']], [404, 'text/html; charset=utf-8'], path)
      assert.match(page.body, /<h1/)
    }
    const program = await browser.visit(`${url}/oauth/authorize?client_id=a`)
    assert.match(String(program.headers['content-type']), /json/)
  })

  it('say in the language of the reader that a request does not work', async () => {
    const of = await world()
    const url = `${issuerOf(service(), of.person.tenant.id)}/oauth/authorize?client_id=nobody`
    const { statusCode, body } = await of.visiting.visit(url, { ...asBrowser, 'accept-language': 'de' })
    assert.equal(statusCode, 400)
    assert.match(body, /Diese Anfrage funktioniert nicht/)
    assert.match(body, /invalid_client/)
    const foreign = `${issuerOf(service(), of.person.tenant.id)}/oauth/authorize/nothing?ticket=oi_x`
    const expired = await of.visiting.visit(foreign, asBrowser)
    assert.deepEqual([expired.statusCode, /This page has expired/.test(expired.body)], [403, true])
  })
})

const addressOf = ({ url }: Shown) => url
