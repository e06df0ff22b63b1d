import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { SignInAnswer } from '@bailiwick/contract'
import { latestMessageTo } from '../../../test/harness/messages.ts'
import { type Person, password, signedInPerson } from '../../../test/harness/people/people.ts'
import { describeService } from '../../../test/harness/service.ts'

const another = 'staple of another colour'

/** Each replaces the password, whoever does it. */
const changes: Readonly<Record<string, (person: Person) => Promise<unknown>>> = {
  'by the user': ({ browser }) =>
    browser.ok('updateOwnPassword', { body: { oldPassword: password, password: another } }),
  'by a reset': async ({ browser, email, service }) => {
    const { passwordReset } = await browser.ok<{ passwordReset: { id: string } }>('createPasswordReset', {
      body: { identifier: email },
    })
    const { code } = await latestMessageTo(service.deps, email)
    await browser.ok('attemptPasswordReset', { params: { id: passwordReset.id }, body: { code, password: another } })
  },
  'by the tenant': ({ service, user }) =>
    service.ok('changeUserPassword', { params: { id: user.id }, body: { password: another } }),
}

describeService('a sign-in between its two factors', (service) => {
  async function halfWay() {
    const person = await signedInPerson(service())
    const { recoveryCodes } = await person.addApp()
    const browser = person.elsewhere()
    const { signInAttempt } = await person.begin(browser)
    assert.equal(signInAttempt.status, 'needs_factor_two')
    const params = { id: signInAttempt.id }
    const step = { params, body: { strategy: 'authenticator_code', code: recoveryCodes[0] } }
    return { person, browser, step }
  }

  for (const [who, change] of Object.entries(changes)) {
    // Guards: reset-codes
    it(`goes no further if its password is replaced ${who}`, async () => {
      const { person, browser, step } = await halfWay()
      await change(person)
      await browser.refused('attemptSecondFactor', 'attempt_not_open', step)
      await browser.refused('getProfile', 'unauthenticated')
    })
  }

  it('continues with a password that it had to replace itself', async () => {
    const { person, browser, step } = await halfWay()
    await service().ok('changeUserPassword', { params: { id: person.user.id }, body: { password: another } })
    const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', { body: { identifier: person.email } })
    const params = { id: signInAttempt.id }
    await browser.ok('attemptFirstFactor', {
      params,
      body: { strategy: 'email_password', password: another, newPassword: password },
    })
    const done = await browser.ok<SignInAnswer>('attemptSecondFactor', { ...step, params })
    assert.equal(done.signInAttempt.status, 'complete')
  })

  it('continues if it began with a code, whatever happens to the password', async () => {
    const { person, browser, step } = await halfWay()
    const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', {
      body: { identifier: person.email, strategy: 'email_code' },
    })
    const params = { id: signInAttempt.id }
    const { code } = await latestMessageTo(service().deps, person.email)
    await browser.ok('attemptFirstFactor', { params, body: { strategy: 'email_code', code } })
    await service().ok('changeUserPassword', { params: { id: person.user.id }, body: { password: another } })
    const done = await browser.ok<SignInAnswer>('attemptSecondFactor', { ...step, params })
    assert.equal(done.signInAttempt.status, 'complete')
  })
})
