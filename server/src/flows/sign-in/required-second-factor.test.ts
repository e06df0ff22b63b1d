// A tenant that requires a second factor: whoever has none sets one up before the first session, and a password alone is not enough to do so.
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type {
  AuthPreview,
  SignInAnswer,
  SignInExplanation,
  SignInStrategy,
  SignUpAnswer,
  TenantAuth,
} from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { type CreationOptions, SoftwareAuthenticator } from '../../../test/harness/browser/software-authenticator.ts'
import { createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { latestMessageTo } from '../../../test/harness/messages.ts'
import { Person, password, signInWithPasskey } from '../../../test/harness/people/people.ts'
import { describeService, productionEnv } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'

const farAhead = '2999-01-01T00:00:00.000000Z'

describeService('a tenant that requires a second factor', (service) => {
  let tenant: { id: string; publicKey: string }
  before(async () => {
    ;({ tenant } = await createTenant(service()))
    await settings({ secondFactorRequired: true })
  })

  const settings = (body: object, id = tenant.id) => service().ok('putAuthTenant', { params: { id }, body })

  async function someone() {
    const email = `${unique()}@example.com`
    const user = await createUser(service(), tenant.id, { email, password, name: 'Ada' })
    await service().ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
    return new Person(service(), tenant, user, email)
  }

  const sentCode = async (address: string) => (await latestMessageTo(service().deps, address)).code

  const step = (
    browser: Browser,
    name: 'prepareSecondFactor' | 'attemptSecondFactor',
    id: string,
    body: { strategy: SignInStrategy; code?: string; credential?: unknown },
  ) => browser.ok<SignInAnswer>(name, { params: { id }, body })

  /** Proves the address of an attempt, as the first step of setting up a factor. */
  async function proveMailbox({ browser, email }: Person, id: string) {
    await step(browser, 'prepareSecondFactor', id, { strategy: 'email_code' })
    return step(browser, 'attemptSecondFactor', id, { strategy: 'email_code', code: (await sentCode(email)) ?? '' })
  }

  /** Begins with the password, up to the choice of a factor. */
  async function chooser() {
    const person = await someone()
    const { signInAttempt } = await person.begin()
    await proveMailbox(person, signInAttempt.id)
    return { person, browser: person.browser, id: signInAttempt.id }
  }

  async function setUpApp(person: Person, browser: Browser, id: string) {
    const { authenticator } = await step(browser, 'prepareSecondFactor', id, { strategy: 'authenticator_code' })
    const secret = authenticator?.secret ?? ''
    const code = person.codeOf(secret)
    return { secret, answer: await step(browser, 'attemptSecondFactor', id, { strategy: 'authenticator_code', code }) }
  }

  // Guards: asvs-lost-factors
  it('gives no session for the password alone, and sends a code to the verified address first', async () => {
    const person = await someone()
    const { browser } = person
    const { signInAttempt, session } = await person.begin()
    assert.equal(session, undefined)
    assert.equal(signInAttempt.status, 'needs_enrolment')
    assert.deepEqual(signInAttempt.supportedSecondFactors, ['email_code'])
    await browser.refused('getProfile', 'unauthenticated')
    const params = { id: signInAttempt.id }
    for (const strategy of ['authenticator_code', 'security_key'] as const) {
      await browser.refused('prepareSecondFactor', 'strategy_unavailable', { params, body: { strategy } })
    }
    await step(browser, 'prepareSecondFactor', signInAttempt.id, { strategy: 'email_code' })
    const code = (await sentCode(person.email)) ?? ''
    const wrong = code === '111111' ? '222222' : '111111'
    const body = { strategy: 'email_code' as const, code: wrong }
    await browser.refused('attemptSecondFactor', 'factor_refused', { params, body })
    const proven = await step(browser, 'attemptSecondFactor', signInAttempt.id, { strategy: 'email_code', code })
    assert.deepEqual(proven.signInAttempt.supportedSecondFactors, ['authenticator_code', 'security_key'])
    assert.equal(proven.session, undefined)
    await browser.refused('getProfile', 'unauthenticated')
  })

  it('signs in with a new authenticator app, returns recovery codes, and asks for the app from then on', async () => {
    const { person, browser, id } = await chooser()
    const { answer } = await setUpApp(person, browser, id)
    assert.equal(answer.signInAttempt.status, 'complete')
    assert.equal(answer.session?.userId, person.user.id)
    assert.equal(answer.recoveryCodes?.length, 10)
    assert.deepEqual(answer.sessionUser?.secondFactors, ['authenticator_code'])
    await browser.ok('getProfile')

    const elsewhere = person.elsewhere()
    const { signInAttempt } = await person.begin(elsewhere)
    assert.equal(signInAttempt.status, 'needs_factor_two')
    const [code = ''] = answer.recoveryCodes ?? []
    const again = await step(elsewhere, 'attemptSecondFactor', signInAttempt.id, {
      strategy: 'authenticator_code',
      code,
    })
    assert.equal(again.signInAttempt.status, 'complete')
    assert.equal(again.recoveryCodes, undefined)
  })

  it('signs in with a new passkey, which then signs in alone', async () => {
    const { person, browser, id } = await chooser()
    const { publicKeyOptions } = await step(browser, 'prepareSecondFactor', id, { strategy: 'security_key' })
    const key = new SoftwareAuthenticator()
    const credential = key.create(publicKeyOptions as CreationOptions)
    const answer = await step(browser, 'attemptSecondFactor', id, { strategy: 'security_key', credential })
    assert.equal(answer.session?.userId, person.user.id)
    assert.equal(answer.recoveryCodes?.length, 10)
    const alone = await signInWithPasskey(person.elsewhere(), key)
    assert.equal(alone.status, 200)
  })

  it('asks for no code by mail after a first factor that proved the mailbox', async () => {
    const person = await someone()
    const { browser, email } = person
    const body = { identifier: email, strategy: 'email_code' as const }
    const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', { body })
    const proof = { strategy: 'email_code' as const, code: (await sentCode(email)) ?? '' }
    const params = { id: signInAttempt.id }
    const proven = await browser.ok<SignInAnswer>('attemptFirstFactor', { params, body: proof })
    assert.equal(proven.signInAttempt.status, 'needs_enrolment')
    assert.deepEqual(proven.signInAttempt.supportedSecondFactors, ['authenticator_code', 'security_key'])
  })

  it('refuses to set up another factor once the user has set up one elsewhere', async () => {
    const { person, browser, id } = await chooser()
    const { authenticator } = await step(browser, 'prepareSecondFactor', id, { strategy: 'authenticator_code' })
    const elsewhere = new Person(service(), tenant, person.user, person.email)
    const other = (await elsewhere.begin()).signInAttempt.id
    // The address counts its messages; another is sent once the time for the next one has come.
    await service().deps.db.transaction((tx) => tx.run(sql`DELETE FROM quotas`))
    await proveMailbox(elsewhere, other)
    const { publicKeyOptions } = await step(elsewhere.browser, 'prepareSecondFactor', other, {
      strategy: 'security_key',
    })
    const credential = new SoftwareAuthenticator().create(publicKeyOptions as CreationOptions)
    const answer = await step(elsewhere.browser, 'attemptSecondFactor', other, { strategy: 'security_key', credential })
    assert.equal(answer.signInAttempt.status, 'complete')
    const body = { strategy: 'authenticator_code' as const, code: person.codeOf(authenticator?.secret ?? '') }
    await browser.refused('attemptSecondFactor', 'attempt_not_open', { params: { id }, body })
  })

  it('refuses to go on after the password was changed', async () => {
    const { person, browser, id } = await chooser()
    const { authenticator } = await step(browser, 'prepareSecondFactor', id, { strategy: 'authenticator_code' })
    await service().ok('changeUserPassword', { params: { id: person.user.id }, body: { password: `${password} anew` } })
    const body = { strategy: 'authenticator_code' as const, code: person.codeOf(authenticator?.secret ?? '') }
    await browser.refused('attemptSecondFactor', 'attempt_not_open', { params: { id }, body })
  })

  it('refuses to remove the last second factor', async () => {
    const { person, browser, id } = await chooser()
    await setUpApp(person, browser, id)
    await browser.refused('deleteAuthenticatorCode', 'second_factor_required')
    const { passkey } = await person.addPasskey()
    await browser.ok('deleteAuthenticatorCode')
    await browser.refused('deletePasskey', 'second_factor_required', { params: { id: passkey.id } })
  })

  it('lets new users set up a factor right after they have signed up, and gives them no session before', async () => {
    const browser = new Browser(service(), tenant.publicKey)
    const email = `${unique()}@example.com`
    const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body: { email, password } })
    const params = { id: signUpAttempt.id }
    await browser.ok('prepareVerification', { params, body: { strategy: 'email_code' } })
    const verified = { strategy: 'email_code', code: await sentCode(email) }
    const answer = await browser.ok<SignUpAnswer>('attemptVerification', { params, body: verified })
    assert.equal(answer.signUpAttempt.status, 'complete')
    assert.equal(answer.session, undefined)
    assert.equal(answer.signInAttempt?.status, 'needs_enrolment')
    assert.deepEqual(answer.signInAttempt?.supportedSecondFactors, ['authenticator_code', 'security_key'])
    await browser.refused('getProfile', 'unauthenticated')
    const user = { id: answer.signInAttempt?.userId ?? '' } as Person['user']
    const done = await setUpApp(new Person(service(), tenant, user, email), browser, answer.signInAttempt?.id ?? '')
    assert.equal(done.answer.session?.userId, user.id)
  })

  it('lets users in without one until the time from which it is required', async () => {
    const { tenant: later } = await createTenant(service())
    await settings({ secondFactorRequired: true, secondFactorRequiredFrom: '2999-01-01T02:00:00+02:00' }, later.id)
    const stored = await service().ok<{ auth: TenantAuth }>('getAuthTenant', { params: { id: later.id } })
    assert.equal(stored.auth.secondFactorRequiredFrom, farAhead)
    const email = `${unique()}@example.com`
    const user = await createUser(service(), later.id, { email, password })
    await service().ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
    const person = new Person(service(), later, user, email)
    assert.equal((await person.begin()).signInAttempt.status, 'complete')
    await settings({ secondFactorRequiredFrom: '2020-01-01T00:00:00Z' }, later.id)
    assert.equal((await person.begin(person.elsewhere())).signInAttempt.status, 'needs_enrolment')
  })

  it('cannot be required where no second factor is offered, and the last one stays on', async () => {
    const { tenant: bare } = await createTenant(service())
    const off = { strategyAuthenticatorCodeEnabled: false, strategySecurityKeyEnabled: false }
    const refusal = (body: object) =>
      service().refused('putAuthTenant', 'validation_failed', { params: { id: bare.id }, body })
    await refusal({ ...off, secondFactorRequired: true })
    await settings({ secondFactorRequired: true }, bare.id)
    await refusal(off)
  })

  it('is explained for a user who has none, and previewed with the number of users who would have to set one up', async () => {
    const { tenant: home } = await createTenant(service())
    const email = `${unique()}@example.com`
    const user = await createUser(service(), home.id, { email, password })
    await service().ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
    const preview = (body: object) => service().ok<AuthPreview>('previewAuthTenant', { params: { id: home.id }, body })
    await new Person(service(), home, user, email).begin()
    const { usersToEnrol, sessionsWithoutFactor } = await preview({ secondFactorRequired: true })
    assert.deepEqual([usersToEnrol, sessionsWithoutFactor], [1, 1])
    const explain = () =>
      service().ok<SignInExplanation>('explainSignIn', { params: { id: home.id }, body: { identifier: email } })
    assert.deepEqual((await explain()).secondFactors, [])
    await settings({ secondFactorRequired: true }, home.id)
    const { canSignIn, secondFactors } = await explain()
    assert.equal(canSignIn, true)
    const reasons = ['the user must set up a second factor while signing in']
    const offer = { offered: true, usable: false, reasons }
    assert.deepEqual(secondFactors, [
      { strategy: 'authenticator_code', ...offer },
      { strategy: 'security_key', ...offer },
    ])
    await new Person(service(), home, user, email).begin()
    assert.equal((await preview({ secondFactorRequired: true })).usersToEnrol, 0, 'the rule is there already')
  })
})

describeService(
  'a tenant that requires a second factor and can send no message',
  (service) => {
    it('asks for no code that could not arrive', async () => {
      const { tenant } = await createTenant(service())
      const body = { secondFactorRequired: true, strategyEmailCodeEnabled: false, homeUri: 'http://localhost:3000' }
      await service().ok('putAuthTenant', { params: { id: tenant.id }, body })
      const email = `${unique()}@example.com`
      const user = await createUser(service(), tenant.id, { email, password })
      await service().ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
      const { signInAttempt } = await new Person(service(), tenant, user, email).begin()
      assert.equal(signInAttempt.status, 'needs_enrolment')
      assert.deepEqual(signInAttempt.supportedSecondFactors, ['authenticator_code', 'security_key'])
    })
  },
  { ...productionEnv, BAILIWICK_BASE_URL: 'https://id.test/api/v0' },
)
