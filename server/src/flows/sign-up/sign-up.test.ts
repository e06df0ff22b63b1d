import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { SignUpAnswer, User } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { latestMessageTo } from '../../../test/harness/messages.ts'
import { describeService } from '../../../test/harness/service.ts'

const password = 'correct horse battery staple'

describeService('signing up', (service) => {
  async function someTenant(auth: object = {}) {
    const { tenant } = await createTenant(service())
    if (Object.keys(auth).length > 0) await service().ok('putAuthTenant', { params: { id: tenant.id }, body: auth })
    return { tenant, browser: new Browser(service(), tenant.publicKey) }
  }
  const newEmail = () => `${unique()}@example.com`
  const usersOf = async (tenantId: string) =>
    (await service().ok<{ data: User[] }>('listUsers', { query: { tenantId } })).data
  const codeFor = async (email: string) => (await latestMessageTo(service().deps, email)).code ?? ''

  it('creates the user once the address is verified, and signs in', async () => {
    const { tenant, browser } = await someTenant()
    const email = newEmail()
    const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body: { email, password } })
    assert.equal(signUpAttempt.status, 'needs_verification')
    assert.deepEqual(signUpAttempt.missingVerifications, ['email'])
    assert.deepEqual(await usersOf(tenant.id), [])
    const params = { id: signUpAttempt.id }
    await browser.ok('prepareVerification', { params, body: { strategy: 'email_code' } })
    const done = await browser.ok<SignUpAnswer>('attemptVerification', {
      params,
      body: { strategy: 'email_code', code: await codeFor(email) },
    })
    assert.equal(done.signUpAttempt.status, 'complete')
    assert.equal(done.sessionUser?.emails[0]?.verifiedAt !== null, true)
    const [user] = await usersOf(tenant.id)
    assert.equal(user?.id, done.session?.userId)
    const { user: profile } = await browser.ok<{ user: { id: string; hasPassword: boolean } }>('getProfile')
    assert.deepEqual([profile.id, profile.hasPassword], [user?.id, true])
    const again = new Browser(service(), tenant.publicKey)
    await again.ok('createSignIn', { body: { identifier: email, strategy: 'email_password', password } })
  })

  it('accepts fields one by one until nothing is missing', async () => {
    const { browser, tenant } = await someTenant({ nameRequired: true, usernameRequired: true })
    const email = newEmail()
    const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body: { email } })
    assert.equal(signUpAttempt.status, 'missing_requirements')
    assert.deepEqual(signUpAttempt.missingFields.toSorted(), ['name', 'password', 'username'])
    const params = { id: signUpAttempt.id }
    await browser.ok('prepareVerification', { params, body: { strategy: 'email_code' } })
    const code = await codeFor(email)
    const verified = await browser.ok<SignUpAnswer>('attemptVerification', {
      params,
      body: { strategy: 'email_code', code },
    })
    assert.equal(verified.signUpAttempt.status, 'missing_requirements')
    await browser.ok('updateSignUp', { params, body: { name: 'Ada', password } })
    assert.deepEqual(await usersOf(tenant.id), [])
    const done = await browser.ok<SignUpAnswer>('updateSignUp', { params, body: { username: unique() } })
    assert.equal(done.signUpAttempt.status, 'complete')
    assert.equal(done.sessionUser?.name, 'Ada')
    await browser.refused('updateSignUp', 'attempt_not_open', { params, body: { name: 'Eve' } })
  })

  it('requires the verification of a changed address', async () => {
    const { browser } = await someTenant({ nameRequired: true })
    const email = newEmail()
    const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body: { email, password } })
    const params = { id: signUpAttempt.id }
    await browser.ok('prepareVerification', { params, body: { strategy: 'email_code' } })
    await browser.ok('attemptVerification', { params, body: { strategy: 'email_code', code: await codeFor(email) } })
    const changed = await browser.ok<SignUpAnswer>('updateSignUp', { params, body: { email: newEmail(), name: 'Ada' } })
    assert.deepEqual(changed.signUpAttempt.missingVerifications, ['email'])
  })

  it('reveals only to its owner that an address is taken', async () => {
    const { browser, tenant } = await someTenant()
    const taken = newEmail()
    await createUser(service(), tenant.id, { email: taken })
    const free = newEmail()
    const shapes: string[] = []
    for (const email of [taken, free]) {
      const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body: { email, password } })
      const params = { id: signUpAttempt.id }
      const prepared = await browser.ok<SignUpAnswer>('prepareVerification', {
        params,
        body: { strategy: 'email_code' },
      })
      shapes.push(
        JSON.stringify({
          ...prepared.signUpAttempt,
          id: '',
          identifier: '',
          expiresAt: '',
          createdAt: '',
          updatedAt: '',
        }),
      )
      await browser.refused('attemptVerification', 'factor_refused', {
        params,
        body: { strategy: 'email_code', code: '000000' },
      })
    }
    assert.equal(shapes[0], shapes[1])
    assert.equal((await latestMessageTo(service().deps, taken)).code, null)
    assert.match((await latestMessageTo(service().deps, taken)).text, /already have an account/)
    assert.ok((await latestMessageTo(service().deps, free)).code)
  })

  it('creates one user with one code, however often it is sent at once', async () => {
    const { browser, tenant } = await someTenant()
    const email = newEmail()
    const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body: { email, password } })
    const params = { id: signUpAttempt.id }
    await browser.ok('prepareVerification', { params, body: { strategy: 'email_code' } })
    const step = { params, body: { strategy: 'email_code', code: await codeFor(email) } }
    const answers = await atOnce(30, () => browser.call('attemptVerification', step))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal((await usersOf(tenant.id)).length, 1)
  })

  // Guards: switched-off
  it('is refused once the tenant switches it off, even in the middle', async () => {
    const { browser, tenant } = await someTenant()
    const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body: { email: newEmail() } })
    await service().ok('putAuthTenant', { params: { id: tenant.id }, body: { signUpEnabled: false } })
    await browser.refused('createSignUp', 'sign_up_disabled', { body: { email: newEmail() } })
    const params = { id: signUpAttempt.id }
    await browser.refused('updateSignUp', 'sign_up_disabled', { params, body: { password } })
    await browser.refused('prepareVerification', 'sign_up_disabled', { params, body: { strategy: 'email_code' } })
  })

  // Guards: linking-by-address
  it('removes a password that was set before the address was verified, once its owner verifies it', async () => {
    const { browser, tenant } = await someTenant({ emailVerificationRequired: false })
    const email = newEmail()
    const made = await browser.ok<SignUpAnswer>('createSignUp', { body: { email, password } })
    assert.equal(made.signUpAttempt.status, 'complete')
    const owner = new Browser(service(), tenant.publicKey)
    const { signInAttempt } = await owner.ok<{ signInAttempt: { id: string } }>('createSignIn', {
      body: { identifier: email, strategy: 'email_code' },
    })
    await owner.ok('attemptFirstFactor', {
      params: { id: signInAttempt.id },
      body: { strategy: 'email_code', code: await codeFor(email) },
    })
    await browser.refused('getProfile', 'unauthenticated')
    await browser.refused('createSignIn', 'factor_refused', {
      body: { identifier: email, strategy: 'email_password', password },
    })
  })
})

describeService('resetting a password', (service) => {
  async function someone() {
    const { tenant } = await createTenant(service())
    const email = `${unique()}@example.com`
    const user = await createUser(service(), tenant.id, { email, password })
    await service().ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
    return { tenant, email, user, browser: new Browser(service(), tenant.publicKey) }
  }
  type Reset = { passwordReset: { id: string; status: string } }
  const replacement = 'another horse battery staple'

  it('replaces it once, ends every session and does not sign the user in', async () => {
    const { browser, email, tenant } = await someone()
    await browser.ok('createSignIn', { body: { identifier: email, strategy: 'email_password', password } })
    const { passwordReset } = await browser.ok<Reset>('createPasswordReset', { body: { identifier: email } })
    const { code } = await latestMessageTo(service().deps, email)
    const step = { params: { id: passwordReset.id }, body: { code, password: replacement } }
    // Guesses that arrive too late count against this account, but not against the known device.
    const another = new Browser(service(), tenant.publicKey)
    const answers = await atOnce(10, () => another.call('attemptPasswordReset', step))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    await browser.refused('getProfile', 'unauthenticated')
    await browser.refused('createSignIn', 'factor_refused', {
      body: { identifier: email, strategy: 'email_password', password },
    })
    await browser.ok('createSignIn', { body: { identifier: email, strategy: 'email_password', password: replacement } })
  })

  it('gives the same answer for an unknown address as for one that a user has', async () => {
    const { browser, email } = await someone()
    for (const identifier of [email, `${unique()}@example.com`]) {
      const { passwordReset } = await browser.ok<Reset>('createPasswordReset', { body: { identifier } })
      assert.equal(passwordReset.status, 'needs_code')
      await browser.refused('attemptPasswordReset', 'factor_refused', {
        params: { id: passwordReset.id },
        body: { code: '000000', password: replacement },
      })
    }
  })

  it('accepts only the code of its own tenant and reset', async () => {
    const one = await someone()
    const two = await someone()
    const { passwordReset } = await one.browser.ok<Reset>('createPasswordReset', { body: { identifier: one.email } })
    const { code } = await latestMessageTo(service().deps, one.email)
    const body = { code, password: replacement }
    await two.browser.refused('attemptPasswordReset', 'attempt_not_open', { params: { id: passwordReset.id }, body })
    const other = await one.browser.ok<Reset>('createPasswordReset', { body: { identifier: one.email } })
    await one.browser.refused('attemptPasswordReset', 'factor_refused', {
      params: { id: other.passwordReset.id },
      body,
    })
  })
})
