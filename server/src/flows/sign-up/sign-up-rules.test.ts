// Signing up under combinations of settings: a new user has an identifier, and gives nothing that the tenant does not accept.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Profile, SignUpAnswer, SignUpAttempt } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { createOrganization, unique } from '../../../test/harness/factories.ts'
import { invitationTokenTo } from '../../../test/harness/messages.ts'
import { tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { describeService } from '../../../test/harness/service.ts'

const password = 'correct horse battery staple'
const nothingRequired = { emailRequired: false, emailVerificationRequired: false, passwordRequired: false }

describeService('signing up if the tenant requires nothing', (service) => {
  const browserWith = async (auth: object) =>
    new Browser(service(), (await tenantWith(service(), { ...nothingRequired, ...auth })).publicKey)
  const shown = ({ status, requiredFields, missingFields }: SignUpAttempt) => [status, requiredFields, missingFields]

  it('still requires an identifier of a kind that users sign in with', async () => {
    const usernames = { usernameSignInEnabled: true, strategyUsernamePasswordEnabled: true }
    const phones = { phoneSignInEnabled: true, strategyPhonePasswordEnabled: true }
    const cases = [
      [{}, 'email'],
      [{ ...phones, ...usernames, emailSignInEnabled: false }, 'phone'],
      [{ ...usernames, emailSignInEnabled: false }, 'username'],
    ] as const
    for (const [auth, field] of cases) {
      const browser = await browserWith(auth)
      for (const body of [{}, { name: 'Ada' }, { name: 'Ada', password }]) {
        const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body })
        assert.deepEqual(shown(signUpAttempt), ['missing_requirements', [field], [field]])
      }
    }
  })

  it('is complete with any such identifier', async () => {
    const browser = await browserWith({})
    const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body: { password } })
    const params = { id: signUpAttempt.id }
    const done = await browser.ok<SignUpAnswer>('updateSignUp', { params, body: { username: unique() } })
    assert.deepEqual([done.signUpAttempt.status, done.signUpAttempt.missingFields], ['complete', []])
  })
})

describeService('signing up', (service) => {
  it('accepts no password if passwords are off, then or meanwhile', async () => {
    const tenant = await tenantWith(service(), { ...nothingRequired, passwordsEnabled: false, nameRequired: true })
    const browser = new Browser(service(), tenant.publicKey)
    const email = `${unique()}@example.com`
    const answer = await browser.refused('createSignUp', 'validation_failed', { body: { email, password } })
    assert.deepEqual((answer.body as { issues: { path: string }[] }).issues[0]?.path, '/password')
    const params = { id: tenant.id }
    await service().ok('putAuthTenant', { params, body: { passwordsEnabled: true } })
    const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body: { email, password } })
    await service().ok('putAuthTenant', { params, body: { passwordsEnabled: false } })
    await browser.ok('updateSignUp', { params: { id: signUpAttempt.id }, body: { name: 'Ada' } })
    const { user } = await browser.ok<{ user: Profile }>('getProfile')
    assert.equal(user.hasPassword, false)
  })

  // Guards: declared-properties
  it('sets nothing that only the tenant may set', async () => {
    const tenant = await tenantWith(service(), nothingRequired)
    const browser = new Browser(service(), tenant.publicKey)
    const body = { email: `${unique()}@example.com`, publicMeta: { plan: 'enterprise' } }
    await browser.refused('createSignUp', 'validation_failed', { body })
  })

  // Guards: switched-off
  it('ends by an invitation if the tenant switches organizations off meanwhile', async () => {
    const tenant = await tenantWith(service(), { signUpEnabled: false })
    const { id: organizationId } = await createOrganization(service(), tenant.id)
    const email = `${unique()}@example.com`
    await service().ok('createOrganizationInvitation', { body: { organizationId, email } })
    const invitationToken = await invitationTokenTo(service().deps, email)
    const browser = new Browser(service(), tenant.publicKey)
    const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body: { invitationToken } })
    const auth = { params: { id: tenant.id }, body: { organizationsEnabled: false } }
    await service().ok('putAuthTenant', auth)
    const finish = { params: { id: signUpAttempt.id }, body: { password } }
    await browser.refused('updateSignUp', 'invitation_invalid', finish)
    await service().ok('putAuthTenant', { ...auth, body: { organizationsEnabled: true } })
    await browser.ok('updateSignUp', finish)
  })
})
