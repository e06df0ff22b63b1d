// A code by e-mail or text message as the second factor that a tenant requires, never by the channel of the first one.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { AuthPreview, SignInAnswer, SignInExplanation } from '@bailiwick/contract'
import { createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { latestMessageTo } from '../../../test/harness/messages.ts'
import { Person, password } from '../../../test/harness/people/people.ts'
import { describeService } from '../../../test/harness/service.ts'

describeService('a code as second factor', (service) => {
  async function someone(auth: object = {}) {
    const { tenant } = await createTenant(service())
    const body = { secondFactorRequired: true, strategySecondEmailCodeEnabled: true, ...auth }
    await service().ok('putAuthTenant', { params: { id: tenant.id }, body })
    const email = `${unique()}@example.com`
    const user = await createUser(service(), tenant.id, { email, password })
    await service().ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
    return new Person(service(), tenant, user, email)
  }
  const sentCode = async (address: string) => (await latestMessageTo(service().deps, address)).code ?? ''
  const offers = ({ signInAttempt }: SignInAnswer) => [signInAttempt.status, signInAttempt.supportedSecondFactors]

  it('signs in with a password and a code by e-mail, which is accepted once and counts as two factors', async () => {
    const person = await someone()
    const { browser, email } = person
    const begun = await person.begin()
    assert.deepEqual(offers(begun), ['needs_factor_two', ['email_code']])
    const params = { id: begun.signInAttempt.id }
    await browser.ok('prepareSecondFactor', { params, body: { strategy: 'email_code' } })
    const code = await sentCode(email)
    const wrong = code === '111111' ? '222222' : '111111'
    await browser.refused('attemptSecondFactor', 'factor_refused', { params, body: { code: wrong } })
    await browser.refused('getProfile', 'unauthenticated')
    const { sessionUser } = await browser.ok<SignInAnswer>('attemptSecondFactor', { params, body: { code } })
    assert.deepEqual([sessionUser?.acr, sessionUser?.amr], ['urn:bailiwick:2fa', ['pwd', 'otp', 'mfa']])
    await browser.refused('attemptSecondFactor', 'attempt_not_open', { params, body: { code } })
  })

  // Guards: second-factors, asvs-resets, asvs-phones
  it('does not count after a code by e-mail, nor after a password that was reset by e-mail', async () => {
    const person = await someone()
    const { browser, email } = person
    const byCode = { identifier: email, strategy: 'email_code' as const }
    const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', { body: byCode })
    const step = { params: { id: signInAttempt.id }, body: { strategy: 'email_code', code: await sentCode(email) } }
    const first = await browser.ok<SignInAnswer>('attemptFirstFactor', step)
    assert.deepEqual(offers(first), ['needs_enrolment', ['authenticator_code', 'security_key']])

    const reset = await browser.ok<{ passwordReset: { id: string } }>('createPasswordReset', {
      body: { identifier: email },
    })
    const chosen = { code: await sentCode(email), password: `${password} anew` }
    await browser.ok('attemptPasswordReset', { params: { id: reset.passwordReset.id }, body: chosen })
    const again = { identifier: email, strategy: 'email_password', password: `${password} anew` }
    const { signInAttempt: later } = await browser.ok<SignInAnswer>('createSignIn', { body: again })
    assert.equal(later.status, 'needs_enrolment')
  })

  // Guards: asvs-phones
  it('is not offered in place of an app or a passkey, nor where the tenant does not allow it or requires nothing', async () => {
    const withApp = await someone({ secondFactorRequired: false })
    assert.equal((await withApp.begin()).signInAttempt.status, 'complete')
    await withApp.addApp()
    const params = { id: withApp.tenantId }
    await service().ok('putAuthTenant', { params, body: { secondFactorRequired: true } })
    assert.deepEqual(offers(await withApp.begin(withApp.elsewhere())), ['needs_factor_two', ['authenticator_code']])
    const other = await someone({ strategySecondEmailCodeEnabled: false })
    assert.equal((await other.begin()).signInAttempt.status, 'needs_enrolment')
  })

  it('is refused once the tenant allows it no more', async () => {
    const person = await someone()
    const { signInAttempt } = await person.begin()
    const params = { id: signInAttempt.id }
    await person.browser.ok('prepareSecondFactor', { params, body: { strategy: 'email_code' } })
    const code = await sentCode(person.email)
    const off = { strategySecondEmailCodeEnabled: false }
    await service().ok('putAuthTenant', { params: { id: person.tenantId }, body: off })
    const body = { strategy: 'email_code', code }
    await person.browser.refused('attemptSecondFactor', 'strategy_unavailable', { params, body })
  })

  it('is explained, and its users need not set up a factor', async () => {
    const person = await someone({ secondFactorRequired: false })
    const params = { id: person.tenantId }
    const body = { secondFactorRequired: true }
    assert.equal((await service().ok<AuthPreview>('previewAuthTenant', { params, body })).usersToEnrol, 0)
    await service().ok('putAuthTenant', { params, body })
    const call = { params, body: { identifier: person.email } }
    const { secondFactors } = await service().ok<SignInExplanation>('explainSignIn', call)
    assert.deepEqual(
      secondFactors.map(({ strategy, usable }) => [strategy, usable]),
      [['email_code', true]],
    )
  })
})
