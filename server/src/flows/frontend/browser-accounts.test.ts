// Several accounts in one browser: what the browser holds decides, so nothing here is allowed by an id alone.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { BrowserAccount, SignInAnswer, SignUpAnswer } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { createUser, testPages, unique } from '../../../test/harness/factories.ts'
import { Person, password } from '../../../test/harness/people/people.ts'
import { openSession, storedSession } from '../../../test/harness/people/sessions.ts'
import { tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { describeService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'

const several = { severalAccountsEnabled: true }

describeService('several accounts in one browser', (service) => {
  const someone = async (tenant: { id: string; publicKey: string }) => {
    const email = `${unique()}@example.com`
    const user = await createUser(service(), tenant.id, { email, password, name: 'Ada' })
    await service().ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
    return new Person(service(), tenant, user, email)
  }
  const list = async (browser: Browser) =>
    (await browser.ok<{ accounts: BrowserAccount[] }>('getBrowserAccounts')).accounts
  const names = async (browser: Browser) =>
    (await list(browser)).map(({ user, current }) => (current ? `*${user.identifier}` : user.identifier))
  const whoIs = async (browser: Browser) => (await browser.ok<{ user: { id: string } }>('getProfile')).user.id
  const switchTo = (browser: Browser, id: string) => browser.call('switchBrowserAccount', { params: { id } })
  const activeCookie = (browser: Browser) => [...browser.cookies.keys()].find((name) => name.startsWith('__Host-sid'))

  const secondFactorAt = async (id: string) => {
    const at = sql`SELECT second_factor_at FROM sessions WHERE id = ${id}`
    return (await service().deps.db.first<{ second_factor_at: string | null }>(at))?.second_factor_at
  }

  /** A browser with as many accounts; the last one is active. */
  async function world(count: number, auth: object = several) {
    const tenant = await tenantWith(service(), auth)
    const browser = new Browser(service(), tenant.publicKey)
    const people = await Promise.all(Array.from({ length: count }, () => someone(tenant)))
    const sessions: string[] = []
    for (const person of people) sessions.push((await person.begin(browser)).session?.id ?? assert.fail())
    return { tenant, browser, people, sessions }
  }

  it('are listed, switched between, and signed out one by one or all at once', async () => {
    const { browser, people, sessions } = await world(3)
    const [ada, ben, cleo] = people as [Person, Person, Person]
    const [first = '', second = ''] = sessions
    assert.deepEqual(await names(browser), [ada.email, ben.email, `*${cleo.email}`])
    const switched = await browser.ok<SignInAnswer>('switchBrowserAccount', { params: { id: first } })
    assert.deepEqual([switched.session?.id, switched.sessionUser?.id], [first, ada.user.id])
    assert.equal(await whoIs(browser), ada.user.id)
    assert.deepEqual(await names(browser), [`*${ada.email}`, ben.email, cleo.email])
    assert.deepEqual(await browser.ok('endBrowserAccounts', { query: { id: second } }), { ended: 1 })
    assert.deepEqual(await names(browser), [`*${ada.email}`, cleo.email])
    assert.deepEqual(await browser.ok('endOwnSessions'), { ended: 1 })
    await browser.refused('getProfile', 'unauthenticated')
    assert.deepEqual(await names(browser), [cleo.email])
    assert.deepEqual(await browser.ok('endBrowserAccounts'), { ended: 1 })
    assert.deepEqual(await names(browser), [])
    assert.equal([...browser.cookies.keys()].filter((name) => /account|sid/.test(name)).length, 0)
    for (const id of sessions) assert.notEqual((await storedSession(service(), id))?.ended_at, null)
  })

  it('change nothing while the tenant does not allow them', async () => {
    const { tenant, browser, people, sessions } = await world(2, { signUpEnabled: true })
    const [ada, ben] = people as [Person, Person]
    assert.deepEqual(await names(browser), [`*${ben.email}`])
    assert.ok([...browser.cookies.keys()].every((name) => !name.includes('account')))
    assert.equal((await switchTo(browser, sessions[0] ?? '')).status, 404)
    // What was signed in before the tenant allowed it joins the list with the next account.
    await service().ok('putAuthTenant', { params: { id: tenant.id }, body: { redirectUris: testPages, ...several } })
    await ada.begin(browser)
    assert.deepEqual(await names(browser), [ben.email, `*${ada.email}`])
    // A browser that holds cookies of accounts has but one again once the tenant allows no more.
    await service().ok('putAuthTenant', { params: { id: tenant.id }, body: { severalAccountsEnabled: false } })
    assert.deepEqual(await names(browser), [`*${ada.email}`])
    assert.equal((await switchTo(browser, sessions[1] ?? '')).status, 404)
  })

  it('are five at most, and one for each user', async () => {
    const { tenant, browser, people, sessions } = await world(5)
    const again = (await people[1]?.begin(browser))?.session?.id ?? ''
    assert.equal((await list(browser)).length, 5)
    assert.notEqual((await storedSession(service(), sessions[1] ?? ''))?.ended_at, null)
    const sixth = await someone(tenant)
    await sixth.begin(browser)
    const accounts = await list(browser)
    assert.equal(accounts.length, 5)
    assert.equal(accounts.at(-1)?.user.identifier, sixth.email)
    assert.ok(accounts.some(({ id }) => id === again))
    assert.notEqual((await storedSession(service(), sessions[0] ?? ''))?.ended_at, null)
  })

  it('are joined by one that signs up', async () => {
    const { browser, people } = await world(1, { ...several, emailVerificationRequired: false })
    const email = `${unique()}@example.com`
    const { session } = await browser.ok<SignUpAnswer>('createSignUp', { body: { email, password } })
    assert.ok(session !== undefined)
    assert.deepEqual(await names(browser), [people[0]?.email, `*${email}`])
  })

  // Guards: accounts-of-browsers
  it('are those whose tokens the browser holds, whatever ids it knows', async () => {
    const { tenant, browser, people, sessions } = await world(2)
    const [ada] = people as [Person]
    const other = new Browser(service(), tenant.publicKey)
    const elsewhere = (await ada.begin(other)).session?.id ?? ''
    for (const id of [elsewhere, sessions[0] ?? '', ada.user.id]) {
      const stranger = await someone(tenant)
      await stranger.begin()
      const cookie = `__Host-account-${tenant.id}-${id}`
      const own = stranger.browser.cookies.get(activeCookie(stranger.browser) ?? '') ?? ''
      for (const value of ['', 'se_x', own, own.replace(/.$/, 'x')]) {
        if (value !== '') stranger.browser.cookies.set(cookie, value)
        assert.equal((await switchTo(stranger.browser, id)).status, 404)
        assert.equal((await stranger.browser.call('endBrowserAccounts', { query: { id } })).status, 404)
        assert.equal(await whoIs(stranger.browser), stranger.user.id)
        assert.deepEqual(await names(stranger.browser), [`*${stranger.email}`])
      }
    }
    assert.equal((await list(browser)).length, 2)
    assert.equal(await whoIs(other), ada.user.id)
  })

  // Guards: accounts-of-browsers
  it('of one tenant give nothing at another', async () => {
    const [own, foreign] = [await world(1), await world(2)]
    for (const [name, value] of foreign.browser.cookies) {
      own.browser.cookies.set(name, value)
      own.browser.cookies.set(name.replace(foreign.tenant.id, own.tenant.id), value)
      if (name.includes('account')) own.browser.cookies.set(name.replace(`-${foreign.tenant.id}`, ''), value)
    }
    assert.deepEqual(
      (await list(own.browser)).map(({ id }) => id),
      own.sessions,
    )
    for (const id of foreign.sessions) assert.equal((await switchTo(own.browser, id)).status, 404)
    for (const id of foreign.sessions) {
      assert.equal((await own.browser.call('endBrowserAccounts', { query: { id } })).status, 404)
    }
    assert.equal((await list(foreign.browser)).length, 2)
  })

  // Guards: accounts-of-browsers
  it('are changed only by a page that says where it is, also while none is active', async () => {
    const { browser, sessions } = await world(2)
    await browser.ok('endOwnSessions')
    const { origin: _origin, ...headers } = browser.headers
    const forger = new Browser(service(), browser.publicKey)
    for (const name of Object.keys(forger.headers)) delete forger.headers[name]
    Object.assign(forger.headers, headers)
    for (const [name, value] of browser.cookies) forger.cookies.set(name, value)
    const params = { id: sessions[0] ?? '' }
    await forger.refused('switchBrowserAccount', 'origin_refused', { params })
    await forger.refused('endBrowserAccounts', 'origin_refused', { query: params })
    await forger.refused('endBrowserAccounts', 'origin_refused')
    assert.equal((await list(browser)).length, 1)
    await browser.ok('switchBrowserAccount', { params })
  })

  // Guards: second-factors
  it('are active only with the second factor that a rule asks for by now', async () => {
    const { tenant, browser, people, sessions } = await world(2)
    const [ada, ben] = people as [Person, Person]
    const [weak = ''] = sessions
    await service().ok('putAuthTenant', { params: { id: tenant.id }, body: { secondFactorRequired: true } })
    await browser.refused('switchBrowserAccount', 'second_factor_required', { params: { id: weak } })
    assert.equal(await whoIs(browser), ben.user.id)
    // A session of the same browser that has one does not lend it to another.
    await service().ok('putAuthTenant', { params: { id: tenant.id }, body: { secondFactorRequired: false } })
    await browser.ok('switchBrowserAccount', { params: { id: weak } })
    const before = await secondFactorAt(sessions[1] ?? '')
    const { secret } = await browser.ok<{ secret: string }>('createAuthenticatorCode')
    await browser.ok('confirmAuthenticatorCode', { body: { code: ada.codeOf(secret) } })
    assert.equal(await secondFactorAt(sessions[1] ?? ''), before)
    // Its new token is the one that the browser keeps.
    await browser.ok('switchBrowserAccount', { params: { id: sessions[1] ?? '' } })
    await browser.ok('switchBrowserAccount', { params: { id: weak } })
    assert.equal(await whoIs(browser), ada.user.id)
  })

  it('leave the list once their user is suspended or erased', async () => {
    const { browser, people } = await world(3)
    const [ada, ben, cleo] = people as [Person, Person, Person]
    await service().ok('suspendUser', { params: { id: ada.user.id } })
    assert.deepEqual(await names(browser), [ben.email, `*${cleo.email}`])
    await service().ok('deleteUser', { params: { id: ben.user.id } })
    assert.deepEqual(await names(browser), [`*${cleo.email}`])
    assert.equal([...browser.cookies.keys()].filter((name) => name.includes('account')).length, 1)
  })

  // Guards: accounts-of-browsers
  it('never include a session in which somebody acts for the user', async () => {
    const { tenant, browser, people } = await world(2)
    const [ada, ben] = people as [Person, Person]
    const { row, token } = await openSession(service(), tenant.id, ada.user.id, { reason: 'a question' })
    const name = activeCookie(browser) ?? ''
    const own = browser.cookies.get(name) ?? ''
    browser.cookies.set(name, token)
    browser.cookies.set(`__Host-account-${tenant.id}-${row.id}`, token)
    assert.deepEqual(await names(browser), [ada.email, ben.email])
    assert.equal((await switchTo(browser, row.id)).status, 404)
    browser.cookies.set(name, own)
    assert.equal((await list(browser)).length, 2)
  })

  it('are added and switched by two tabs at once without losing one', async () => {
    const { tenant, browser, people, sessions } = await world(2)
    const tab = new Browser(service(), tenant.publicKey)
    for (const [name, value] of browser.cookies) tab.cookies.set(name, value)
    const before = new Map(browser.cookies)
    const [third, fourth] = [await someone(tenant), await someone(tenant)]
    await Promise.all([third.begin(browser), fourth.begin(tab), switchTo(tab, sessions[0] ?? '')])
    // The browser has one jar: what either tab has set is in it, and what either has removed is not.
    for (const [name, value] of tab.cookies) if (before.get(name) !== value) browser.cookies.set(name, value)
    const expected = [...people, third, fourth].map(({ email }) => email).toSorted()
    assert.deepEqual((await list(browser)).map(({ user }) => user.identifier).toSorted(), expected)
  })

  it('are at a caller that sends its token the session of that token', async () => {
    const { tenant, people, sessions } = await world(2)
    const { token, row } = await openSession(service(), tenant.id, people[0]?.user.id ?? '')
    const app = new Browser(service(), tenant.publicKey, { authorization: `Bearer ${token}` })
    assert.deepEqual(await names(app), [`*${people[0]?.email}`])
    assert.equal((await switchTo(app, sessions[1] ?? '')).status, 404)
    assert.equal((await switchTo(app, row.id)).status, 404)
    assert.deepEqual(await app.ok('endBrowserAccounts'), { ended: 1 })
    await app.refused('getProfile', 'unauthenticated')
  })
})
