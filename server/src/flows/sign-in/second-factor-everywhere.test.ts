// A user who has set up a second factor is asked for it on every path to a session, and a user whom a rule asks for one sets it up first.
// Regression: paths that forgot to ask (Zitadel
// CVE-2025-64103, Logto CVE-2026-15616, Ory Kratos GHSA-wc43-73w7-x2f5).
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type SignInAnswer, type SignInStrategy, type SignUpAnswer, signInStrategies } from '@bailiwick/contract'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { flag } from '../../../test/harness/browser/software-authenticator.ts'
import { createOrganization, createRole, unique } from '../../../test/harness/factories.ts'
import { invitationTokenTo, latestMessageTo } from '../../../test/harness/messages.ts'
import { FakeIdentityProvider } from '../../../test/harness/outside/fake-identity-provider.ts'
import { createApplication, relyingParty } from '../../../test/harness/people/authorization.ts'
import { connectedOrganization, leave } from '../../../test/harness/people/enterprise.ts'
import { type Person, password, preparePasskey, signedInPerson } from '../../../test/harness/people/people.ts'
import { tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import {
  begin,
  createSocialWorld,
  locationOf,
  person as identityOf,
} from '../../../test/harness/people/social-sign-in.ts'
import { describeService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'

const page = 'http://localhost:3000/in'
const deviceCodeGrant = 'urn:ietf:params:oauth:grant-type:device_code'
const sources = fileURLToPath(new URL('../..', import.meta.url))

/** The places where a session begins; each of them asks for the second factor first, or begins one for a user who has none yet. */
const mints: Readonly<Record<string, string>> = {
  'flows/sign-in/opening.ts': 'every way of signing in, and every proof within a session',
  'flows/anonymous-users/anonymous-users.ts': 'a visitor, who has nothing to prove',
  'flows/sign-up/create-signed-up-user.ts': 'a user who was made in the same transaction',
  'identity/sessions/sessions.ts': 'the tenant itself, in the place of a user',
}

describeService('the second factor', (service) => {
  const idp = new FakeIdentityProvider()
  before(() => idp.start())
  after(() => idp.stop())

  // Guards: second-factors, asvs-two-factors, asvs-every-pathway
  it('is required before every place where a session begins', () => {
    const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
    )
    const calling = files.filter((file) => {
      const source = readFileSync(join(sources, file), 'utf8')
      return /(?:[=:] await|=>|\breturn)\s+(?:await )?(?:(?:create|prepare)Session|renewProof)\(/.test(source)
    })
    assert.deepEqual(calling.toSorted(), Object.keys(mints).toSorted())
  })

  const everyStrategy = {
    strategyEmailLinkEnabled: true,
    strategyPhoneCodeEnabled: true,
    strategyPhonePasswordEnabled: true,
    strategyUsernamePasswordEnabled: true,
    phoneSignInEnabled: true,
    usernameSignInEnabled: true,
  }

  /** A user with an address, a number, a username and a social account, in a tenant that offers every way of signing in. */
  async function userOfAllWays() {
    const { tenant } = await createSocialWorld(service(), idp, { auth: everyStrategy })
    const person = await signedInPerson(service(), tenant)
    const [phone, username] = [`+4930777${String(Date.now()).slice(-6)}`, unique()]
    const { id: phoneId } = await service().ok<{ id: string }>('createPhoneNumber', {
      body: { tenantId: tenant.id, userId: person.user.id, phone },
    })
    await service().ok('verifyPhoneNumber', { body: { id: phoneId } })
    await service().ok('updateUser', { params: { id: person.user.id }, body: { username } })
    const identity = identityOf({ email: person.email })
    await person.browser.visit(idp.agree((await begin(person.browser)).authorizeUri, identity))
    // With an address of the organization's own, by which its provider knows the same person.
    const { domain } = await connectedOrganization(service(), tenant.id, idp)
    const work = `${unique()}@${domain}`
    const { id: workId } = await service().ok<{ id: string }>('createEmailAddress', {
      body: { tenantId: tenant.id, userId: person.user.id, email: work },
    })
    await service().ok('verifyEmailAddress', { body: { id: workId } })
    return { tenant, person, prove: provers(person, { phone, username, work }, identity) }
  }

  async function assertNoSession(person: Person, browser: Browser) {
    await browser.refused('getProfile', 'unauthenticated')
    await browser.refused('createOwnToken', 'unauthenticated', { body: {} })
    const flow = [...browser.cookies].find(([name]) => name.startsWith('__Host-flow'))?.[1] ?? ''
    await person.elsewhere().refused('getProfile', 'unauthenticated', { headers: { authorization: `Bearer ${flow}` } })
  }

  // Guards: second-factors, asvs-two-factors, asvs-every-pathway
  it('is required whichever first factor was proven, and nothing is accessible before', async () => {
    const { person, prove } = await userOfAllWays()
    const { key } = await person.addPasskey()
    await person.addApp()

    for (const strategy of signInStrategies) {
      if (strategy === 'authenticator_code') continue
      const browser = person.elsewhere()
      // Each first factor without the second counts as a guess.
      await service().deps.db.transaction((tx) => tx.run(sql`DELETE FROM guesses`))
      const { status } = await prove[strategy](browser, key)
      // A key that has not verified its user can be the second factor, but never the first.
      if (strategy === 'security_key') {
        assert.equal(status, 'refused')
        continue
      }
      assert.equal(status, 'needs_factor_two', strategy)
      await assertNoSession(person, browser)
    }
  })

  const rules: Readonly<Record<string, (tenantId: string, userId: string) => Promise<unknown>>> = {
    'the tenant': (id) => service().ok('putAuthTenant', { params: { id }, body: { secondFactorRequired: true } }),
    'the role of the user': async (tenantId, userId) => {
      const { id } = await createRole(service(), tenantId, { requiresSecondFactor: true })
      await service().ok('updateUser', { params: { id: userId }, body: { roleId: id } })
    },
  }
  for (const [whose, require] of Object.entries(rules)) {
    // Guards: second-factors
    it(`is set up first by the rule of ${whose}, whichever first factor was proven`, async () => {
      const { tenant, person, prove } = await userOfAllWays()
      await require(tenant.id, person.user.id)
      for (const [strategy, prover] of Object.entries(prove)) {
        if (strategy === 'security_key') continue
        const browser = person.elsewhere()
        const { status } = await prover(browser, {} as Key)
        assert.equal(status, 'needs_enrolment', strategy)
        await assertNoSession(person, browser)
      }
    })
  }

  // Guards: denied-sign-ins
  it('and the session are out of reach on every way while a hook of the tenant denies', async () => {
    const { tenant, person, prove } = await userOfAllWays()
    // Nothing listens there, so that every call fails and denies.
    const body = { tenantId: tenant.id, point: 'sign_in.before_session', url: 'http://127.0.0.1:9/' }
    const { id } = await service().ok<{ id: string }>('createHook', { body })
    const countCalls = async () =>
      (await service().ok<{ meta: { total: number } }>('listHookCalls', { params: { id } })).meta.total
    for (const [strategy, prover] of Object.entries(prove)) {
      const browser = person.elsewhere()
      await service().deps.db.transaction((tx) => tx.run(sql`DELETE FROM guesses`))
      const callsBefore = await countCalls()
      await prover(browser, {} as Key).catch(() => undefined)
      await assertNoSession(person, browser)
      if (strategy !== 'security_key') assert.equal(await countCalls(), callsBefore + 1, strategy)
    }
  })

  // Guards: second-factors, asvs-resets
  it('is set up first by whoever signs up by an invitation, and follows a new password', async () => {
    const tenant = await tenantWith(service(), { secondFactorRequired: true })
    const organization = await createOrganization(service(), tenant.id)
    const email = `${unique()}@example.com`
    await service().ok('createOrganizationInvitation', { body: { organizationId: organization.id, email } })
    const invitationToken = await invitationTokenTo(service().deps, email)
    const guest = new Browser(service(), tenant.publicKey)
    const body = { invitationToken, password }
    const { session, signInAttempt } = await guest.ok<SignUpAnswer>('createSignUp', { body })
    assert.deepEqual([session, signInAttempt?.status], [undefined, 'needs_enrolment'])
    await guest.refused('getProfile', 'unauthenticated')

    const reset = new Browser(service(), tenant.publicKey)
    const begun = await reset.ok<{ passwordReset: { id: string } }>('createPasswordReset', {
      body: { identifier: email },
    })
    const { code } = await latestMessageTo(service().deps, email)
    const step = { params: { id: begun.passwordReset.id }, body: { code, password: `${password} anew` } }
    await reset.ok('attemptPasswordReset', step)
    await reset.refused('getProfile', 'unauthenticated')
    const again = { identifier: email, strategy: 'email_password', password: `${password} anew` }
    assert.equal(
      (await reset.ok<SignInAnswer>('createSignIn', { body: again })).signInAttempt.status,
      'needs_enrolment',
    )
  })

  // Guards: second-factors
  it('is not proven by somebody who acts in the place of a user', async () => {
    const { tenant } = await createSocialWorld(service(), idp)
    const person = await signedInPerson(service(), tenant)
    const place = { params: { id: person.user.id }, body: { reason: 'support' } }
    const { sessionToken } = await service().ok<{ sessionToken: string }>('impersonateUser', place)
    const headers = { authorization: `Bearer ${sessionToken}` }
    const { jwt } = await person.elsewhere().ok<{ jwt: string }>('createOwnToken', { headers, body: {} })
    assert.equal(decodeJwt(jwt)['acr'], 'urn:bailiwick:1fa')
    const verification = { headers, body: { level: 'second_factor' } }
    await person.elsewhere().refused('createVerification', 'reauthentication_required', verification)
  })

  // Guards: second-factors
  it('is proven before a device is allowed to sign in to an application that requires it', async () => {
    const tenant = await tenantWith(service())
    const options = { type: 'device', grantTypes: [deviceCodeGrant], requireSecondFactor: true } as const
    const application = await createApplication(service(), tenant.id, options)
    const rp = await relyingParty(service(), tenant.id, application)
    const { user_code: userCode } = await client.initiateDeviceAuthorization(rp, { scope: 'openid profile' })
    const { browser } = await signedInPerson(service(), tenant)
    const { interaction } = await browser.ok<{ interaction: { uid: string } }>('findOAuthDevice', {
      body: { userCode },
    })
    const consent = { params: { uid: interaction.uid }, body: { scopes: ['openid', 'profile'] } }
    await browser.refused('consentOAuthInteraction', 'second_factor_required', consent)
  })

  type Key = Awaited<ReturnType<Person['addPasskey']>>['key']
  type Prove = (browser: Browser, key: Key) => Promise<{ status: string }>

  function provers(
    { email }: Person,
    { phone, username, work }: { phone: string; username: string; work: string },
    identity: ReturnType<typeof identityOf>,
  ): Record<Exclude<SignInStrategy, 'authenticator_code'>, Prove> {
    const byPassword = (strategy: SignInStrategy, identifier: string) => async (browser: Browser) =>
      (await browser.ok<SignInAnswer>('createSignIn', { body: { identifier, strategy, password } })).signInAttempt
    const bySecret = (strategy: SignInStrategy, identifier: string) => async (browser: Browser) => {
      const body = { identifier, strategy, redirectUri: page }
      const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', { body })
      const { code, link } = await latestMessageTo(service().deps, identifier)
      const proof = link === null ? code : new URL(link).hash.replace('#token=', '')
      const step = { params: { id: signInAttempt.id }, body: { strategy, code: proof } }
      return (await browser.ok<SignInAnswer>('attemptFirstFactor', step)).signInAttempt
    }
    return {
      email_password: byPassword('email_password', email),
      phone_password: byPassword('phone_password', phone),
      username_password: byPassword('username_password', username),
      email_code: bySecret('email_code', email),
      email_link: bySecret('email_link', email),
      phone_code: bySecret('phone_code', phone),
      oauth: async (browser) => {
        const { authorizeUri, signInAttempt } = await begin(browser)
        locationOf(await browser.visit(idp.agree(authorizeUri, identity)))
        const params = { id: signInAttempt.id }
        return (await browser.ok<SignInAnswer>('getSignIn', { params })).signInAttempt
      },
      enterprise: async (browser) => {
        const { authorizeUri, signInAttempt } = await leave(browser, work)
        locationOf(await browser.visit(idp.agree(authorizeUri, { sub: 'ada', email: work })))
        const params = { id: signInAttempt.id }
        return (await browser.ok<SignInAnswer>('getSignIn', { params })).signInAttempt
      },
      security_key: async (browser, key) => {
        const { id, options } = await preparePasskey(browser)
        const credential = key.get(options, { flip: flag.verified })
        const answer = await browser.call('attemptFirstFactor', {
          params: { id },
          body: { strategy: 'security_key', credential },
        })
        return { status: answer.status === 401 ? 'refused' : answer.text }
      },
    }
  }
})
