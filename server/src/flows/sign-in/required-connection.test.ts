// What a connection that is required leaves of the other ways to sign in: nothing but for the few whom it names.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { SignInAnswer, SignInExplanation, SignInState } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { createUser, unique } from '../../../test/harness/factories.ts'
import { latestMessageTo, messagesTo } from '../../../test/harness/messages.ts'
import { FakeIdentityProvider } from '../../../test/harness/outside/fake-identity-provider.ts'
import { createEnterpriseWorld } from '../../../test/harness/people/enterprise.ts'
import { page, whoIs } from '../../../test/harness/people/social-sign-in.ts'
import { describeService } from '../../../test/harness/service.ts'

const password = 'correct horse battery staple'

describeService('a connection that is required', (service) => {
  const idp = new FakeIdentityProvider()
  before(() => idp.start())
  after(() => idp.stop())

  const auth = {
    strategyEmailLinkEnabled: true,
    strategyUsernamePasswordEnabled: true,
    usernameSignInEnabled: true,
    signUpEnabled: true,
  }

  async function requiredWorld() {
    const world = await createEnterpriseWorld(service(), idp, { auth })
    const { tenant, organization, domain, connection } = world
    const make = async (email: string, username: string) => {
      const user = await createUser(service(), tenant.id, { email, username, password })
      await service().ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
      await service().ok('createOrganizationMember', { body: { organizationId: organization.id, userId: user.id } })
      return { id: user.id, email, username }
    }
    const bound = await make(`${unique()}@${domain}`, unique())
    const fallback = await make(`${unique()}@${domain}`, unique())
    await service().ok('updateConnection', {
      params: { id: connection.id },
      body: { required: true, fallbackUserIds: [fallback.id] },
    })
    return { ...world, bound, fallback }
  }

  // Guards: enterprise-required
  it('leaves no other first factor, whatever name the user types', async () => {
    const { tenant, bound, fallback } = await requiredWorld()
    const newBrowser = () => new Browser(service(), tenant.publicKey)
    for (const [strategy, identifier] of [
      ['email_password', bound.email],
      ['username_password', bound.username],
    ]) {
      const body = { identifier, strategy, password }
      await newBrowser().refused('createSignIn', 'factor_refused', { body })
    }
    for (const strategy of ['email_code', 'email_link']) {
      await newBrowser().ok('createSignIn', { body: { identifier: bound.email, strategy, redirectUri: page } })
    }
    assert.deepEqual(await messagesTo(service().deps, bound.email), [])
    await newBrowser().ok('createPasswordReset', { body: { identifier: bound.email } })
    await newBrowser().ok('createPasswordReset', { body: { identifier: bound.username } })
    assert.deepEqual(await messagesTo(service().deps, bound.email), [])
    // The break-glass member.
    const browser = newBrowser()
    const body = { identifier: fallback.email, strategy: 'email_password', password }
    assert.equal((await browser.ok<SignInAnswer>('createSignIn', { body })).signInAttempt.status, 'complete')
    assert.equal((await whoIs(browser)).id, fallback.id)
  })

  // Guards: migrated-passwords
  it('keeps foreign passwords from hooks, except of those who may sign in otherwise', async () => {
    const { tenant, domain, connection, organization } = await requiredWorld()
    const usernames = [unique(), unique()]
    const users = usernames.map((username) => ({
      email: `${unique()}@${domain}`,
      emailVerified: true,
      username,
      passwordHash: { algorithm: 'foreign', hash: 'x' },
    }))
    const query = { tenantId: tenant.id }
    const lines = await service().ok<{ id?: string }[]>('importUsers', { query, body: users })
    const userId = lines[1]?.id ?? ''
    await service().ok('createOrganizationMember', { body: { organizationId: organization.id, userId } })
    const body = { required: true, fallbackUserIds: [userId] }
    await service().ok('updateConnection', { params: { id: connection.id }, body })
    // Nothing listens there, but calls are counted.
    const hook = { tenantId: tenant.id, point: 'password.migrate', url: 'http://127.0.0.1:9/', receivesPasswords: true }
    const { id } = await service().ok<{ id: string }>('createHook', { body: hook })
    const totals: number[] = []
    for (const identifier of usernames) {
      const step = { body: { identifier, strategy: 'username_password', password } }
      await new Browser(service(), tenant.publicKey).refused('createSignIn', 'factor_refused', step)
      const { meta } = await service().ok<{ meta: { total: number } }>('listHookCalls', { params: { id } })
      totals.push(meta.total)
    }
    assert.deepEqual(totals, [0, 1])
  })

  // Guards: enterprise-required
  it('answers alike for members, for those who may sign in otherwise, and for addresses that nobody has', async () => {
    const { tenant, domain, bound, fallback } = await requiredWorld()
    const answers = []
    for (const identifier of [bound.email, fallback.email, `${unique()}@${domain}`]) {
      const browser = new Browser(service(), tenant.publicKey)
      const { signInAttempt, connections } = await browser.ok<SignInState>('createSignIn', { body: { identifier } })
      const wrong = { body: { identifier, strategy: 'email_password', password: 'a wrong password' } }
      const { status, body } = await browser.call('createSignIn', wrong)
      answers.push([signInAttempt.supportedFirstFactors, signInAttempt.userId, connections, status, body.code])
    }
    assert.deepEqual(answers[0], answers[1])
    assert.deepEqual(answers[0], answers[2])
    assert.deepEqual(answers[0]?.[0], ['enterprise'])
  })

  // Guards: enterprise-required
  it('lets nobody sign up with an address of the domain', async () => {
    const { tenant, domain } = await requiredWorld()
    const browser = new Browser(service(), tenant.publicKey)
    const email = `${unique()}@${domain}`
    await browser.refused('createSignUp', 'enterprise_sign_in_required', { body: { email, password } })
    const { signUpAttempt } = await browser.ok<{ signUpAttempt: { id: string } }>('createSignUp', {
      body: { name: 'Eve' },
    })
    const later = { params: { id: signUpAttempt.id }, body: { email } }
    await browser.refused('updateSignUp', 'enterprise_sign_in_required', later)
  })

  it('holds for sign-ins that are between their factors when it becomes required', async () => {
    const { tenant, organization, domain, connection } = await createEnterpriseWorld(service(), idp, { auth })
    const email = `${unique()}@${domain}`
    const user = await createUser(service(), tenant.id, { email, password })
    await service().ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
    await service().ok('createOrganizationMember', { body: { organizationId: organization.id, userId: user.id } })
    const browser = new Browser(service(), tenant.publicKey)
    const begun = await browser.ok<SignInAnswer>('createSignIn', {
      body: { identifier: email, strategy: 'email_code' },
    })
    const [message] = await messagesTo(service().deps, email)
    assert.ok(message !== undefined)
    await service().ok('updateConnection', { params: { id: connection.id }, body: { required: true } })
    const { code } = await latestMessageTo(service().deps, email)
    const step = { params: { id: begun.signInAttempt.id }, body: { strategy: 'email_code', code } }
    assert.notEqual((await browser.call('attemptFirstFactor', step)).status, 200)
    await browser.refused('getProfile', 'unauthenticated')
  })

  it('is named by the explanation of a sign-in', async () => {
    const { tenant, connection, domain, bound, fallback } = await requiredWorld()
    const explain = (identifier: string) =>
      service().ok<SignInExplanation>('explainSignIn', { params: { id: tenant.id }, body: { identifier } })
    const said = await explain(bound.email)
    assert.deepEqual(
      said.connections.map(({ id, required }) => [id, required]),
      [[connection.id, true]],
    )
    const usable = ({ firstFactors }: SignInExplanation) =>
      firstFactors.filter((step) => step.usable).map(({ strategy }) => strategy)
    assert.deepEqual(usable(said), ['enterprise'])
    assert.match(said.firstFactors[1]?.reasons.join() ?? '', /“Acme staff” is required/)
    assert.ok(usable(await explain(fallback.email)).includes('email_password'))
    assert.equal((await explain(`${unique()}@${domain}`)).canSignIn, true)
    assert.deepEqual((await explain(`${unique()}@elsewhere.example`)).connections, [])
  })
})
