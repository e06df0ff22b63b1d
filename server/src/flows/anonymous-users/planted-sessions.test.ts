// Somebody begins an anonymous user, adds an address of their own and plants the session in another person's browser. Whoever becomes a real
// user there shares the account with nobody.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { OwnEmail, Profile, SessionUser, SignInAnswer, SignUpAnswer, Tenant } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { type CreationOptions, SoftwareAuthenticator } from '../../../test/harness/browser/software-authenticator.ts'
import { unique } from '../../../test/harness/factories.ts'
import { latestMessageTo, messagesTo, sendMessages } from '../../../test/harness/messages.ts'
import { password } from '../../../test/harness/people/people.ts'
import { tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { describeService } from '../../../test/harness/service.ts'

const newEmail = () => `${unique()}@example.com`

/** With passwords alone an address is no way to sign in, so the user stays anonymous. */
const passwordsAlone = { strategyEmailCodeEnabled: false, strategyEmailLinkEnabled: false }
const withUsernames = {
  ...passwordsAlone,
  emailRequired: false,
  usernameSignInEnabled: true,
  strategyUsernamePasswordEnabled: true,
}

describeService('a planted session of an anonymous user', (service) => {
  const profile = async (browser: Browser) => (await browser.ok<{ user: Profile }>('getProfile')).user
  async function addAddress(browser: Browser, email: string) {
    const { email: added } = await browser.ok<{ email: OwnEmail }>('createOwnEmail', { body: { email } })
    const params = { id: added.id }
    await browser.ok('prepareOwnEmail', { params })
    const { code } = await latestMessageTo(service().deps, email)
    await browser.ok('verifyOwnEmail', { params, body: { code } })
  }
  /** Returns the browsers of the attacker, who has added an address, and of the victim. */
  async function plant(auth: object) {
    const tenant = await tenantWith(service(), { anonymousUsersEnabled: true, ...auth })
    const attacker = new Browser(service(), tenant.publicKey)
    const { sessionUser } = await attacker.ok<{ sessionUser: SessionUser }>('createAnonymousUser')
    const theirs = newEmail()
    await addAddress(attacker, theirs)
    assert.equal((await profile(attacker)).isAnonymous, true)
    const victim = new Browser(service(), tenant.publicKey)
    for (const [name, value] of attacker.cookies) victim.cookies.set(name, value)
    return { tenant, attacker, theirs, victim, id: sessionUser.id }
  }
  const addresses = async (browser: Browser) => (await profile(browser)).emails.map(({ email }) => email)
  const sentTo = async (email: string) => (await messagesTo(service().deps, email)).map((each) => each.template_type)

  async function assertShutOut(
    { tenant, attacker, theirs, id }: Awaited<ReturnType<typeof plant>>,
    { expected }: { readonly expected: readonly string[] },
  ) {
    await attacker.refused('getProfile', 'unauthenticated')
    const { data } = await service().ok<{ data: { emailAddresses: { email: string }[] } }>('getUser', {
      params: { id },
    })
    assert.deepEqual(
      data.emailAddresses.map(({ email }) => email),
      expected,
    )
    const stranger = new Browser(service(), tenant.publicKey)
    await stranger.ok('createPasswordReset', { body: { identifier: theirs } })
    await sendMessages(service().deps)
    // It hears that it was removed, and of no reset.
    assert.deepEqual(await sentTo(theirs), ['email-changed', 'verification-code'])
  }
  const signInWith = (tenant: Tenant, body: object) =>
    new Browser(service(), tenant.publicKey).ok<SignInAnswer>('createSignIn', { body })

  // Guards: anonymous-users
  it('leaves no address to the one who planted it, when an own address and a password are added', async () => {
    const planted = await plant(passwordsAlone)
    const { tenant, victim, id } = planted
    const email = newEmail()
    await addAddress(victim, email)
    assert.deepEqual(await addresses(victim), [email])
    // A password does not prove whose the address is that was added before it: the sign-up asks for it anew.
    await victim.refused('updateOwnPassword', 'anonymous_user', { body: { password } })
    const { isAnonymous, hasPassword } = await profile(victim)
    assert.deepEqual([isAnonymous, hasPassword], [true, false])
    await assertShutOut(planted, { expected: [email] })
    const { signUpAttempt } = await victim.ok<SignUpAnswer>('createSignUp', { body: { email, password } })
    const params = { id: signUpAttempt.id }
    await victim.ok('prepareVerification', { params, body: { strategy: 'email_code' } })
    const { code } = await latestMessageTo(service().deps, email)
    await victim.ok('attemptVerification', { params, body: { strategy: 'email_code', code } })
    const { sessionUser } = await signInWith(tenant, { identifier: email, strategy: 'email_password', password })
    assert.equal(sessionUser?.id, id)
  })

  // Guards: anonymous-users
  it('leaves none when a username and a password are added', async () => {
    const planted = await plant(withUsernames)
    const { tenant, victim, id } = planted
    const username = unique()
    await victim.ok('updateProfile', { body: { username } })
    await victim.ok('updateOwnPassword', { body: { password } })
    await assertShutOut(planted, { expected: [] })
    const { sessionUser } = await signInWith(tenant, { identifier: username, strategy: 'username_password', password })
    assert.equal(sessionUser?.id, id)
  })

  // Guards: anonymous-users
  it('leaves none when a passkey is added, whose recovery codes stay', async () => {
    const planted = await plant(withUsernames)
    const { victim } = planted
    const { publicKeyOptions } = await victim.ok<{ publicKeyOptions: CreationOptions }>('createPasskeyOptions')
    const credential = new SoftwareAuthenticator().create(publicKeyOptions)
    await victim.ok('createPasskey', { body: { credential } })
    assert.equal((await profile(victim)).isAnonymous, false)
    assert.equal((await victim.ok<{ left: number }>('getRecoveryCodes')).left, 10)
    await assertShutOut(planted, { expected: [] })
  })

  // Guards: anonymous-users
  it('leaves neither address nor session when the tenant gives the user an address', async () => {
    const planted = await plant(passwordsAlone)
    const { tenant, victim, id } = planted
    const email = newEmail()
    await service().ok('createEmailAddress', { body: { tenantId: tenant.id, userId: id, email } })
    await victim.refused('getProfile', 'unauthenticated')
    await assertShutOut(planted, { expected: [email] })
  })

  // Guards: anonymous-users
  it('ends when somebody signs in as its user', async () => {
    const { tenant, attacker, theirs, victim, id } = await plant(passwordsAlone)
    await service().ok('putAuthTenant', { params: { id: tenant.id }, body: { strategyEmailCodeEnabled: true } })
    const elsewhere = new Browser(service(), tenant.publicKey)
    const body = { identifier: theirs, strategy: 'email_code' }
    const { signInAttempt } = await elsewhere.ok<SignInAnswer>('createSignIn', { body })
    const params = { id: signInAttempt.id }
    await elsewhere.ok('prepareFirstFactor', { params, body: { strategy: 'email_code' } })
    const { code } = await latestMessageTo(service().deps, theirs)
    const answer = await elsewhere.ok<SignInAnswer>('attemptFirstFactor', {
      params,
      body: { strategy: 'email_code', code },
    })
    assert.equal(answer.sessionUser?.id, id)
    for (const browser of [attacker, victim]) await browser.refused('getProfile', 'unauthenticated')
  })
})
