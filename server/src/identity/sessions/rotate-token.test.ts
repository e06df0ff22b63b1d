// ASVS 7.2.4: a session's old token becomes useless once its user signs in again, or in another way.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { OwnSession, SocialConnection } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { SoftwareAuthenticator } from '../../../test/harness/browser/software-authenticator.ts'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { createUser, unique } from '../../../test/harness/factories.ts'
import { FakeIdentityProvider } from '../../../test/harness/outside/fake-identity-provider.ts'
import { Person, password } from '../../../test/harness/people/people.ts'
import {
  createSocialWorld,
  errorOf,
  locationOf,
  page,
  person as claims,
} from '../../../test/harness/people/social-sign-in.ts'
import { type TestService, startTestService } from '../../../test/harness/service.ts'

const another = 'staple of another colour'

describeOnEachEngine('the token of a session', (open) => {
  const idp = new FakeIdentityProvider()
  let service: TestService
  /** A second node over the same database that receives no notifications: its memory is as old as it can be. */
  let neighbour: TestService
  before(async () => {
    const { database } = await open()
    service = await startTestService(database)
    neighbour = await startTestService(database)
    await idp.start()
  })
  after(async () => {
    await idp.stop()
    await service.app.close()
    await neighbour.app.close()
  })

  async function someone(headers: Record<string, string> = {}) {
    const { tenant } = await createSocialWorld(service, idp)
    const email = `${unique()}@example.com`
    const user = await createUser(service, tenant.id, { email, password })
    await service.ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
    const person = new Person(service, tenant, user, email)
    Object.assign(person.browser.headers, headers)
    const { sessionToken } = await person.begin()
    if (sessionToken !== undefined) person.browser.headers['authorization'] = `Bearer ${sessionToken}`
    return person
  }

  /** A browser with the cookies that another browser had at this moment. */
  function copyOf({ browser, publicKey }: Person, of = service): Browser {
    const copy = new Browser(of, publicKey, { ...browser.headers })
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
    return copy
  }

  async function currentSession({ browser }: Person) {
    const { sessions } = await browser.ok<{ sessions: OwnSession[] }>('listOwnSessions')
    return sessions.find(({ current }) => current)?.id
  }

  async function connect({ browser }: Person) {
    const body = { providerKey: 'google', redirectUri: page }
    const { authorizeUri } = await browser.ok<{ authorizeUri: string }>('createOwnConnection', { body })
    assert.equal(errorOf(locationOf(await browser.visit(idp.agree(authorizeUri, claims())))), null)
  }

  type Step = (person: Person) => Promise<unknown>
  /** The changes of how a user signs in, each with what must exist before. */
  const changes: Readonly<Record<string, { readonly prepare?: Step; readonly change: Step }>> = {
    'another password is chosen': {
      change: ({ browser }) => browser.ok('updateOwnPassword', { body: { oldPassword: password, password: another } }),
    },
    'an authenticator app is set up': {
      prepare: async (person) => {
        const { secret } = await person.browser.ok<{ secret: string }>('createAuthenticatorCode')
        Object.assign(person, { secret })
      },
      change: (person) => {
        const code = person.codeOf((person as unknown as { secret: string }).secret)
        return person.browser.ok('confirmAuthenticatorCode', { body: { code } })
      },
    },
    'an authenticator app is removed': {
      prepare: (person) => person.addApp(),
      change: ({ browser }) => browser.ok('deleteAuthenticatorCode'),
    },
    'recovery codes are replaced': {
      prepare: (person) => person.addApp(),
      change: ({ browser }) => browser.ok('createRecoveryCodes'),
    },
    'a passkey is added': { change: (person) => person.addPasskey() },
    'a passkey is removed': {
      prepare: async (person) => Object.assign(person, { added: (await person.addPasskey()).passkey.id }),
      change: (person) =>
        person.browser.ok('deletePasskey', { params: { id: (person as unknown as { added: string }).added } }),
    },
    'a social account is connected': { change: connect },
    'a social account is disconnected': {
      prepare: connect,
      change: async ({ browser }) => {
        const { connections } = await browser.ok<{ connections: SocialConnection[] }>('listOwnConnections')
        await browser.ok('deleteOwnConnection', { params: { id: connections[0]?.id ?? '' } })
      },
    },
  }

  for (const [when, { prepare, change }] of Object.entries(changes)) {
    it(`is replaced after ${when}, and the old one is refused at once`, async () => {
      const person = await someone()
      await prepare?.(person)
      const session = await currentSession(person)
      const thief = copyOf(person)
      await thief.ok('getProfile')
      await change(person)
      await thief.refused('getProfile', 'unauthenticated')
      await person.browser.ok('getProfile')
      assert.equal(await currentSession(person), session, 'the session itself continues')
    })
  }

  it('is returned in the answer to an app', async () => {
    const person = await someone({ 'x-session-transport': 'body' })
    const thief = copyOf(person)
    const answers = [
      await person.browser.ok('updateOwnPassword', { body: { oldPassword: password, password: another } }),
      await person.addPasskey(new SoftwareAuthenticator()),
      await person.addApp(),
      await person.browser.ok('createRecoveryCodes'),
      await person.browser.ok('deleteAuthenticatorCode'),
    ]
    const tokens = answers.map((answer) => (answer as { sessionToken?: string }).sessionToken)
    assert.equal(new Set(tokens).size, answers.length)
    await thief.refused('getProfile', 'unauthenticated')
    await person.browser.ok('getProfile')
  })

  it('stays if the change is refused', async () => {
    const person = await someone()
    const copy = copyOf(person)
    const body = { oldPassword: 'not the right one at all', password: another }
    await person.browser.refused('updateOwnPassword', 'factor_refused', { body })
    await copy.ok('getProfile')
  })

  it('is replaced after signing in again, which ends the previous session', async () => {
    const person = await someone()
    const thief = copyOf(person)
    const session = await currentSession(person)
    await person.begin()
    await thief.refused('getProfile', 'unauthenticated')
    assert.notEqual(await currentSession(person), session)
  })

  it('can change nothing once it is replaced, not even on a node that has not heard of it', async () => {
    const person = await someone()
    const thief = copyOf(person, neighbour)
    await thief.ok('getProfile')
    const credential = new SoftwareAuthenticator().create(await person.passkeyOptions(thief))
    await person.addApp()
    await thief.refused('createPasskey', 'unauthenticated', { body: { credential } })
    await thief.refused('updateOwnPassword', 'unauthenticated', { body: { oldPassword: password, password: another } })
  })

  it('allows one of ten simultaneous changes', async () => {
    const person = await someone()
    const body = { oldPassword: password, password: another }
    const browsers = Array.from({ length: 10 }, () => copyOf(person))
    const answers = await Promise.all(browsers.map((browser) => browser.call('updateOwnPassword', { body })))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    const live = await Promise.all(browsers.map((browser) => browser.call('getProfile')))
    assert.equal(live.filter(({ status }) => status === 200).length, 1)
  })

  // Guards: cookies
  it('stays in its cookie, where no script of a page can read it, whatever the page asks for', async () => {
    const person = await someone()
    const inBody = { 'x-session-transport': 'body' }
    const held = new Map(person.browser.cookies)
    const answer = await person.browser.call<{ sessionToken?: string }>('updateOwnPassword', {
      body: { oldPassword: password, password: another },
      headers: inBody,
    })
    assert.deepEqual([answer.status, answer.body.data.sessionToken], [200, undefined])
    assert.notDeepEqual(person.browser.cookies, held)
    await person.browser.ok('getProfile')
    const { secret } = await person.browser.ok<{ secret: string }>('createAuthenticatorCode')
    const confirmed = await person.browser.ok<{ sessionToken?: string }>('confirmAuthenticatorCode', {
      body: { code: person.codeOf(secret) },
      headers: inBody,
    })
    assert.equal(confirmed.sessionToken, undefined)
    await person.browser.ok('getProfile')
  })
})
