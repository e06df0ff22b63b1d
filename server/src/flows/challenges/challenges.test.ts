import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { SignUpAnswer } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { createOrganization, createUser, unique } from '../../../test/harness/factories.ts'
import { invitationTokenTo } from '../../../test/harness/messages.ts'
import { answered, puzzleFor, solve } from '../../../test/harness/people/puzzles.ts'
import { tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { type TestService, describeService, describeServiceWith } from '../../../test/harness/service.ts'
import { createClock } from '../../platform/clock.ts'

const password = 'correct horse battery staple'
const rules = {
  challengeOnSignUp: 'always',
  challengeOnSignIn: 'always',
  challengeOnPasswordReset: 'always',
  challengeDifficulty: 1000,
}
const newEmail = () => `${unique()}@example.com`

describeService('a tenant that always asks for a puzzle', (service) => {
  async function world() {
    const tenant = await tenantWith(service(), rules)
    return { tenant, browser: new Browser(service(), tenant.publicKey) }
  }

  it('takes a sign-up, a password and a reset only with an answer', async () => {
    const { browser, tenant } = await world()
    const email = newEmail()
    await createUser(service(), tenant.id, { email, password, emailVerified: true })
    const signIn = { identifier: email, strategy: 'email_password', password }
    const steps = [
      ['createSignUp', 'sign_up', { email: newEmail(), password }],
      ['createSignIn', 'sign_in', signIn],
      ['createPasswordReset', 'password_reset', { identifier: email }],
    ] as const
    for (const [id, purpose, body] of steps) {
      const { body: refusal } = await browser.refused(id, 'challenge_required', { body })
      assert.deepEqual((refusal as { challenge: object }).challenge, { purpose, provider: 'proof_of_work' })
      const other = await answered(browser, purpose === 'sign_up' ? 'sign_in' : 'sign_up')
      await browser.refused(id, 'challenge_required', { body, headers: other })
      const headers = await answered(browser, purpose)
      await browser.ok(id, { body, headers })
      await browser.refused(id, 'challenge_required', { body, headers })
    }
  })

  it('asks for it before a password that follows, whoever is meant, and not before a code', async () => {
    const { browser, tenant } = await world()
    const email = newEmail()
    await createUser(service(), tenant.id, { email, password, emailVerified: true })
    const { signInAttempt } = await browser.ok<{ signInAttempt: { id: string } }>('createSignIn', {
      body: { identifier: email },
    })
    const params = { id: signInAttempt.id }
    for (const identifier of [email, newEmail()]) {
      const body = { identifier, strategy: 'email_password', password }
      await browser.refused('attemptFirstFactor', 'challenge_required', { params, body })
    }
    await browser.ok('prepareFirstFactor', { params, body: { identifier: email, strategy: 'email_code' } })
  })

  it("accepts no answer to another tenant's puzzle", async () => {
    const { browser } = await world()
    const { browser: other } = await world()
    const body = { email: newEmail(), password }
    await browser.refused('createSignUp', 'challenge_required', { body, headers: await answered(other, 'sign_up') })
    await browser.ok('createSignUp', { body, headers: await answered(browser, 'sign_up') })
  })

  // Guards: puzzles
  it('accepts one of a hundred requests with the same answer', async () => {
    const { browser } = await world()
    const headers = await answered(browser, 'password_reset')
    const answers = await atOnce(100, () =>
      browser.call('createPasswordReset', { body: { identifier: newEmail() }, headers }),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  })

  it('asks nobody whom somebody has invited', async () => {
    const { browser, tenant } = await world()
    const { id: organizationId } = await createOrganization(service(), tenant.id)
    const email = newEmail()
    await service().ok('createOrganizationInvitation', { body: { organizationId, email } })
    const body = { invitationToken: await invitationTokenTo(service().deps, email), password }
    const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body })
    assert.equal(signUpAttempt.status, 'complete')
  })
})

const minute = 60_000
let isLaterBy = 0
const clock = createClock(() => Date.now() + isLaterBy)

describeServiceWith(
  'a tenant that asks suspicious addresses for a puzzle',
  () => ({ clock }),
  (service) => {
    it('asks an address that has often failed, with harder puzzles the more it tries, and no other one', async () => {
      const tenant = await tenantWith(service(), { challengeOnSignIn: 'suspicious', challengeDifficulty: 1000 })
      const from = (remoteAddress: string) => {
        const node: Pick<TestService, 'request'> = {
          request: (options) => service().request({ ...options, remoteAddress }),
        }
        return new Browser(node as TestService, tenant.publicKey)
      }
      const eve = from('2001:db8:7:1::1')
      const guess = (browser: Browser, headers = {}) =>
        browser.call('createSignIn', {
          body: { identifier: newEmail(), strategy: 'email_password', password },
          headers,
        })
      assert.equal(await puzzleFor(eve, 'sign_in'), null)
      for (let n = 0; n < 3; n++) assert.equal((await guess(eve)).body.code, 'factor_refused')
      assert.equal((await guess(eve)).body.code, 'challenge_required')
      const neighbour = from('2001:db8:7:ffff::2')
      assert.equal((await puzzleFor(neighbour, 'sign_in'))?.puzzle?.maxnumber, 1000, 'the same /48')
      assert.equal(await puzzleFor(from('2001:db8:8::1'), 'sign_in'), null)
      for (let n = 0; n < 10; n++) await guess(eve, await answered(eve, 'sign_in'))
      const harder = await puzzleFor(eve, 'sign_in')
      assert.equal(harder?.puzzle?.maxnumber, 2000)
      isLaterBy += 11 * minute
      assert.equal(
        (await guess(eve, { 'x-challenge': solve(harder) })).body.code,
        'challenge_required',
        'it has expired',
      )
      isLaterBy += 60 * minute
      assert.equal(await puzzleFor(eve, 'sign_in'), null, 'after an hour')
    })

    it('counts every sign-up', async () => {
      const tenant = await tenantWith(service(), { challengeOnSignUp: 'suspicious', challengeDifficulty: 1000 })
      const browser = new Browser(service(), tenant.publicKey)
      const body = () => ({ email: newEmail(), password })
      for (let n = 0; n < 3; n++) await browser.ok('createSignUp', { body: body() })
      await browser.refused('createSignUp', 'challenge_required', { body: body() })
      for (let n = 0; n < 10; n++)
        await browser.ok('createSignUp', { body: body(), headers: await answered(browser, 'sign_up') })
      assert.equal((await puzzleFor(browser, 'sign_up'))?.puzzle?.maxnumber, 2000)
    })

    it('asks nobody for anything while it is off', async () => {
      const tenant = await tenantWith(service())
      const browser = new Browser(service(), tenant.publicKey)
      for (let n = 0; n < 4; n++) await browser.ok('createSignUp', { body: { email: newEmail(), password } })
      assert.equal(await puzzleFor(browser, 'sign_up'), null)
    })
  },
)
