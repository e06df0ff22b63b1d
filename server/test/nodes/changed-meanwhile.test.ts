// A proof is judged by what is true when it is used: if a password, an address or a second factor is changed at the same moment, no session
// begins that outlives the change.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Authenticator, SignInAnswer, User } from '@bailiwick/contract'
import { lockUser } from '../../src/identity/users/find-user.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { TenantId } from '../../src/platform/ids.ts'
import { Browser } from '../harness/browser/frontend.ts'
import { type CreationOptions, SoftwareAuthenticator } from '../harness/browser/software-authenticator.ts'
import { createTenant, createUser, unique } from '../harness/factories.ts'
import { latestMessageTo } from '../harness/messages.ts'
import { FakeIdentityProvider } from '../harness/outside/fake-identity-provider.ts'
import { createEnterpriseWorld, leave, signInAtWork, staff } from '../harness/people/enterprise.ts'
import { Person, password, signedInPerson } from '../harness/people/people.ts'
import { whoIs } from '../harness/people/social-sign-in.ts'
import type { Answer, TestService } from '../harness/service.ts'
import { browserAt, describeOnTwoNodes } from './two-nodes.ts'

describeOnTwoNodes('changed while a proof of it is under way', (nodes) => {
  const idp = new FakeIdentityProvider()
  before(() => idp.start())
  after(() => idp.stop())

  /** Only on PostgreSQL: on SQLite nobody waits for a row, because all writes wait for their turn. */
  async function untilWaiting(count: number, hasGivenUp: () => boolean): Promise<boolean> {
    const { db } = nodes().one.deps
    if (db.engine === 'sqlite') return true
    while (!hasGivenUp()) {
      const rows = await db.all(sql`SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' LIMIT 10`)
      if (rows.length >= count) return true
      await sleep(10)
    }
    return false
  }

  /**
   * Lets first the change and then the use reach the user, who is held meanwhile, and continue in that order; on SQLite the use begins
   * after the change. Returns false if a busy machine let one of them wait longer than the service allows, so that it was told to come back.
   */
  async function areInThatOrder(
    owner: Pick<Person, 'tenantId'> & { readonly user: Pick<User, 'id'> },
    change: () => Promise<Answer>,
    use: () => Promise<Answer>,
  ) {
    let both: Promise<Answer[]> | undefined
    let answered = 0
    let haveWaited = false
    const counted = (answer: Promise<Answer>) => answer.finally(() => answered++)
    const { db } = nodes().one.deps
    await db.transaction(async (tx) => {
      await lockUser(tx, owner.tenantId as TenantId, owner.user.id)
      const changing = counted(change())
      await untilWaiting(1, () => answered > 0)
      both = Promise.all([changing, counted(db.engine === 'sqlite' ? changing.then(use) : use())])
      haveWaited = await untilWaiting(2, () => answered > 0)
    })
    const wasTooLate = ((await both) ?? []).some(({ status }) => status === 503)
    assert.ok(haveWaited || wasTooLate, 'the user is held, and somebody did not wait')
    return !wasTooLate
  }

  async function begunAt(node: TestService, owner: Person, strategy?: 'email_code') {
    const browser = new Browser(node, owner.publicKey)
    const body = { identifier: owner.email, ...(strategy === undefined ? {} : { strategy }) }
    const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', { body })
    return { owner, browser, params: { id: signInAttempt.id } }
  }

  const begun = async (strategy?: 'email_code') => begunAt(nodes().other, await signedInPerson(nodes().one), strategy)

  // Guards: reset-codes
  it('a password that was right begins no session after its change', async () => {
    for (let rounds = 0; rounds < 3;) {
      const { owner, browser, params } = await begun()
      const change = () => nodes().one.call('changeUserPassword', { params: { id: owner.user.id }, body: { password } })
      const step = { params, body: { strategy: 'email_password', password } }
      if (!(await areInThatOrder(owner, change, () => browser.call('attemptFirstFactor', step)))) continue
      rounds++
      await browserAt(nodes().one, browser).refused('getProfile', 'unauthenticated')
    }
  })

  // Guards: bound-proofs
  it('a code that was sent to an address does not verify its replacement', async () => {
    for (let rounds = 0; rounds < 3;) {
      const { owner, browser, params } = await begun('email_code')
      const { code } = await latestMessageTo(nodes().other.deps, owner.email)
      const id = owner.user.primaryEmailId
      const email = `${unique()}@example.com`
      const change = () => nodes().one.call('updateEmailAddress', { body: { id, email } })
      const step = { params, body: { strategy: 'email_code', code } }
      if (!(await areInThatOrder(owner, change, () => browser.call('attemptFirstFactor', step)))) continue
      rounds++
      const { data } = await nodes().one.ok<{ data: User }>('getUser', { params: { id: owner.user.id } })
      assert.deepEqual(
        data.emailAddresses.map((address) => [address.email, address.verifiedAt]),
        [[email, null]],
      )
    }
  })

  // Guards: bound-proofs
  it('a person whose identity at the provider is forgotten does not get into the account', async () => {
    const { one, other } = nodes()
    const { tenant, connection, domain, browser } = await createEnterpriseWorld(one, idp)
    for (let rounds = 0; rounds < 3;) {
      const claims = staff(domain)
      await signInAtWork(browser, idp, claims)
      const owner = { tenantId: tenant.id, user: await whoIs(browser) }
      const params = { userId: owner.user.id, id: connection.id }
      const again = new Browser(other, tenant.publicKey)
      const { authorizeUri } = await leave(again, String(claims['email']))
      // Without an address, nothing but the identity says whose account it is.
      const back = idp.agree(authorizeUri, { ...claims, email: undefined })
      const forget = () => one.call('deleteConnectionOfUser', { params })
      if (!(await areInThatOrder(owner, forget, () => again.visit(back)))) continue
      rounds++
      // At best the person is new.
      const { status, body } = await again.call<{ user: { id: string } }>('getProfile')
      if (status === 200) assert.notEqual(body.data.user.id, owner.user.id)
      else assert.equal(status, 401)
    }
  })

  /** Signs in at one node by a code for the address, in another browser than that of the owner. */
  async function signInByCode(owner: Person) {
    const { browser, params } = await begunAt(nodes().one, owner, 'email_code')
    const { code } = await latestMessageTo(nodes().one.deps, owner.email)
    await browser.ok('attemptFirstFactor', { params, body: { strategy: 'email_code', code } })
    return browser
  }

  // Guards: bound-proofs
  it('a password alone begins no session once a second factor is set up', async () => {
    for (let rounds = 0; rounds < 3;) {
      const { owner, browser, params } = await begun()
      const own = await signInByCode(owner)
      const { secret } = await own.ok<{ secret: string }>('createAuthenticatorCode')
      const auth = { params: { id: owner.tenantId }, body: { secondFactorRequired: true } }
      // It makes no difference whether a rule asks for one.
      if (rounds > 0) await nodes().one.ok('putAuthTenant', auth)
      let recoveryCodes: readonly string[] = []
      const enrol = async () => {
        const body = { code: owner.codeOf(secret) }
        const answer = await own.call<{ recoveryCodes: string[] }>('confirmAuthenticatorCode', { body })
        if (answer.status === 200) ({ recoveryCodes } = answer.body.data)
        return answer
      }
      const step = { params, body: { strategy: 'email_password', password } }
      if (!(await areInThatOrder(owner, enrol, () => browser.call('attemptFirstFactor', step)))) continue
      rounds++
      for (const node of [nodes().one, nodes().other])
        await browserAt(node, browser).refused('getProfile', 'unauthenticated')
      const { signInAttempt } = await browser.ok<SignInAnswer>('getSignIn', { params })
      assert.equal(signInAttempt.status, 'needs_factor_two')
      const body = { strategy: 'authenticator_code', code: recoveryCodes[0] }
      const { session } = await browser.ok<SignInAnswer>('attemptSecondFactor', { params, body })
      assert.equal(session?.userId, owner.user.id)
    }
  })

  /** An attempt that has proven the password and the address, and may now set up the first second factor. */
  async function choosing(node: TestService, owner: Person, strategy: 'authenticator_code' | 'security_key') {
    const { browser, params } = await begunAt(node, owner)
    await browser.ok('attemptFirstFactor', { params, body: { strategy: 'email_password', password } })
    // The address counts its messages.
    nodes().advance(60_000)
    await browser.ok('prepareSecondFactor', { params, body: { strategy: 'email_code' } })
    const { code } = await latestMessageTo(node.deps, owner.email)
    await browser.ok('attemptSecondFactor', { params, body: { strategy: 'email_code', code } })
    const begin = await browser.ok<SignInAnswer>('prepareSecondFactor', { params, body: { strategy } })
    const credential =
      strategy === 'security_key' && new SoftwareAuthenticator().create(begin.publicKeyOptions as CreationOptions)
    const finish = () => {
      const proof = credential === false ? { code: owner.codeOf(begin.authenticator?.secret ?? '') } : { credential }
      return browser.call<SignInAnswer>('attemptSecondFactor', { params, body: { strategy, ...proof } })
    }
    return { browser, finish }
  }

  // Guards: bound-proofs
  it('of two factors that are set up at once while signing in, one is there, and the other begins no session', async () => {
    for (let rounds = 0; rounds < 2;) {
      const { tenant } = await createTenant(nodes().one)
      await nodes().one.ok('putAuthTenant', { params: { id: tenant.id }, body: { secondFactorRequired: true } })
      const email = `${unique()}@example.com`
      const user = await createUser(nodes().one, tenant.id, { email, password, emailVerified: true })
      const owner = new Person(nodes().one, tenant, user, email)
      const app = await choosing(nodes().other, owner, 'authenticator_code')
      const passkey = await choosing(nodes().one, owner, 'security_key')
      const [first, second] = rounds === 0 ? [passkey, app] : [app, passkey]
      if (!(await areInThatOrder(owner, first.finish, second.finish))) continue
      await first.browser.ok('getProfile')
      await second.browser.refused('getProfile', 'unauthenticated')
      const factors = await nodes().one.ok<Authenticator[]>('listUserAuthenticators', { params: { id: user.id } })
      const types = factors.map(({ type }) => type)
      assert.deepEqual(types, [rounds === 0 ? 'passkey' : 'totp', 'recovery_codes'])
      rounds++
    }
  })
})
