// Anonymous users: what they may do, how they become real users with the same id, and that nobody gets an account of somebody else that way.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import {
  type FrontendEndpoint,
  type OwnEmail,
  type Profile,
  type SessionUser,
  type SignInAnswer,
  type SignUpAnswer,
  type Tenant,
  frontendEndpoints,
} from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { type CreationOptions, SoftwareAuthenticator } from '../../../test/harness/browser/software-authenticator.ts'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { createOrganization, createSocialProvider, createUser, unique } from '../../../test/harness/factories.ts'
import { invitationTokenTo, latestMessageTo, messagesTo, sendMessages } from '../../../test/harness/messages.ts'
import { FakeIdentityProvider } from '../../../test/harness/outside/fake-identity-provider.ts'
import { answered } from '../../../test/harness/people/puzzles.ts'
import { startServiceWithClock } from '../../../test/harness/people/sessions.ts'
import { tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { errorOf, page, person, signInAs } from '../../../test/harness/people/social-sign-in.ts'
import type { TestService } from '../../../test/harness/service.ts'

const password = 'correct horse battery staple'
const newEmail = () => `${unique()}@example.com`

interface Begun {
  readonly session: { readonly id: string }
  readonly sessionUser: SessionUser
  readonly jwt: string
}

describeOnEachEngine('an anonymous user', (open) => {
  let service: TestService
  let advance: (ms: number) => void
  const idp = new FakeIdentityProvider()
  before(async () => {
    ;({ service, advance } = await startServiceWithClock((await open()).database))
    await idp.start()
  })
  after(async () => {
    await idp.stop()
    await service.app.close()
  })

  async function visitor(auth: object = {}) {
    const tenant = await tenantWith(service, { anonymousUsersEnabled: true, ...auth })
    return { tenant, ...(await visit(tenant)) }
  }
  async function visit(tenant: Tenant) {
    const browser = new Browser(service, tenant.publicKey)
    const begun = await browser.ok<Begun>('createAnonymousUser')
    return { browser, begun, id: begun.sessionUser.id }
  }
  /** Another browser with the same cookies. */
  const copyBrowser = (tenant: Tenant, { cookies }: Browser) => {
    const copy = new Browser(service, tenant.publicKey)
    for (const [name, value] of cookies) copy.cookies.set(name, value)
    return copy
  }
  const profile = async (browser: Browser) => (await browser.ok<{ user: Profile }>('getProfile')).user
  const readEvents = async (tenant: Tenant, type: string) =>
    (
      await service.ok<{ data: { subject: { id: string }; data: object }[] }>('listEvents', {
        params: { tenantId: tenant.id },
        query: { type },
      })
    ).data
  const listed = async (tenant: Tenant, query: object) => {
    const { data, meta } = await service.ok<{ data: { id: string; isAnonymous: boolean }[]; meta: { total: number } }>(
      'listUsers',
      { query: { tenantId: tenant.id, ...query } },
    )
    assert.equal(meta.total, data.length)
    return data.map(({ id }) => id)
  }
  async function addAddress(browser: Browser, email: string) {
    const { email: added } = await browser.ok<{ email: OwnEmail }>('createOwnEmail', { body: { email } })
    const params = { id: added.id }
    await browser.ok('prepareOwnEmail', { params })
    const { code } = await latestMessageTo(service.deps, email)
    return browser.call('verifyOwnEmail', { params, body: { code } })
  }
  async function signUp(browser: Browser, email: string, others: object = {}) {
    const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body: { email, password, ...others } })
    const params = { id: signUpAttempt.id }
    await browser.ok('prepareVerification', { params, body: { strategy: 'email_code' } })
    const { code } = await latestMessageTo(service.deps, email)
    return browser.ok<SignUpAnswer>('attemptVerification', { params, body: { strategy: 'email_code', code } })
  }
  const google = (tenant: Tenant) =>
    createSocialProvider(service, tenant.id, {
      providerKey: 'google',
      useCustomCredentials: true,
      clientId: idp.clientId,
      clientSecret: 'a secret of this test',
      config: { issuer: idp.issuer, trustEmails: true },
    })
  async function assertUpgraded(tenant: Tenant, browser: Browser, id: string) {
    const { id: now, isAnonymous } = await profile(browser)
    assert.deepEqual([now, isAnonymous], [id, false])
    assert.deepEqual(
      (await readEvents(tenant, 'user.upgraded')).map(({ subject }) => subject.id),
      [id],
    )
    assert.deepEqual(await listed(tenant, { isAnonymous: 'true' }), [])
  }

  it('begins with an id and a session, and is told from others in the record, the JWT and the list', async () => {
    const { tenant, browser, begun, id } = await visitor()
    assert.equal((await profile(browser)).isAnonymous, true)
    const { claims } = JSON.parse(Buffer.from(begun.jwt.split('.')[1] ?? '', 'base64url').toString()) as {
      claims: { isAnonymous?: boolean }
    }
    assert.equal(claims.isAnonymous, true)
    const { id: real } = await createUser(service, tenant.id, { email: newEmail(), name: 'Ada' })
    const filters: readonly (readonly [object, readonly string[]])[] = [
      [{}, [real, id]],
      [{ isAnonymous: 'true' }, [id]],
      [{ isAnonymous: 'false' }, [real]],
      [{ isAnonymous: 'true', status: 'active' }, [id]],
      [{ isAnonymous: 'false', status: 'active' }, [real]],
      [{ isAnonymous: 'true', status: 'suspended' }, []],
      [{ isAnonymous: 'false', query: 'ada' }, [real]],
      [{ isAnonymous: 'true', query: 'ada' }, []],
    ]
    for (const [filter, ids] of filters) assert.deepEqual(await listed(tenant, filter), ids, JSON.stringify(filter))
    await browser.refused('createAnonymousUser', 'already_signed_in')
  })

  // Guards: switched-off
  it('does not begin unless the tenant allows it and sign-ups, nor without a puzzle that the tenant asks for', async () => {
    const tenant = await tenantWith(service, {})
    const put = (body: object) => service.ok('putAuthTenant', { params: { id: tenant.id }, body })
    const browser = new Browser(service, tenant.publicKey)
    await browser.refused('createAnonymousUser', 'sign_up_disabled')
    await put({ anonymousUsersEnabled: true, signUpEnabled: false })
    await browser.refused('createAnonymousUser', 'sign_up_disabled')
    await put({ signUpEnabled: true, challengeOnSignUp: 'always', challengeDifficulty: 1000 })
    await browser.refused('createAnonymousUser', 'challenge_required')
    await browser.ok('createAnonymousUser', { headers: await answered(browser, 'sign_up') })
  })

  // Guards: anonymous-users
  it('may read, and do nothing that is for users who can come back', async () => {
    const { browser } = await visitor()
    const allowed = new Set<string>()
    for (const endpoint of Object.values(frontendEndpoints) as FrontendEndpoint[]) {
      if (endpoint.session !== 'required' || endpoint.method === 'GET') continue
      if (['endOwnSessions', 'deleteOwnUser', 'endOtherOwnSessions'].includes(endpoint.id)) continue
      const { body } = await browser.call(endpoint.id as keyof typeof frontendEndpoints, { body: {} })
      if (body?.code !== 'anonymous_user') allowed.add(endpoint.id)
    }
    assert.deepEqual([...allowed].toSorted(), [
      'confirmOwnConnection',
      'createOwnConnection',
      'createOwnEmail',
      'createOwnPhone',
      'createOwnToken',
      'createPasskey',
      'createPasskeyOptions',
      'deleteOwnEmail',
      'deleteOwnPhone',
      'deleteOwnPicture',
      'deleteOwnSession',
      'prepareOwnEmail',
      'prepareOwnPhone',
      'setOwnPicture',
      'updateOwnPassword',
      'updateProfile',
      'verifyOwnEmail',
      'verifyOwnPhone',
    ])
  })

  it('signs up with the form and keeps its id and its data, while earlier sessions end', async () => {
    const { tenant, browser, begun, id } = await visitor()
    await browser.ok('updateProfile', { body: { name: 'Ada', locale: 'de' } })
    await service.ok('updateUser', { params: { id }, body: { publicMeta: { cart: 3 } } })
    const stolen = copyBrowser(tenant, browser)
    const email = newEmail()
    const { session, signUpAttempt } = await signUp(browser, email)
    assert.equal(signUpAttempt.userId, id)
    assert.ok(session !== undefined && session.id !== begun.session.id)
    await stolen.refused('getProfile', 'unauthenticated')
    await assertUpgraded(tenant, browser, id)
    const { name, locale, publicMeta, emails, hasPassword } = await profile(browser)
    assert.deepEqual(
      [name, locale, publicMeta, emails.map((each) => each.email), hasPassword],
      ['Ada', 'de', { cart: 3 }, [email], true],
    )
    assert.deepEqual(await listed(tenant, {}), [id])
    const elsewhere = new Browser(service, tenant.publicKey)
    const again = await elsewhere.ok<SignInAnswer>('createSignIn', {
      body: { identifier: email, strategy: 'email_password', password },
    })
    assert.equal(again.sessionUser?.id, id)
  })

  it('becomes real by an address, also long after it began, and its other sessions end', async () => {
    const { tenant, browser, id } = await visitor()
    const planted = copyBrowser(tenant, browser)
    advance(20 * 60_000)
    assert.equal((await addAddress(browser, newEmail())).status, 200)
    await assertUpgraded(tenant, browser, id)
    await planted.refused('getProfile', 'unauthenticated')
  })

  it('becomes real by a passkey', async () => {
    const { tenant, browser, id } = await visitor({ emailRequired: false })
    const { publicKeyOptions } = await browser.ok<{ publicKeyOptions: CreationOptions }>('createPasskeyOptions')
    await browser.ok('createPasskey', { body: { credential: new SoftwareAuthenticator().create(publicKeyOptions) } })
    await assertUpgraded(tenant, browser, id)
  })

  it('becomes real by a username and a password, and gets no password without a username', async () => {
    const { tenant, browser, id } = await visitor({
      emailRequired: false,
      usernameSignInEnabled: true,
      strategyUsernamePasswordEnabled: true,
    })
    await browser.refused('updateOwnPassword', 'anonymous_user', { body: { password } })
    assert.equal((await profile(browser)).hasPassword, false)
    await browser.ok('updateProfile', { body: { username: unique() } })
    assert.equal((await profile(browser)).isAnonymous, true)
    await browser.ok('updateOwnPassword', { body: { password } })
    await assertUpgraded(tenant, browser, id)
  })

  it('becomes real by a social account, connected in the account or used to sign up or in', async () => {
    const ways: readonly ((browser: Browser) => Promise<unknown>)[] = [
      async (browser) => {
        const body = { providerKey: 'google', redirectUri: page }
        const { authorizeUri } = await browser.ok<{ authorizeUri: string }>('createOwnConnection', { body })
        return browser.visit(idp.agree(authorizeUri, person()))
      },
      async (browser) => {
        const body = { providerKey: 'google', redirectUri: page }
        const { authorizeUri = '' } = await browser.ok<SignUpAnswer>('createSignUp', { body })
        return browser.visit(idp.agree(authorizeUri, person()))
      },
      (browser) => signInAs(browser, idp, person()),
    ]
    for (const way of ways) {
      const { tenant, browser, id } = await visitor({ emailRequired: false })
      await google(tenant)
      await way(browser)
      await assertUpgraded(tenant, browser, id)
    }
  })

  it('becomes real by an invitation, as a member', async () => {
    const { tenant, browser, id } = await visitor()
    const { id: organizationId } = await createOrganization(service, tenant.id)
    const email = newEmail()
    await service.ok('createOrganizationInvitation', { body: { organizationId, email } })
    const invitationToken = await invitationTokenTo(service.deps, email)
    const { session } = await browser.ok<SignUpAnswer>('createSignUp', { body: { invitationToken, password } })
    assert.ok(session !== undefined)
    await assertUpgraded(tenant, browser, id)
    const { data } = await service.ok<{ data: { userId: string }[] }>('listOrganizationMembers', {
      params: { organizationId },
    })
    assert.deepEqual(
      data.map(({ userId }) => userId),
      [id],
    )
  })

  it('becomes real once the tenant gives it an address', async () => {
    const { tenant, browser, id } = await visitor()
    await service.ok('createEmailAddress', { body: { tenantId: tenant.id, userId: id, email: newEmail() } })
    await browser.refused('getProfile', 'unauthenticated')
    assert.deepEqual(await listed(tenant, { isAnonymous: 'false' }), [id])
    const { primaryEmailId } = await service
      .ok<{ data: { primaryEmailId: string | null } }>('getUser', { params: { id } })
      .then(({ data }) => data)
    assert.ok(primaryEmailId !== null)
  })

  // Guards: anonymous-users
  it("never gets an existing user's address; whoever signs in to that user is told of both", async () => {
    const { tenant, browser, id } = await visitor()
    const email = newEmail()
    const { id: owner } = await createUser(service, tenant.id, { email, password, emailVerified: true })
    // Only a person who reads the address learns that somebody has it.
    const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body: { email, password } })
    const params = { id: signUpAttempt.id }
    await browser.ok('prepareVerification', { params, body: { strategy: 'email_code' } })
    assert.equal((await latestMessageTo(service.deps, email)).code, null)
    const [message] = await messagesTo(service.deps, email)
    assert.equal(message?.template_type, 'account-exists')
    assert.equal((await addAddress(browser, email)).body.code, 'email_taken')
    assert.equal((await profile(browser)).isAnonymous, true)
    const signedIn = await browser.ok<SignInAnswer>('createSignIn', {
      body: { identifier: email, strategy: 'email_password', password },
    })
    assert.deepEqual([signedIn.sessionUser?.id, signedIn.anonymousUserId], [owner, id])
    assert.deepEqual(
      (await readEvents(tenant, 'user.merge_suggested')).map(({ subject, data }) => ({ id: subject.id, data })),
      [{ id: owner, data: { anonymousUserId: id } }],
    )
    assert.deepEqual(await listed(tenant, { isAnonymous: 'true' }), [id])
    assert.deepEqual(await readEvents(tenant, 'user.upgraded'), [])
  })

  // Guards: anonymous-users
  it('leaves nothing of an earlier session on the account of whoever signs up in it, by which somebody else could sign in', async () => {
    const {
      tenant,
      browser: planted,
      id,
    } = await visitor({
      strategyEmailCodeEnabled: false,
      strategyEmailLinkEnabled: false,
    })
    // In a tenant with passwords alone an address is no way to sign in, so the user stays anonymous.
    const theirs = newEmail()
    assert.equal((await addAddress(planted, theirs)).status, 200)
    assert.equal((await profile(planted)).isAnonymous, true)
    const victim = copyBrowser(tenant, planted)
    const email = newEmail()
    await signUp(victim, email)
    await assertUpgraded(tenant, victim, id)
    assert.deepEqual(
      (await profile(victim)).emails.map((each) => each.email),
      [email],
    )
    const stranger = new Browser(service, tenant.publicKey)
    await stranger.ok('createPasswordReset', { body: { identifier: theirs } })
    await sendMessages(service.deps)
    assert.deepEqual(
      (await messagesTo(service.deps, theirs)).map((each) => each.template_type),
      // It hears that it was removed, and of no reset.
      ['email-changed', 'verification-code'],
    )
  })

  // Guards: anonymous-users
  it('keeps to the rules of the sign-up when it adds to its account', async () => {
    const rules: readonly (readonly [object, string])[] = [
      [{ signUpEnabled: false }, 'sign_up_disabled'],
      [{ signUpBlockedDomains: ['example.com'] }, 'email_not_allowed'],
      [{ nameRequired: true }, 'anonymous_user'],
      [{ phoneRequired: true }, 'anonymous_user'],
      [{ secondFactorRequired: true }, 'anonymous_user'],
    ]
    for (const [rule, code] of rules) {
      const { tenant, browser } = await visitor()
      await service.ok('putAuthTenant', { params: { id: tenant.id }, body: rule })
      assert.equal((await addAddress(browser, newEmail())).body.code, code, JSON.stringify(rule))
      const { isAnonymous, emails } = await profile(browser)
      assert.deepEqual([isAnonymous, emails.filter(({ verifiedAt }) => verifiedAt !== null)], [true, []])
    }
    const { tenant, browser } = await visitor({ emailRequired: false, signUpBlockedDomains: ['example.com'] })
    await google(tenant)
    const body = { providerKey: 'google', redirectUri: page }
    const { authorizeUri } = await browser.ok<{ authorizeUri: string }>('createOwnConnection', { body })
    const { headers } = await browser.visit(idp.agree(authorizeUri, person()))
    assert.equal(errorOf(new URL(headers['location'] as string)), 'email_not_allowed')
  })

  // Guards: second-factors
  it('sets up a second factor where the tenant requires one before the sign-up ends, and has no session meanwhile', async () => {
    const { browser, id } = await visitor({ secondFactorRequired: true })
    const { signInAttempt, session } = await signUp(browser, newEmail())
    assert.deepEqual([session, signInAttempt?.status, signInAttempt?.userId], [undefined, 'needs_enrolment', id])
    await browser.refused('getProfile', 'unauthenticated')
  })
})
