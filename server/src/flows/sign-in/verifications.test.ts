// Proving within a session, once more, who the user is.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { SignInAnswer, SignInAttempt } from '@bailiwick/contract'
import { decodeJwt } from 'jose'
import type { Browser } from '../../../test/harness/browser/frontend.ts'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { createTenant, createUser } from '../../../test/harness/factories.ts'
import { latestMessageTo } from '../../../test/harness/messages.ts'
import { Person, password, signInWithPasskey, signedInPerson } from '../../../test/harness/people/people.ts'
import { startServiceWithClock } from '../../../test/harness/people/sessions.ts'
import type { TestService } from '../../../test/harness/service.ts'

const minute = 60_000
const twoFactors = 'urn:bailiwick:2fa'

interface Verification {
  readonly isProven: boolean
  readonly signInAttempt: SignInAttempt | null
}

describeOnEachEngine('a verification within a session', (open) => {
  let service: TestService
  let advance: (ms: number) => void
  before(async () => {
    ;({ service, advance } = await startServiceWithClock((await open()).database))
  })
  after(() => service.app.close())

  const verify = (browser: Browser, body: object) => browser.ok<Verification>('createVerification', { body })
  async function begun(browser: Browser, body: object) {
    const { isProven, signInAttempt } = await verify(browser, body)
    assert.equal(isProven, false)
    assert.ok(signInAttempt)
    return { ...signInAttempt, params: { id: signInAttempt.id } }
  }
  const claims = async (browser: Browser) =>
    decodeJwt((await browser.ok<{ jwt: string }>('createOwnToken', { body: {} })).jwt)
  const now = () => Math.floor(service.deps.clock.nowMs() / 1000)
  /** The app's next code: each is accepted once. */
  function nextCode(person: Person, secret: string) {
    advance(30_000)
    return person.codeOf(secret)
  }
  const byPassword = { strategy: 'email_password' as const, password }

  it('renews the time of the proof under a new token, and opens no other session', async () => {
    const { browser } = await signedInPerson(service)
    const began = (await claims(browser))['auth_time']
    advance(11 * minute)
    await browser.refused('createPasskeyOptions', 'reauthentication_required')
    const { params, status } = await begun(browser, { level: 'recent' })
    assert.equal(status, 'needs_factor_one')
    const thief = new Map(browser.cookies)
    const body = byPassword
    const answer = await browser.ok<SignInAnswer>('attemptFirstFactor', { params, body })
    assert.equal(answer.signInAttempt.status, 'complete')
    assert.ok(answer.sessionUser?.auth_time !== undefined && answer.sessionUser.auth_time >= now() - 60)
    assert.notEqual(answer.sessionUser.auth_time, began)
    await browser.ok('createPasskeyOptions')
    const { sessions } = await browser.ok<{ sessions: { id: string }[] }>('listOwnSessions')
    assert.deepEqual(
      sessions.map(({ id }) => id),
      [answer.session?.id],
    )
    const session = [...thief].find(([name]) => name.startsWith('__Host-session'))?.[1] ?? ''
    await browser.refused('getProfile', 'unauthenticated', { headers: { authorization: `Bearer ${session}` } })
  })

  it('says how the user has signed in, in the token and beside it', async () => {
    const person = await signedInPerson(service)
    assert.deepEqual(
      [(await claims(person.browser))['acr'], (await claims(person.browser))['amr']],
      ['urn:bailiwick:1fa', ['pwd']],
    )
    const { key } = await person.addPasskey()
    const { secret } = await person.addApp()
    const alone = person.elsewhere()
    await signInWithPasskey(alone, key)
    assert.deepEqual([(await claims(alone))['acr'], (await claims(alone))['amr']], [twoFactors, ['hwk', 'mfa']])
    const other = person.elsewhere()
    const { signInAttempt } = await person.begin(other)
    const step = {
      params: { id: signInAttempt.id },
      body: { strategy: 'authenticator_code', code: nextCode(person, secret) },
    }
    const { sessionUser } = await other.ok<SignInAnswer>('attemptSecondFactor', step)
    assert.deepEqual([sessionUser?.acr, sessionUser?.amr], [twoFactors, ['pwd', 'otp', 'mfa']])
  })

  it('asks a user who has a second factor for that one alone', async () => {
    const person = await signedInPerson(service)
    const { secret } = await person.addApp()
    const { browser } = person
    const { params, status, supportedSecondFactors } = await begun(browser, { level: 'second_factor' })
    assert.deepEqual([status, supportedSecondFactors], ['needs_factor_two', ['authenticator_code']])
    await browser.refused('attemptSecondFactor', 'factor_refused', {
      params,
      body: { strategy: 'authenticator_code', code: '000000' },
    })
    await browser.ok('attemptSecondFactor', {
      params,
      body: { strategy: 'authenticator_code', code: nextCode(person, secret) },
    })
    const { acr, amr } = await claims(browser)
    assert.deepEqual([acr, amr], [twoFactors, ['pwd', 'otp', 'mfa']])
    assert.deepEqual(await verify(browser, { level: 'second_factor' }), { isProven: true, signInAttempt: null })
    advance(2 * minute)
    await begun(browser, { level: 'second_factor', maxAgeSeconds: 60 })
  })

  // Guards: second-factors
  it('sets up a second factor only after a code to the verified address, and after the password in a session that is not fresh', async () => {
    const person = await signedInPerson(service)
    const { browser, email } = person
    advance(11 * minute)
    const { params, status } = await begun(browser, { level: 'second_factor' })
    assert.equal(status, 'needs_factor_one')
    const proven = await browser.ok<SignInAnswer>('attemptFirstFactor', { params, body: byPassword })
    assert.equal(proven.signInAttempt.status, 'needs_enrolment')
    assert.deepEqual(proven.signInAttempt.supportedSecondFactors, ['email_code'])
    const app = { params, body: { strategy: 'authenticator_code' } }
    await browser.refused('prepareSecondFactor', 'strategy_unavailable', app)
    await browser.ok('prepareSecondFactor', { params, body: { strategy: 'email_code' } })
    const { code } = await latestMessageTo(service.deps, email)
    await browser.ok('attemptSecondFactor', { params, body: { strategy: 'email_code', code } })
    const { authenticator } = await browser.ok<SignInAnswer>('prepareSecondFactor', app)
    const body = { strategy: 'authenticator_code', code: person.codeOf(authenticator?.secret ?? '') }
    const answer = await browser.ok<SignInAnswer>('attemptSecondFactor', { params, body })
    assert.equal(answer.recoveryCodes?.length, 10)
    assert.equal((await claims(browser))['acr'], twoFactors)
  })

  // Guards: second-factors
  it('is completed by nobody but the user of its own session', async () => {
    const { tenant } = await createTenant(service)
    const [ada, eve] = [await signedInPerson(service, tenant), await signedInPerson(service, tenant)]
    advance(11 * minute)
    const { params } = await begun(ada.browser, { level: 'recent' })
    // Somebody at Ada's browser gives the password of another account.
    const body = { ...byPassword, identifier: eve.email }
    await ada.browser.refused('attemptFirstFactor', 'factor_refused', { params, body })
    // The attempt is taken to another session of the same browser.
    const copy = new Person(service, tenant, ada.user, ada.email).browser
    for (const [name, value] of ada.browser.cookies) if (name.startsWith('__Host-flow')) copy.cookies.set(name, value)
    const own = { ...byPassword, identifier: ada.email }
    await copy.refused('attemptFirstFactor', 'factor_refused', { params, body: own })
    const earlier = await claims(ada.browser)
    assert.ok(Number(earlier['auth_time']) < now() - 600)
    await ada.browser.ok('attemptFirstFactor', { params, body: own })
    await ada.browser.ok('createPasskeyOptions')
  })

  it('is not completed once its session has ended', async () => {
    const { browser } = await signedInPerson(service)
    advance(11 * minute)
    const { params } = await begun(browser, { level: 'recent' })
    const copy = new Map(browser.cookies)
    await browser.ok('endOwnSessions')
    for (const [name, value] of copy) browser.cookies.set(name, value)
    await browser.refused('attemptFirstFactor', 'factor_refused', { params, body: byPassword })
    await browser.refused('getProfile', 'unauthenticated')
  })

  it('is refused to somebody who acts in the place of the user', async () => {
    const { tenant } = await createTenant(service)
    const user = await createUser(service, tenant.id)
    const { sessionToken } = await service.ok<{ sessionToken: string }>('impersonateUser', {
      params: { id: user.id },
      body: { reason: 'support' },
    })
    const { browser } = new Person(service, tenant, user, '')
    const headers = { authorization: `Bearer ${sessionToken}` }
    const call = { headers, body: { level: 'recent' } }
    await browser.refused('createVerification', 'reauthentication_required', call)
  })
})
