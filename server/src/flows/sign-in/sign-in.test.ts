import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { SignInAnswer } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { Browser, profileIn } from '../../../test/harness/browser/frontend.ts'
import { createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { latestMessageTo } from '../../../test/harness/messages.ts'
import { signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { describeService } from '../../../test/harness/service.ts'
import { untilWaitedFor } from '../../../test/harness/waited-for.ts'
import { describeOnTwoNodes } from '../../../test/nodes/two-nodes.ts'
import { setPassword } from '../../identity/passwords/passwords.ts'
import { lockUser } from '../../identity/users/find-user.ts'
import { hashPassword } from '../../platform/crypto/password.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'

const password = 'correct horse battery staple'
const other = 'not the right one at all'

describeService('signing in', (service) => {
  async function someone(auth: object = {}) {
    const { tenant } = await createTenant(service())
    if (Object.keys(auth).length > 0) await service().ok('putAuthTenant', { params: { id: tenant.id }, body: auth })
    const email = `${unique()}@example.com`
    const user = await createUser(service(), tenant.id, { email, password })
    await service().ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
    return { tenant, email, user, browser: new Browser(service(), tenant.publicKey) }
  }

  describe('with a password', () => {
    it('returns a session in a cookie, the user and a token, in one call', async () => {
      const { email, user, browser } = await someone()
      const data = await browser.ok<SignInAnswer>('createSignIn', {
        body: { identifier: email, strategy: 'email_password', password },
      })
      assert.equal(data.signInAttempt.status, 'complete')
      assert.equal(data.session?.userId, user.id)
      assert.equal(data.sessionUser?.emails[0]?.email, email)
      assert.equal(data.sessionToken, undefined)
      const { user: profile } = await browser.ok<{ user: SignInAnswer['sessionUser'] }>('getProfile')
      assert.deepEqual(profileIn(data.sessionUser), profile)
    })

    it('ends the previous session of the same browser and user, and no other', async () => {
      const { email, browser, tenant } = await someone()
      const body = { identifier: email, strategy: 'email_password', password }
      const elsewhere = new Browser(service(), tenant.publicKey)
      await elsewhere.ok('createSignIn', { body })
      const first = await browser.ok<SignInAnswer>('createSignIn', { body })
      const old = new Browser(service(), tenant.publicKey)
      for (const [name, value] of browser.cookies) old.cookies.set(name, value)
      const second = await browser.ok<SignInAnswer>('createSignIn', { body })
      assert.notEqual(second.session?.id, first.session?.id)
      await old.refused('getProfile', 'unauthenticated')
      await elsewhere.ok('getProfile')
      const { sessions } = await browser.ok<{ sessions: unknown[] }>('listOwnSessions')
      assert.equal(sessions.length, 2)
    })

    it('keeps the session of a cookie if its tokens are returned in the body, and replaces one that came as a Bearer', async () => {
      const { email, browser, tenant } = await someone()
      const body = { identifier: email, strategy: 'email_password', password }
      await browser.ok('createSignIn', { body })
      const inBody = { 'x-session-transport': 'body' }
      const { sessionToken, session } = await browser.ok<SignInAnswer>('createSignIn', { body, headers: inBody })
      assert.notEqual(sessionToken, undefined)
      await browser.ok('getProfile')
      const app = new Browser(service(), tenant.publicKey, { authorization: `Bearer ${sessionToken}` })
      await app.ok('getProfile')
      const oldCredential = app.headers['authorization']
      const again = await app.ok<SignInAnswer>('createSignIn', { body })
      assert.notEqual(again.session?.id, session?.id)
      const old = new Browser(service(), tenant.publicKey, { authorization: oldCredential ?? '' })
      await old.refused('getProfile', 'unauthenticated')
      await app.ok('getProfile')
      await browser.ok('getProfile')
    })

    it('returns the tokens in the body to callers that ask for that', async () => {
      const { email, user, tenant } = await someone()
      const app = new Browser(service(), tenant.publicKey, { 'x-session-transport': 'body' })
      const { sessionToken } = await app.ok<SignInAnswer>('createSignIn', {
        body: { identifier: email, strategy: 'email_password', password },
      })
      assert.equal(app.cookies.size, 0)
      const headers = { authorization: `Bearer ${sessionToken}` }
      const { user: profile } = await app.ok<{ user: { id: string } }>('getProfile', { headers })
      assert.equal(profile.id, user.id)
      await app.refused('getProfile', 'unauthenticated')
    })

    // Guards: unknown-users
    it('gives a wrong password and an unknown address the same answer', async () => {
      const { email, browser } = await someone()
      const bodies: string[] = []
      for (const identifier of [email, `${unique()}@example.com`]) {
        const answer = await browser.refused('createSignIn', 'factor_refused', {
          body: { identifier, strategy: 'email_password', password: other },
        })
        bodies.push(answer.text.replace(/"requestId":"[^"]+"/, ''))
      }
      assert.equal(bodies[0], bodies[1])
    })

    it('refuses a suspended user like a wrong password', async () => {
      const { email, user, browser } = await someone()
      await service().ok('suspendUser', { params: { id: user.id } })
      await browser.refused('createSignIn', 'factor_refused', {
        body: { identifier: email, strategy: 'email_password', password },
      })
    })

    it('requires another password if an administrator has set it', async () => {
      const { email, user, browser } = await someone()
      await service().ok('changeUserPassword', { params: { id: user.id }, body: { password: 'set by the helpdesk' } })
      const body = { identifier: email, strategy: 'email_password', password: 'set by the helpdesk' }
      await browser.refused('createSignIn', 'password_change_required', { body })
      const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', { body: { identifier: email } })
      const step = { params: { id: signInAttempt.id }, body: { strategy: 'email_password', password: body.password } }
      await browser.ok('attemptFirstFactor', { ...step, body: { ...step.body, newPassword: other } })
      await browser.refused('createSignIn', 'factor_refused', { body })
      await browser.ok('createSignIn', { body: { ...body, password: other } })
    })
  })

  it('refuses a password that is replaced while it is checked', async () => {
    const { tenant, email, user, browser } = await someone()
    const { db, clock } = service().deps
    const [tenantId, userId] = [tenant.id as TenantId, user.id as UserId]
    const hash = await hashPassword(other)
    // An attempt is written beside its user; only one that has begun gets as far as the password.
    const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', { body: { identifier: email } })
    const begun = Promise.withResolvers<void>()
    const replaced = db.transaction(async (tx) => {
      await lockUser(tx, tenantId, userId)
      await tx.run(setPassword(tenantId, userId, { hash, at: clock.now() }))
      begun.resolve()
      // On PostgreSQL the password is right until this ends, and then it is not.
      await untilWaitedFor(tx)
    })
    await begun.promise
    const step = { params: { id: signInAttempt.id }, body: { strategy: 'email_password', password } }
    await Promise.all([replaced, browser.refused('attemptFirstFactor', 'factor_refused', step)])
    await browser.ok('attemptFirstFactor', { ...step, body: { ...step.body, password: other } })
  })

  describe('with a code', () => {
    it('sends it to the address, and accepts it once', async () => {
      const { email, browser, user } = await someone()
      const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', {
        body: { identifier: email, strategy: 'email_code' },
      })
      assert.equal(signInAttempt.userId, null, 'it does not reveal whether somebody has the address')
      const { code } = await latestMessageTo(service().deps, email)
      const step = { params: { id: signInAttempt.id }, body: { strategy: 'email_code', code } }
      const answers = await atOnce(20, () => browser.call('attemptFirstFactor', step))
      assert.equal(answers.filter(({ status }) => status === 200).length, 1)
      const { user: profile } = await browser.ok<{ user: { id: string } }>('getProfile')
      assert.equal(profile.id, user.id)
    })

    // Guards: orders-of-steps
    it('accepts it only from the browser that began', async () => {
      const { email, browser, tenant } = await someone()
      const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', {
        body: { identifier: email, strategy: 'email_code' },
      })
      const { code } = await latestMessageTo(service().deps, email)
      const thief = new Browser(service(), tenant.publicKey)
      const step = { params: { id: signInAttempt.id }, body: { strategy: 'email_code', code } }
      await thief.refused('attemptFirstFactor', 'not_found', step)
      await thief.refused('getSignIn', 'not_found', { params: step.params })
      await browser.ok('attemptFirstFactor', step)
    })

    it('accepts five tries, and after five wrong ones not even the right code', async () => {
      const { email, browser } = await someone()
      const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', {
        body: { identifier: email, strategy: 'email_code' },
      })
      const { code } = await latestMessageTo(service().deps, email)
      const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
      const step = (given: string | null) => ({
        params: { id: signInAttempt.id },
        body: { strategy: 'email_code', code: given },
      })
      for (let times = 0; times < 5; times++) await browser.refused('attemptFirstFactor', 'factor_refused', step(wrong))
      await browser.refused('attemptFirstFactor', 'too_many_attempts', step(code))
    })
  })

  it('refuses pages that do not belong to the tenant', async () => {
    const { email, tenant } = await someone()
    for (const origin of ['https://evil.example', 'null', 'http://localhost.evil.example']) {
      const page = new Browser(service(), tenant.publicKey, { origin })
      await page.refused('createSignIn', 'origin_refused', { body: { identifier: email } })
    }
  })

  it('refuses a session of another tenant', async () => {
    const one = await someone()
    const two = await someone()
    const app = new Browser(service(), one.tenant.publicKey, { 'x-session-transport': 'body' })
    const { sessionToken } = await app.ok<SignInAnswer>('createSignIn', {
      body: { identifier: one.email, strategy: 'email_password', password },
    })
    const elsewhere = new Browser(service(), two.tenant.publicKey, { authorization: `Bearer ${sessionToken}` })
    await elsewhere.refused('getProfile', 'unauthenticated')
  })
})

describeOnTwoNodes('signing in while no time passes', (nodes) => {
  // No time passes, however slow the machine is: otherwise the waits for further guesses would be over.
  before(() => nodes().stopClocks())

  it('works on a known device during guesses from others', async () => {
    const { one } = nodes()
    const tenant = await tenantWith(one)
    const { email } = await signedInUser(one, tenant, { password })
    const [browser, attacker] = [new Browser(one, tenant.publicKey), new Browser(one, tenant.publicKey)]
    const body = { identifier: email, strategy: 'email_password', password }
    await browser.ok('createSignIn', { body })
    for (let times = 0; times < 8; times++) {
      await attacker.call('createSignIn', { body: { ...body, password: other } })
    }
    await attacker.refused('createSignIn', 'too_many_attempts', { body })
    await browser.ok('createSignIn', { body })
  })

  // Guards: counted-guesses
  it('allows no more than five guesses at once, whoever they are at', async () => {
    const { one } = nodes()
    const tenant = await tenantWith(one)
    const { email } = await signedInUser(one, tenant, { password })
    for (const identifier of [email, `${unique()}@example.com`]) {
      const body = { identifier, strategy: 'email_password', password: other }
      const answers = await atOnce(40, () => new Browser(one, tenant.publicKey).call('createSignIn', { body }))
      const codes = answers.map((answer) => answer.body.code ?? '')
      const judged = codes.filter((code) => code === 'factor_refused').length
      // A guess that was counted by a request which then gave up is not judged.
      assert.ok(judged > 0 && judged <= 5, `${judged} guesses were judged`)
      assert.equal(codes.filter((code) => code === 'too_many_attempts').length, 40 - judged)
    }
  })
})
