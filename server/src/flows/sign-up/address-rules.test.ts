import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { SignUpAnswer } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { createOrganization, createUser, unique } from '../../../test/harness/factories.ts'
import { invitationTokenTo, latestMessageTo } from '../../../test/harness/messages.ts'
import { FakeIdentityProvider } from '../../../test/harness/outside/fake-identity-provider.ts'
import { tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { createSocialWorld, errorOf, person, signInAs, whoIs } from '../../../test/harness/people/social-sign-in.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'

const password = 'correct horse battery staple'

/** Tries to sign up with each address, and returns those that were refused. */
async function refusedOf(service: TestService, rules: object, emails: readonly string[]): Promise<readonly string[]> {
  const { publicKey } = await tenantWith(service, rules)
  const refused: string[] = []
  for (const email of emails) {
    const browser = new Browser(service, publicKey)
    const answer = await browser.call('createSignUp', { body: { email, password } })
    if (answer.status === 200) continue
    assert.equal((answer.body as { code: string }).code, 'email_not_allowed', email)
    refused.push(email)
  }
  return refused
}

describeService('the rules about addresses of new users', (service) => {
  it('let in the domains that are listed, with their subdomains, and no others', async () => {
    const good = ['a@acme.example', 'b@Mail.ACME.example', 'c@bücher.example', 'd@xn--bcher-kva.example']
    const bad = ['e@notacme.example', 'f@acme.example.org', 'acme.example@other.example']
    const rules = { signUpDomains: ['ACME.example', 'bücher.example'] }
    assert.deepEqual(await refusedOf(service(), rules, [...good, ...bad]), bad)
  })

  it('keep out blocked domains and addresses, and domains of disposable addresses', async () => {
    const rules = {
      signUpBlockedDomains: ['spam.example'],
      signUpBlockedAddresses: ['Eve@other.example'],
      disposableEmailsRefused: true,
    }
    const bad = ['a@spam.example', 'b@very.spam.example', 'eve@OTHER.example', 'c@mailinator.com', 'd@x.10mail.org']
    const good = ['a@nospam.example', 'evelyn@other.example', 'e@example.com']
    assert.deepEqual(await refusedOf(service(), rules, [...bad, ...good]), bad)
    assert.deepEqual(await refusedOf(service(), {}, ['c@mailinator.com']), [], 'unless the tenant refuses them')
  })

  it('make a verified address necessary where a domain is asked for', async () => {
    const auth = { signUpDomains: ['acme.example'], emailRequired: false, emailVerificationRequired: false }
    const tenant = await tenantWith(service(), { ...auth, usernameSignInEnabled: true, usernameRequired: true })
    const browser = new Browser(service(), tenant.publicKey)
    const body = { username: unique(), password }
    const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body })
    assert.deepEqual(signUpAttempt.missingFields, ['email'])
    const params = { id: signUpAttempt.id }
    const email = `${unique()}@acme.example`
    const filled = await browser.ok<SignUpAnswer>('updateSignUp', { params, body: { email } })
    assert.deepEqual(filled.signUpAttempt.missingVerifications, ['email'])
    await browser.ok('prepareVerification', { params, body: { strategy: 'email_code' } })
    const { code } = await latestMessageTo(service().deps, email)
    const done = await browser.ok<SignUpAnswer>('attemptVerification', {
      params,
      body: { strategy: 'email_code', code },
    })
    assert.equal(done.signUpAttempt.status, 'complete')
  })

  it('hold for an address that was entered before the rule was made', async () => {
    const tenant = await tenantWith(service(), { nameRequired: true, emailVerificationRequired: false })
    const browser = new Browser(service(), tenant.publicKey)
    const body = { email: `${unique()}@spam.example`, password }
    const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body })
    const rule = { params: { id: tenant.id }, body: { signUpBlockedDomains: ['spam.example'] } }
    await service().ok('putAuthTenant', rule)
    const step = { params: { id: signUpAttempt.id }, body: { name: 'Eve' } }
    await browser.refused('updateSignUp', 'email_not_allowed', step)
  })

  it('hold neither for invited users nor for those whom a server creates', async () => {
    const tenant = await tenantWith(service(), { signUpDomains: ['acme.example'], disposableEmailsRefused: true })
    const email = `${unique()}@mailinator.com`
    await createUser(service(), tenant.id, { email: `${unique()}@mailinator.com` })
    const organization = await createOrganization(service(), tenant.id)
    await service().ok('createOrganizationInvitation', {
      body: { organizationId: organization.id, email },
    })
    const invitationToken = await invitationTokenTo(service().deps, email)
    const browser = new Browser(service(), tenant.publicKey)
    const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body: { invitationToken, password } })
    assert.equal(signUpAttempt.status, 'complete')
  })

  it('are not told to the public', async () => {
    const tenant = await tenantWith(service(), { signUpBlockedAddresses: ['eve@other.example'] })
    const browser = new Browser(service(), tenant.publicKey)
    const params = { publicKey: tenant.publicKey }
    const answer = await browser.ok('getPublicTenantByKey', { params })
    assert.equal(JSON.stringify(answer).includes('eve@'), false)
  })
})

describeService('the rules about addresses, at a social provider', (service) => {
  const idp = new FakeIdentityProvider()
  before(() => idp.start())
  after(() => idp.stop())

  it('refuse a new user, and let in one who has an account', async () => {
    const { browser, tenant } = await createSocialWorld(service(), idp)
    const ada = { ...person(), email: `${unique()}@spam.example` }
    const eve = { ...person(), email: `${unique()}@spam.example` }
    assert.equal(errorOf(await signInAs(browser, idp, ada)), null)
    const { id } = await whoIs(browser)
    const rule = { params: { id: tenant.id }, body: { signUpBlockedDomains: ['spam.example'] } }
    await service().ok('putAuthTenant', rule)
    const another = new Browser(service(), tenant.publicKey)
    assert.equal(errorOf(await signInAs(another, idp, eve)), 'email_not_allowed')
    assert.equal(errorOf(await signInAs(another, idp, ada)), null)
    assert.equal((await whoIs(another)).id, id)
  })
})
