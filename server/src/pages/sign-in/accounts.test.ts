// The chooser of accounts, without JavaScript: on the way to a page of the tenant, and for applications.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { PageBrowser, type Shown } from '../../../test/harness/browser/page-browser.ts'
import { createUser, unique } from '../../../test/harness/factories.ts'
import {
  VisitingBrowser,
  beginAuthorization,
  callbackUri,
  createApplication,
  relyingParty,
} from '../../../test/harness/people/authorization.ts'
import { password } from '../../../test/harness/people/people.ts'
import { openSession } from '../../../test/harness/people/sessions.ts'
import { tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { describeService } from '../../../test/harness/service.ts'
import { sessionEndedJobKind } from '../../identity/sessions/followers.ts'
import { sql } from '../../platform/db/sql.ts'

describeService('the page of accounts', (service) => {
  /** A browser in which two users have signed in; the second one is active. */
  async function world() {
    const tenant = await tenantWith(service(), { severalAccountsEnabled: true })
    const browser = new PageBrowser(service(), 'localhost')
    const root = `/t/${tenant.id}`
    const someone = async () => {
      const email = `${unique()}@example.com`
      const user = await createUser(service(), tenant.id, { email, password, name: `N${unique()}` })
      await service().ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
      return { email, user, label: `${user.name} (${email})` }
    }
    const signIn = async (page: Shown, email: string) =>
      browser.send(await browser.send(page, { identifier: email }, { button: 'Continue' }), { password })
    const [ada, ben] = [await someone(), await someone()]
    await signIn(await browser.open(`${root}/sign-in`), ada.email)
    const chooser = await browser.open(`${root}/sign-in`)
    const add = chooser.document.querySelector('a[href*="prompt=login"]')?.getAttribute('href') ?? ''
    await signIn(await browser.open(add), ben.email)
    const buttons = (page: Shown) =>
      [...page.document.querySelectorAll('form[action$="/switch"] button')].map(({ textContent }) => textContent.trim())
    return { tenant, browser, root, ada, ben, signIn, buttons }
  }
  const nameOn = (page: Shown) => page.text.match(/Nu[0-9a-f]{12}/)?.[0]

  it('lets the user add an account, choose one, and sign one or all out', async () => {
    const { browser, root, ada, ben, buttons } = await world()
    const chooser = await browser.open(`${root}/sign-in`)
    assert.equal(chooser.title, 'Choose an account')
    assert.deepEqual(buttons(chooser), [ada.label, ben.label])
    await browser.send(chooser, {}, { button: ada.label })
    assert.equal(nameOn(await browser.open(`${root}/account`)), ada.user.name)
    const question = await browser.open(`${root}/sign-out`)
    assert.match(question.text, /Sign out of all accounts/)
    await browser.send(question, {}, { button: 'Sign out' })
    const left = await browser.open(`${root}/account`)
    assert.deepEqual(buttons(left), [ben.label])
    await browser.send(await browser.open(`${root}/sign-out`), {}, { button: 'Sign out of all accounts' })
    assert.equal((await browser.open(`${root}/account`)).title, 'Sign in')
    assert.ok([...browser.cookies.keys()].every((name) => !name.includes('__Host-account')))
  })

  it('keeps to where the user was going, and asks again where the chosen account has ended', async () => {
    const { browser, root, ada, buttons } = await world()
    await browser.send(await browser.open(`${root}/sign-out`), {}, { button: 'Sign out' })
    const asked = await browser.open(`${root}/account/sessions`)
    assert.deepEqual(buttons(asked), [ada.label])
    const chosen = await browser.send(asked, {}, { button: ada.label })
    assert.match(chosen.text, /account\/sessions/)
    await service().ok('suspendUser', { params: { id: ada.user.id } })
    const gone = await browser.send(asked, {}, { button: ada.label })
    assert.equal(gone.title, 'Sign in')
  })

  // Guards: own-forms
  it('accepts no form from elsewhere', async () => {
    const { browser, root, ada } = await world()
    const chooser = await browser.open(`${root}/accounts`)
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const refused = await browser.send(chooser, {}, { button: ada.label, headers })
    assert.equal(refused.status, 403)
  })

  /** Goes through an authorization, and does on the pages what is given, until it is back at the application. */
  async function authorized(
    { tenant, browser }: Awaited<ReturnType<typeof world>>,
    visiting: VisitingBrowser,
    rp: client.Configuration,
    parameters: Record<string, string>,
    ...steps: ((page: Shown) => Promise<Shown>)[]
  ) {
    const { url, checks } = await beginAuthorization(rp, parameters)
    let address = url.href
    for (let visits = 0; visits < 4; visits++) {
      // It is one browser, on one host.
      for (const [name, value] of browser.cookies) visiting.cookies.set(name, { value, path: '/' })
      for (const name of visiting.cookies.keys())
        if (name.endsWith(tenant.id) && name.includes('__Host-sid') && !browser.cookies.has(name))
          visiting.cookies.delete(name)
      const { headers } = await visiting.visit(address, { accept: 'text/html' })
      const location = String(headers['location'])
      if (location.startsWith(callbackUri)) {
        const back = new URL(location)
        if (!back.searchParams.has('code')) return { error: back.searchParams.get('error'), steps: steps.length }
        const tokens = await client.authorizationCodeGrant(rp, back, checks)
        const claims = decodeJwt(tokens.id_token ?? '')
        return { sub: claims.sub, idToken: tokens.id_token ?? '', sid: claims['sid'], steps: steps.length }
      }
      const { pathname, search } = new URL(location)
      let page = await browser.open(pathname + search)
      for (;;) {
        const refresh = page.headers['refresh']
        const left = page.status === 303 ? page.url : typeof refresh === 'string' ? refresh.replace('0;url=', '') : ''
        if (left.includes('/oauth/')) {
          address = left
          break
        }
        if (left !== '') {
          const next = new URL(left)
          page = await browser.open(next.pathname + next.search)
          continue
        }
        const step = steps.shift() ?? assert.fail(page.text)
        page = await step(page)
      }
    }
    throw new Error('no end')
  }

  it('is asked by applications: by select_account, a hint, or another account than the active one', async () => {
    const of = await world()
    const { tenant, browser, root, ada, ben, signIn } = of
    const rp = await relyingParty(service(), tenant.id, await createApplication(service(), tenant.id))
    const visiting = new VisitingBrowser(service())
    const choose = (label: string) => (page: Shown) => {
      assert.equal(page.title, 'Choose an account')
      return browser.send(page, {}, { button: label })
    }
    const asBen = await authorized(of, visiting, rp, {})
    assert.equal(asBen.sub, ben.user.id)
    const chosen = await authorized(of, visiting, rp, { prompt: 'select_account' }, choose(ada.label))
    assert.equal(chosen.sub, ada.user.id)
    // The account that is active now is the one that the next request gets, without a page.
    assert.equal((await authorized(of, visiting, rp, {})).sub, ada.user.id)
    assert.equal((await authorized(of, visiting, rp, { login_hint: ada.email })).sub, ada.user.id)
    const hinted = await authorized(of, visiting, rp, { login_hint: ben.email }, choose(ben.label))
    assert.equal(hinted.sub, ben.user.id)
    // An ID token of another account: silently no answer, else a choice, which holds only for that account.
    const hint = { id_token_hint: chosen.idToken ?? '' }
    assert.equal((await authorized(of, visiting, rp, { ...hint, prompt: 'none' })).error, 'login_required')
    const named = await authorized(of, visiting, rp, hint, choose(ben.label), choose(ada.label))
    assert.deepEqual([named.sub, named.steps], [ada.user.id, 0])
    // After a switch outside of any application the next request gets the active account, also in silence.
    await browser.send(await browser.open(`${root}/accounts`), {}, { button: ben.label })
    assert.equal((await authorized(of, visiting, rp, {})).sub, ben.user.id)
    assert.equal((await authorized(of, visiting, rp, { prompt: 'none' })).sub, ben.user.id)
    // A proof is asked of whoever signs in, and no account spares it.
    const proven = await authorized(of, visiting, rp, { prompt: 'login' }, (page) => {
      assert.equal(page.title, 'Sign in')
      return signIn(page, ben.email)
    })
    assert.equal(proven.sub, ben.user.id)
  })

  it('leaves the other accounts signed in when one is signed out, and tells the applications of that one alone', async () => {
    const of = await world()
    const { tenant, browser, root, ada, ben } = of
    const backchannelLogoutUri = 'https://app.example/back-channel'
    const rp = await relyingParty(
      service(),
      tenant.id,
      await createApplication(service(), tenant.id, { backchannelLogoutUri }),
    )
    const visiting = new VisitingBrowser(service())
    await authorized(of, visiting, rp, {})
    await browser.send(await browser.open(`${root}/accounts`), {}, { button: ada.label })
    await authorized(of, visiting, rp, {})
    const ids = [...browser.cookies.keys()].flatMap((name) => name.match(/__Host-account-\w+-(\w+)/)?.[1] ?? [])
    await browser.send(await browser.open(`${root}/sign-out`), {}, { button: 'Sign out' })
    const { db } = service().deps
    const ended = await db.all<{ user_id: string }>(sql`SELECT user_id FROM sessions
      WHERE tenant_id = ${tenant.id} AND id IN (${sql.list(ids)}) AND ended_at IS NOT NULL`)
    const endedUsers = ended.map(({ user_id: id }) => id)
    assert.deepEqual(endedUsers, [ada.user.id])
    const jobs = await db.all<{ payload: string }>(sql`SELECT payload FROM jobs
      WHERE tenant_id = ${tenant.id} AND kind = ${sessionEndedJobKind}`)
    assert.ok(jobs.length > 0)
    assert.ok(jobs.every(({ payload }) => payload.includes(ada.user.id) && !payload.includes(ben.user.id)))
  })

  it('signs out the account that an application names by its ID token, and keeps the others', async () => {
    const of = await world()
    const { tenant, browser, root, ada, ben, buttons } = of
    const rp = await relyingParty(service(), tenant.id, await createApplication(service(), tenant.id))
    const visiting = new VisitingBrowser(service())
    const asBen = await authorized(of, visiting, rp, {})
    await browser.send(await browser.open(`${root}/accounts`), {}, { button: ada.label })
    assert.equal((await authorized(of, visiting, rp, {})).sub, ada.user.id)
    const asBrowser = { accept: 'text/html' }
    const ask = async (idToken: string) => {
      // It is one browser, on one host.
      for (const [name, value] of browser.cookies) visiting.cookies.set(name, { value, path: '/' })
      const { body } = await visiting.visit(client.buildEndSessionUrl(rp, { id_token_hint: idToken }), asBrowser)
      const [, action = ''] = /action="([^"]+)"/.exec(body) ?? []
      const [xsrf = '', account = ''] = ['xsrf', 'account'].map(
        (name) => new RegExp(`name="${name}" value="([^"]+)"`).exec(body)?.[1],
      )
      return { body, action, xsrf, account }
    }
    const send = ({ action, xsrf, account }: Awaited<ReturnType<typeof ask>>) =>
      visiting.send('POST', action, new URLSearchParams({ xsrf, account, logout: 'yes' }), asBrowser)
    // No form ends a session whose token the browser does not hold.
    const elsewhere = await openSession(service(), tenant.id, ben.user.id)
    await send({ ...(await ask(asBen.idToken ?? '')), account: elsewhere.row.id })
    const asked = await ask(asBen.idToken ?? '')
    assert.ok(asked.body.includes(`Sign out: ${ben.email}`), asked.body)
    assert.equal((await send(asked)).statusCode, 303)
    const { db } = service().deps
    const ended = await db.all<{ id: string; user_id: string }>(sql`SELECT id, user_id FROM sessions
      WHERE tenant_id = ${tenant.id} AND ended_at IS NOT NULL`)
    assert.deepEqual(ended, [{ id: asked.account, user_id: ben.user.id }])
    assert.deepEqual(buttons(await browser.open(`${root}/accounts`)), [ada.label])
    assert.equal(nameOn(await browser.open(`${root}/account`)), ada.user.name)
    assert.equal((await authorized(of, visiting, rp, { prompt: 'none' })).sub, ada.user.id)
    // If the account that is named is not in the browser, no other one is signed out without a question.
    assert.match((await ask(asBen.idToken ?? '')).body, /Stay signed in/)
  })
})
