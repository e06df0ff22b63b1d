// What was issued before a user, a tenant, a provider or a strategy was switched off is invalid afterwards, from the next request on.
// Regression: Zitadel CVE-2023-22492, CVE-2024-46999, CVE-2025-64717; authentik CVE-2025-53942; better-auth GHSA-2vg6-77g8-24mp.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { OwnOrganization, SignInAnswer, SignUpAnswer } from '@bailiwick/contract'
import { Browser } from '../harness/browser/frontend.ts'
import { createRole, createUser, unique } from '../harness/factories.ts'
import { invitationTokenTo, latestMessageTo } from '../harness/messages.ts'
import { FakeIdentityProvider } from '../harness/outside/fake-identity-provider.ts'
import { password, preparePasskey, signedInPerson } from '../harness/people/people.ts'
import { openSession } from '../harness/people/sessions.ts'
import { signedInUser, tenantWith } from '../harness/people/signed-in-user.ts'
import { begin, createSocialWorld, person as someoneElsewhere, signInAs } from '../harness/people/social-sign-in.ts'
import { type Answer, type TestService, describeNodesInTurn } from '../harness/service.ts'

const page = 'http://localhost:3000/in'
const newPassword = 'a horse of another battery'

const allUses = [
  'the session',
  'a new JWT',
  'the password',
  'the code of a sign-in',
  'the link of a sign-in',
  'the passkey',
  'the way back from the provider',
  'the second factor',
  'the code of a reset',
  'the code of an own address',
  'an invitation',
  'a change of the password',
] as const
/** Belongs to a person who is not a user yet. */
const signUp = 'the code of a sign-up'
type Use = (typeof allUses)[number] | typeof signUp

/** A user with every kind of flow under way; each could be completed now. */
async function underWay(service: TestService, idp: FakeIdentityProvider) {
  const { tenant, provider } = await createSocialWorld(service, idp, { auth: { strategyEmailLinkEnabled: true } })
  const { deps } = service
  const identity = someoneElsewhere()
  const social = new Browser(service, tenant.publicKey)
  await signInAs(social, idp, identity)
  const { user: profile } = await social.ok<{ user: { id: string } }>('getProfile')
  const email = String(identity['email'])
  await social.ok('updateOwnPassword', { body: { password } })
  const person = await signedInPerson(service, tenant)
  const { key } = await person.addPasskey()
  const { recoveryCodes } = await person.addApp()
  const elsewhere = () => new Browser(service, tenant.publicKey)

  // Sign-ins by code and link belong to the user without a second factor, so that only the change can refuse them.
  const start = async (body: object) => {
    const browser = elsewhere()
    const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', { body })
    return { browser, params: { id: signInAttempt.id } }
  }
  const coded = await start({ identifier: email, strategy: 'email_code' })
  const { code } = await latestMessageTo(deps, email)
  const linked = await start({ identifier: email, strategy: 'email_link', redirectUri: page })
  const { link } = await latestMessageTo(deps, email)
  const second = await start({ identifier: person.email, strategy: 'email_password', password })
  const keyed = elsewhere()
  const challenge = await preparePasskey(keyed)
  const traveller = elsewhere()
  const back = idp.agree((await begin(traveller)).authorizeUri, identity)
  const { passwordReset } = await elsewhere().ok<{ passwordReset: { id: string } }>('createPasswordReset', {
    body: { identifier: email },
  })
  const resetCode = (await latestMessageTo(deps, email)).code
  const further = `${unique()}@example.com`
  const made = await social.ok<{ email: { id: string } }>('createOwnEmail', { body: { email: further } })
  await social.ok('prepareOwnEmail', { params: { id: made.email.id } })
  const ownCode = (await latestMessageTo(deps, further)).code
  const host = await signedInUser(service, tenant)
  const { organization } = await host.browser.ok<{ organization: OwnOrganization }>('createOwnOrganization', {
    body: { name: 'Research' },
  })
  await host.browser.ok('sendInvitation', { params: { id: organization.id }, body: { email } })
  const invitation = await invitationTokenTo(deps, email)

  const newcomer = elsewhere()
  const address = `${unique()}@example.com`
  const { signUpAttempt } = await newcomer.ok<SignUpAnswer>('createSignUp', { body: { email: address, password } })
  const signUpParams = { id: signUpAttempt.id }
  await newcomer.ok('prepareVerification', { params: signUpParams, body: { strategy: 'email_code' } })
  const signUpCode = (await latestMessageTo(deps, address)).code

  const uses: Record<Use, () => Promise<Answer>> = {
    [signUp]: () =>
      newcomer.call('attemptVerification', {
        params: signUpParams,
        body: { strategy: 'email_code', code: signUpCode },
      }),
    'the session': () => social.call('getProfile'),
    'a new JWT': () => social.call('createOwnToken', { body: {} }),
    'the password': () =>
      elsewhere().call('createSignIn', { body: { identifier: email, strategy: 'email_password', password } }),
    'the code of a sign-in': () =>
      coded.browser.call('attemptFirstFactor', { params: coded.params, body: { strategy: 'email_code', code } }),
    'the link of a sign-in': () =>
      linked.browser.call('attemptFirstFactor', {
        params: linked.params,
        body: { strategy: 'email_link', code: new URL(link ?? '').hash.replace('#token=', '') },
      }),
    'the passkey': () =>
      keyed.call('attemptFirstFactor', {
        params: { id: challenge.id },
        body: { strategy: 'security_key', credential: key.get(challenge.options) },
      }),
    'the way back from the provider': () => traveller.visit(back),
    'the second factor': () =>
      second.browser.call('attemptSecondFactor', {
        params: second.params,
        body: { strategy: 'authenticator_code', code: recoveryCodes[0] },
      }),
    'the code of an own address': () =>
      social.call('verifyOwnEmail', { params: { id: made.email.id }, body: { code: ownCode } }),
    'an invitation': () => social.call('acceptInvitation', { params: { token: invitation } }),
    'the code of a reset': () =>
      elsewhere().call('attemptPasswordReset', {
        params: { id: passwordReset.id },
        body: { code: resetCode, password: newPassword },
      }),
    'a change of the password': () =>
      social.call('updateOwnPassword', { body: { oldPassword: password, password: newPassword } }),
  }
  return { tenant, provider, uses, userIds: [profile.id, person.user.id] }
}
type World = Awaited<ReturnType<typeof underWay>>

interface Change {
  readonly make: (service: TestService, world: World) => Promise<unknown>
  readonly ends: readonly Use[]
}

const settings =
  (body: object): Change['make'] =>
  async (service, { tenant }) =>
    service.ok('putAuthTenant', { params: { id: tenant.id }, body })
const ofUsers =
  (operation: 'suspendUser' | 'deleteUser'): Change['make'] =>
  async (service, { userIds }) => {
    for (const id of userIds) await service.ok(operation, { params: { id } })
  }
const signIns = [
  'the password',
  'the code of a sign-in',
  'the link of a sign-in',
  'the passkey',
  'the way back from the provider',
] as const

const changes: Readonly<Record<string, Change>> = {
  'its user is suspended': { make: ofUsers('suspendUser'), ends: allUses },
  'its user is deleted': {
    make: async (service, world) => {
      // Otherwise the account at the provider would sign up again as another user.
      await settings({ signUpEnabled: false })(service, world)
      await ofUsers('deleteUser')(service, world)
    },
    ends: allUses,
  },
  'its tenant is deleted': {
    make: (service, { tenant }) => service.ok('deleteTenant', { params: { id: tenant.id } }),
    ends: [...allUses, signUp],
  },
  'its provider is disabled': {
    make: (service, { provider }) =>
      service.ok('updateSocialProvider', { params: { id: provider.id }, body: { enabled: false } }),
    ends: ['the way back from the provider'],
  },
  'its provider is deleted': {
    make: (service, { provider }) => service.ok('deleteSocialProvider', { params: { id: provider.id } }),
    ends: ['the way back from the provider'],
  },
  'signing in is switched off': { make: settings({ signInEnabled: false }), ends: [...signIns, 'the second factor'] },
  'social sign-in is switched off': {
    make: settings({ strategyOAuthEnabled: false }),
    ends: ['the way back from the provider'],
  },
  'codes by mail are switched off': {
    make: settings({ strategyEmailCodeEnabled: false }),
    ends: ['the code of a sign-in'],
  },
  'links by mail are switched off': {
    make: settings({ strategyEmailLinkEnabled: false }),
    ends: ['the link of a sign-in'],
  },
  'passkeys are switched off': { make: settings({ strategySecurityKeyEnabled: false }), ends: ['the passkey'] },
  'authenticator apps are switched off': {
    make: settings({ strategyAuthenticatorCodeEnabled: false }),
    ends: ['the second factor'],
  },
  'passwords are switched off': {
    make: settings({ passwordsEnabled: false, passwordRequired: false }),
    ends: ['the password', 'the code of a reset', 'a change of the password'],
  },
  'signing up is switched off': { make: settings({ signUpEnabled: false }), ends: [signUp] },
  'codes that verify addresses are switched off': {
    make: settings({ emailVerificationCodeEnabled: false, emailVerificationLinkEnabled: true }),
    ends: [signUp],
  },
  'organizations are switched off': { make: settings({ organizationsEnabled: false }), ends: ['an invitation'] },
}

/** Whether the answer grants anything: a redirect with an error grants nothing. */
function isGood({ status, headers }: Answer): boolean {
  if (status !== 303) return status === 200
  return !new URL(String(headers['location'])).searchParams.has('error')
}

describeNodesInTurn('what was given before', (service) => {
  const idp = new FakeIdentityProvider()
  before(() => idp.start())
  after(() => idp.stop())

  it('is valid as long as nothing changes', async () => {
    const { uses } = await underWay(service(), idp)
    for (const [use, make] of Object.entries(uses)) {
      const answer = await make()
      // The reset's new password ends the sessions.
      if (use === 'a change of the password') assert.equal(answer.status, 401)
      else assert.ok(isGood(answer), `${use}: ${answer.status} ${answer.text}`)
    }
  })

  for (const [what, { make, ends }] of Object.entries(changes)) {
    // Guards: state-changes, switched-off
    it(`is refused on the next request when ${what}: ${ends.length >= allUses.length ? 'everything' : ends.join(', ')}`, async () => {
      const world = await underWay(service(), idp)
      await make(service(), world)
      for (const use of ends) {
        const answer = await world.uses[use]()
        assert.ok(!isGood(answer) && answer.status < 500, `${use}: ${answer.status} ${answer.text}`)
      }
    })
  }

  // Guards: state-changes
  it('is a JWT of at most a minute, with the role that the user had when it was issued', async () => {
    const tenant = await tenantWith(service())
    const role = await createRole(service(), tenant.id, { permissions: ['invoices:read'] })
    const { browser, user } = await signedInUser(service(), tenant, { roleId: role.id })
    const readClaims = async () => {
      const { jwt } = await browser.ok<{ jwt: string }>('createOwnToken', { body: {} })
      return JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as {
        exp: number
        iat: number
        claims: { permissions: string[] }
      }
    }
    const { exp, iat, claims } = await readClaims()
    assert.ok(exp - iat <= 60)
    assert.deepEqual(claims.permissions, ['invoices:read'])
    await service().ok('updateUser', { params: { id: user.id }, body: { roleId: null } })
    assert.deepEqual((await readClaims()).claims.permissions, [])
  })

  // Guards: state-changes
  it('is a role in an organization, which allows nothing once it is removed, nor does a membership', async () => {
    const tenant = await tenantWith(service())
    const one = await signedInUser(service(), tenant)
    const two = await signedInUser(service(), tenant)
    const { organization } = await one.browser.ok<{ organization: OwnOrganization }>('createOwnOrganization', {
      body: { name: 'Research' },
    })
    const params = { id: organization.id }
    const { member } = await one.browser.ok<{ member: { id: string } }>('addFellowMember', {
      params,
      body: { userId: two.user.id, roleId: organization.role?.id },
    })
    const invite = () => two.browser.call('sendInvitation', { params, body: { email: `${unique()}@example.com` } })
    assert.equal((await invite()).status, 200)
    await one.browser.ok('updateFellowMember', { params: { ...params, memberId: member.id }, body: { roleId: null } })
    assert.equal((await invite()).status, 403)
    await one.browser.ok('removeFellowMember', { params: { ...params, memberId: member.id } })
    assert.equal((await invite()).status, 404)
    assert.equal((await two.browser.call('createOwnToken', { body: { orgId: organization.id } })).status, 404)
  })

  // Guards: state-changes
  it('is a session that the user or the tenant has ended, and a user who is made active again must sign in again', async () => {
    const tenant = await tenantWith(service())
    const user = await createUser(service(), tenant.id)
    const { token } = await openSession(service(), tenant.id, user.id)
    const browser = new Browser(service(), tenant.publicKey, { authorization: `Bearer ${token}` })
    await browser.ok('getProfile')
    await service().ok('suspendUser', { params: { id: user.id } })
    await browser.refused('getProfile', 'unauthenticated')
    await service().ok('unsuspendUser', { params: { id: user.id } })
    await browser.refused('getProfile', 'unauthenticated')
  })
})
