// Who owns an account once an address is proven that somebody entered at sign-up without proving to own it (docs/security-tests.md 2.2). If
// it is proven from outside, the account changes hands: nothing is left that let its earlier holder in. If the signed-in user proves it,
// nothing changes.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Authenticator, Profile, SignInAnswer, SignUpAnswer, SocialConnection } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { storedEvents } from '../../../test/harness/databases/stored.ts'
import { createUser, unique } from '../../../test/harness/factories.ts'
import { latestMessageTo } from '../../../test/harness/messages.ts'
import { FakeIdentityProvider } from '../../../test/harness/outside/fake-identity-provider.ts'
import { keptAccess, storeKeptAccess } from '../../../test/harness/people/kept-access.ts'
import { Person } from '../../../test/harness/people/people.ts'
import {
  type SocialWorld,
  createSocialWorld,
  errorOf,
  locationOf,
  page,
  signInAs,
  person as claims,
} from '../../../test/harness/people/social-sign-in.ts'
import { type TestService, startTestService } from '../../../test/harness/service.ts'

const password = 'correct horse battery staple'
const another = 'staple of another colour'

describeOnEachEngine('an address that somebody only claims to own', (open) => {
  const idp = new FakeIdentityProvider()
  let service: TestService
  before(async () => {
    service = await startTestService((await open()).database)
    await idp.start()
  })
  after(async () => {
    await idp.stop()
    await service.app.close()
  })

  interface Account {
    readonly world: SocialWorld
    readonly person: Person
    readonly holder: Browser
    readonly email: string
    readonly phone: string
  }

  const newPhone = () => `+49151${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`
  const codeFor = async (to: string) => (await latestMessageTo(service.deps, to)).code ?? ''

  const newWorld = (isPhoneAsked: boolean) =>
    createSocialWorld(service, idp, {
      auth: {
        emailVerificationRequired: false,
        phoneVerificationRequired: isPhoneAsked,
        phoneVerificationCodeEnabled: true,
        phoneSignInEnabled: true,
        strategyPhoneCodeEnabled: true,
        strategyPhonePasswordEnabled: true,
        strategyEmailLinkEnabled: true,
      },
    })

  /** Everything with which somebody can get in: a password, a session, a passkey, connections, and access that is kept. */
  async function furnish(world: SocialWorld, holder: Browser, email: string, phone: string): Promise<Account> {
    const { user } = await holder.ok<{ user: Profile }>('getProfile')
    const person = new Person(service, world.tenant, user as never, email)
    Object.assign(person, { browser: holder })
    await person.addPasskey()
    const body = { providerKey: 'google', redirectUri: page }
    const { authorizeUri } = await holder.ok<{ authorizeUri: string }>('createOwnConnection', { body })
    assert.equal(errorOf(locationOf(await holder.visit(idp.agree(authorizeUri, claims())))), null)
    await storeKeptAccess(service, world.tenant.id, person.user.id)
    return { world, person, holder, email, phone }
  }

  /** Signs up with an address that the holder does not verify, and a phone number that the holder may or may not verify. */
  async function signedUp(isPhoneProven: boolean): Promise<Account> {
    const world = await newWorld(isPhoneProven)
    const [email, phone] = [`${unique()}@example.com`, newPhone()]
    const holder = new Browser(service, world.tenant.publicKey)
    const { signUpAttempt } = await holder.ok<SignUpAnswer>('createSignUp', { body: { email, phone, password } })
    if (isPhoneProven) {
      const params = { id: signUpAttempt.id }
      await holder.ok('prepareVerification', { params, body: { strategy: 'phone_code' } })
      const body = { strategy: 'phone_code', code: await codeFor(phone) }
      await holder.ok('attemptVerification', { params, body })
    }
    return furnish(world, holder, email, phone)
  }

  /** An account that the tenant made, which also says what the address is. */
  async function madeByTenant(): Promise<Account> {
    const world = await newWorld(false)
    const [email, phone] = [`${unique()}@example.com`, newPhone()]
    await createUser(service, world.tenant.id, { email, phone, password })
    const holder = new Browser(service, world.tenant.publicKey)
    await holder.ok('createSignIn', { body: { identifier: email, strategy: 'email_password', password } })
    return furnish(world, holder, email, phone)
  }

  const accounts = {
    'with a proven phone': () => signedUp(true),
    'with nothing proven': () => signedUp(false),
    'made by the tenant': madeByTenant,
  }
  type AccountName = keyof typeof accounts

  async function byCode(browser: Browser, email: string, strategy: 'email_code' | 'email_link' = 'email_code') {
    const body = { identifier: email, strategy, redirectUri: 'http://localhost:3000/' }
    const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', { body })
    const { code, link } = await latestMessageTo(service.deps, email)
    const secret =
      strategy === 'email_code' ? code : new URLSearchParams(new URL(link ?? '').hash.slice(1)).get('token')
    await browser.ok('attemptFirstFactor', { params: { id: signInAttempt.id }, body: { strategy, code: secret } })
  }

  /** The ways of proving to own the address; in another browser unless stated. */
  const proofs = {
    'a code': (owner: Browser, { email }: Account) => byCode(owner, email),
    'a link': (owner: Browser, { email }: Account) => byCode(owner, email, 'email_link'),
    'a password reset': async (owner: Browser, { email }: Account) => {
      const body = { identifier: email }
      const { passwordReset } = await owner.ok<{ passwordReset: { id: string } }>('createPasswordReset', { body })
      const params = { id: passwordReset.id }
      await owner.ok('attemptPasswordReset', { params, body: { code: await codeFor(email), password: another } })
    },
    'a social account': async (owner: Browser, { email }: Account) => {
      const at = await signInAs(owner, idp, claims({ email }))
      if (errorOf(at) !== null) throw new Error(errorOf(at) ?? '')
    },
    'verifying it while signed in': async (_owner: Browser, { holder, email }: Account) => {
      const { emails } = await holder.ok<{ emails: { id: string }[] }>('listOwnEmails')
      const params = { id: emails[0]?.id ?? '' }
      await holder.ok('prepareOwnEmail', { params })
      await holder.ok('verifyOwnEmail', { params, body: { code: await codeFor(email) } })
    },
    'a code in the session': (_owner: Browser, { holder, email }: Account) => byCode(holder, email),
  }
  type ProofName = keyof typeof proofs

  type Outcome = 'everything ends' | 'everything stays' | 'refused'
  const ends = 'everything ends'
  const stays = 'everything stays'
  const inside = { 'verifying it while signed in': stays, 'a code in the session': stays } as const
  const matrix: Readonly<Record<AccountName, Readonly<Record<ProofName, Outcome>>>> = {
    // The owner of the address at a provider and the person who verified the phone must not share an account.
    'with a proven phone': {
      'a code': ends,
      'a link': ends,
      'a password reset': ends,
      'a social account': 'refused',
      ...inside,
    },
    'with nothing proven': {
      'a code': ends,
      'a link': ends,
      'a password reset': ends,
      'a social account': ends,
      ...inside,
    },
    // A provider asserts who somebody is; the tenant has made nobody verify that.
    'made by the tenant': {
      'a code': stays,
      'a link': stays,
      'a password reset': stays,
      'a social account': ends,
      ...inside,
    },
  }

  async function assertEnds({ world, person, holder, phone, email }: Account, proof: ProofName) {
    await holder.refused('getProfile', 'unauthenticated')
    const params = { id: person.user.id }
    assert.deepEqual(await service.ok<Authenticator[]>('listUserAuthenticators', { params }), [])
    const again = () => new Browser(service, world.tenant.publicKey)
    for (const [strategy, identifier] of [
      ['email_password', email],
      ['phone_password', phone],
    ] as const) {
      const body = { identifier, strategy, password }
      await again().refused('createSignIn', 'factor_refused', { body })
    }
    const { data } = await service.ok<{ data: { phoneNumbers: unknown[]; emailAddresses: unknown[] } }>('getUser', {
      params,
    })
    const isTenants = proof === 'a social account' && data.phoneNumbers.length === 1
    if (!isTenants) assert.deepEqual(data.phoneNumbers, [], 'no code is sent to the phone any more')
    const [event] = await storedEvents(service, world.tenant.id, 'user.unproven_access_ended')
    assert.equal(event?.subject_id, person.user.id)
    assert.deepEqual(await keptAccess(service, world.tenant.id), { kept: 0, toRevoke: 1 })
  }

  async function assertStays({ world, person, holder, phone }: Account, proof: ProofName) {
    const params = { id: person.user.id }
    const left = await service.ok<Authenticator[]>('listUserAuthenticators', { params })
    assert.ok(left.some(({ type }) => type === 'passkey'))
    // Whoever resets a password chooses a new one and ends all sessions, whoever it is.
    if (proof !== 'a password reset') {
      await holder.ok('getProfile')
      const { connections } = await holder.ok<{ connections: SocialConnection[] }>('listOwnConnections')
      assert.ok(connections.length > 0)
      const body = { identifier: phone, strategy: 'phone_password', password }
      const { signInAttempt } = await new Browser(service, world.tenant.publicKey).ok<SignInAnswer>('createSignIn', {
        body,
      })
      assert.equal(signInAttempt.status, 'needs_factor_two')
    }
    assert.deepEqual(await storedEvents(service, world.tenant.id, 'user.unproven_access_ended'), [])
    assert.deepEqual(await keptAccess(service, world.tenant.id), { kept: 1, toRevoke: 0 })
  }

  for (const account of Object.keys(matrix) as AccountName[]) {
    for (const proof of Object.keys(proofs) as ProofName[]) {
      const outcome = matrix[account][proof]
      // Guards: claimed-addresses
      it(`of an account ${account}, proven by ${proof}: ${outcome}`, async () => {
        const made = await accounts[account]()
        const owner = new Browser(service, made.world.tenant.publicKey)
        if (outcome === 'refused') {
          await assert.rejects(proofs[proof](owner, made), /connection_required/)
          return assertStays(made, proof)
        }
        await proofs[proof](owner, made)
        return outcome === ends ? assertEnds(made, proof) : assertStays(made, proof)
      })
    }
  }

  it('also ends the passkey of an account without a password when it is proven', async () => {
    const world = await createSocialWorld(service, idp, {
      auth: { emailVerificationRequired: false, passwordRequired: false },
    })
    const email = `${unique()}@example.com`
    const holder = new Browser(service, world.tenant.publicKey)
    await holder.ok('createSignUp', { body: { email } })
    const { user } = await holder.ok<{ user: Profile }>('getProfile')
    const person = new Person(service, world.tenant, user as never, email)
    Object.assign(person, { browser: holder })
    await person.addPasskey()
    await byCode(new Browser(service, world.tenant.publicKey), email)
    await holder.refused('getProfile', 'unauthenticated')
    assert.deepEqual(await service.ok('listUserAuthenticators', { params: { id: user.id } }), [])
  })

  // Guards: claimed-addresses
  it('cannot be taken back with the other address that the earlier holder entered', async () => {
    const account = await signedUp(false)
    const owner = new Browser(service, account.world.tenant.publicKey)
    await byCode(owner, account.email)
    const thief = new Browser(service, account.world.tenant.publicKey)
    const body = { identifier: account.phone, strategy: 'phone_code' }
    const { signInAttempt } = await thief.ok<SignInAnswer>('createSignIn', { body })
    await assert.rejects(latestMessageTo(service.deps, account.phone), /nothing was sent/)
    const guess = { strategy: 'phone_code', code: '000000' }
    await thief.refused('attemptFirstFactor', 'factor_refused', { params: { id: signInAttempt.id }, body: guess })
    await owner.ok('getProfile')
  })
})
