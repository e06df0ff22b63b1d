import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { SignInAttemptRecord } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { describeService } from '../../../test/harness/service.ts'

const password = 'correct horse battery staple'
const wrong = 'staple of another colour'

describeService('a refused sign-in', (service) => {
  async function someone({ isVerified = true }: { readonly isVerified?: boolean } = {}) {
    const { tenant } = await createTenant(service())
    const email = `${unique()}@example.com`
    const user = await createUser(service(), tenant.id, { email, password })
    if (isVerified) await service().ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
    const browser = new Browser(service(), tenant.publicKey)
    const tryPassword = (typed: string, identifier = email) =>
      browser.call('createSignIn', { body: { identifier, strategy: 'email_password', password: typed } })
    const list = (query: Readonly<Record<string, string>> = {}) =>
      service().ok<{ data: SignInAttemptRecord[] }>('listSignInAttempts', { query: { tenantId: tenant.id, ...query } })
    return { tenant, email, user, browser, tryPassword, list }
  }

  const cases = {
    wrong_proof: async () => {
      const { tryPassword, list } = await someone()
      return { answer: await tryPassword(wrong), list }
    },
    unknown_user: async () => {
      const { tryPassword, list } = await someone()
      return { answer: await tryPassword(wrong, `${unique()}@example.com`), list }
    },
    user_not_active: async () => {
      const { user, tryPassword, list } = await someone()
      await service().ok('suspendUser', { params: { id: user.id } })
      return { answer: await tryPassword(password), list }
    },
    email_unverified: async () => {
      const { tryPassword, list } = await someone({ isVerified: false })
      return { answer: await tryPassword(password), list }
    },
    locked: async () => {
      const { tryPassword, list } = await someone()
      for (let tries = 0; tries < 5; tries++) await tryPassword(wrong)
      return { answer: await tryPassword(password), list }
    },
  }

  for (const [reason, refuse] of Object.entries(cases)) {
    it(`is kept with its reason, which only the tenant sees: ${reason}`, async () => {
      const { answer, list } = await refuse()
      assert.ok(answer.status >= 400)
      assert.ok(!/failure|unknown_user/.test(JSON.stringify(answer.body)))
      const { data } = await list({ failure: reason })
      assert.equal(data.length, 1)
      const [{ failure, status } = assert.fail()] = data
      assert.equal(status, 'needs_factor_one')
      assert.equal(failure?.reason, reason)
      assert.equal(failure?.strategy, 'email_password')
      assert.equal(failure?.count, 1)
      assert.equal(failure?.ip, '127.0.0.1')
    })
  }

  it('is counted within its attempt, whose answers to the person do not contain it', async () => {
    const { email, user, browser, list } = await someone()
    const { signInAttempt } = await browser.ok<{ signInAttempt: { id: string } }>('createSignIn', {
      body: { identifier: email },
    })
    const { id } = signInAttempt
    const attempt = (typed: string) =>
      browser.call('attemptFirstFactor', { params: { id }, body: { strategy: 'email_password', password: typed } })
    await attempt(wrong)
    await attempt(wrong)
    assert.ok(!JSON.stringify(await browser.ok('getSignIn', { params: { id } })).includes('failure'))
    const [open] = (await list({ userId: user.id })).data
    assert.deepEqual([open?.failure?.count, open?.failure?.reason, open?.user?.id], [2, 'wrong_proof', user.id])
    await attempt(password)
    const [done] = (await list({ userId: user.id })).data
    assert.deepEqual([done?.status, done?.failure?.count], ['complete', 2])
  })
})
