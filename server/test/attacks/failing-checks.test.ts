// A check that fails with an error refuses the request. Regression: an exception in a check skipped it (authentik CVE-2024-47070), a
// configuration that could not be read admitted everybody (next-auth GHSA-8fpg-xm3f-6cx3).
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { SignInAnswer } from '@bailiwick/contract'
import type { InjectOptions } from 'fastify'
import type { Deps } from '../../src/identity/deps.ts'
import { newToken } from '../../src/platform/crypto/tokens.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { Browser } from '../harness/browser/frontend.ts'
import { describeOnEachEngine } from '../harness/databases/databases.ts'
import { FailingDatabase } from '../harness/databases/failing-database.ts'
import { createApiKey, createTenant } from '../harness/factories.ts'
import { type Person, password, signedInPerson } from '../harness/people/people.ts'
import { openSession } from '../harness/people/sessions.ts'
import { type Answer, type TestService, startTestService, testEnv } from '../harness/service.ts'

const wrong = 'not the right one at all'

describeOnEachEngine('a check that fails', (open) => {
  let failing: FailingDatabase
  let service: TestService
  let last: Answer | undefined
  let victim: Person
  let suspended: Person
  let attacks: Readonly<Record<string, () => Promise<Answer>>>
  /** The part of the service of which every call fails. */
  let broken: keyof Deps | undefined

  const breakable = <Name extends 'passwordPool' | 'sessions' | 'tenants' | 'sealer'>(
    deps: Deps,
    name: Name,
  ): Deps[Name] =>
    new Proxy(deps[name], {
      get: (target, method) => {
        const value: unknown = Reflect.get(target, method)
        if (typeof value !== 'function') return value
        return (...given: unknown[]): unknown => {
          if (broken === name) throw new Error(`${name} fails`)
          return Reflect.apply(value, target, given) as unknown
        }
      },
    })

  before(async () => {
    failing = new FailingDatabase((await open()).database)
    const started = await startTestService(failing.database, testEnv, (deps) => ({
      passwordPool: breakable(deps, 'passwordPool'),
      sealer: breakable(deps, 'sealer'),
      sessions: breakable(deps, 'sessions'),
      tenants: breakable(deps, 'tenants'),
      hashCode: (text) => {
        if (broken === 'hashCode') throw new Error('hashCode fails')
        return deps.hashCode(text)
      },
    }))
    const request = async (options: InjectOptions) => (last = await started.request(options))
    service = Object.assign(Object.create(started) as TestService, { request })
    const { tenant } = await createTenant(service)
    victim = await signedInPerson(service, tenant)
    suspended = await signedInPerson(service, tenant)
    attacks = await prepared(tenant.id)
  })
  after(() => service.app.close())

  async function prepared(tenantId: string) {
    const { email: identifier } = victim
    await victim.addApp()
    const signIn = (browser: Browser, body: object) =>
      browser.ok<SignInAnswer>('createSignIn', { body: { identifier, ...body } })
    const coded = victim.elsewhere()
    const code = await signIn(coded, { strategy: 'email_code' })
    const halfWay = victim.elsewhere()
    const second = await signIn(halfWay, { strategy: 'email_password', password })
    const { passwordReset } = await victim.elsewhere().ok<{ passwordReset: { id: string } }>('createPasswordReset', {
      body: { identifier },
    })
    const { token, row } = await openSession(service, tenantId, victim.user.id)
    await service.ok('deleteSession', { params: { id: row.id } })
    await service.ok('suspendUser', { params: { id: suspended.user.id } })
    const { key } = await createApiKey(service, tenantId, ['media:read'])
    const withPassword = { strategy: 'email_password', password }
    return {
      'a wrong password': () =>
        victim.elsewhere().call('createSignIn', { body: { identifier, ...withPassword, password: wrong } }),
      'a password without the second factor': () =>
        victim.elsewhere().call('createSignIn', { body: { identifier, ...withPassword } }),
      'the password of a suspended user': () =>
        victim.elsewhere().call('createSignIn', { body: { identifier: suspended.email, ...withPassword } }),
      'a wrong code': () =>
        coded.call('attemptFirstFactor', {
          params: { id: code.signInAttempt.id },
          body: { strategy: 'email_code', code: '99999x' },
        }),
      'a wrong second factor': () =>
        halfWay.call('attemptSecondFactor', {
          params: { id: second.signInAttempt.id },
          body: { strategy: 'authenticator_code', code: '99999x' },
        }),
      'a wrong code of a reset': () =>
        victim.elsewhere().call('attemptPasswordReset', {
          params: { id: passwordReset.id },
          body: { code: '99999x', password: wrong },
        }),
      'a session that has ended': () =>
        victim.elsewhere().call('getProfile', { headers: { authorization: `Bearer ${token}` } }),
      'a key that nobody has': () =>
        service.call('getTenant', { params: { id: tenantId }, token: newToken('sk_dev_') }),
      'a key without the right': () =>
        service.call('createUser', { body: { tenantId, email: 'eve@example.com' }, token: key }),
      'a key of another tenant': async () => {
        const other = await createTenant(service)
        return service.call('getTenant', { params: { id: tenantId }, token: other.secretKey })
      },
    }
  }

  /** Each try is judged, and none is refused because there were too many. */
  const forgive = () =>
    service.deps.db.transaction(async (tx) => {
      await tx.run(sql`DELETE FROM guesses`)
      await tx.run(sql`DELETE FROM quotas`)
      await tx.run(sql`UPDATE verifications SET tries_left = 5`)
    })
  const sessions = async () =>
    (await service.deps.db.all<{ id: string }>(sql`SELECT id FROM sessions WHERE ended_at IS NULL LIMIT 100`)).length

  /** Returns the answer itself, even if it is a 500, which otherwise no operation may answer. */
  async function answerOf(attack: () => Promise<Answer>): Promise<Answer> {
    last = undefined
    try {
      return await attack()
    } catch (error) {
      const answer = last as Answer | undefined
      if (answer === undefined || answer.status < 500) throw error
      return answer
    }
  }

  /** The answer grants nothing: it is an error or, if the password is known, an attempt that still requires the second factor. */
  function assertGivesNothing({ status, headers, body, text }: Answer, what: string) {
    assert.doesNotMatch(JSON.stringify(headers['set-cookie'] ?? ''), /__Host-sid/, what)
    if (status >= 400) return
    assert.ok(what.startsWith('a password without the second factor'), `${what}: ${text}`)
    const { data } = body as { data?: SignInAnswer }
    assert.deepEqual([data?.signInAttempt.status, data?.session], ['needs_factor_two', undefined], `${what}: ${text}`)
  }

  // Guards: failing-checks
  it('grants nothing, whichever database statement fails', async () => {
    const live = await sessions()
    for (const [what, attack] of Object.entries(attacks)) {
      await forgive()
      const statements = await failing.failingAt(Infinity, async () => assertGivesNothing(await answerOf(attack), what))
      for (let n = 1; n <= statements; n++) {
        await forgive()
        service.deps.sessions.clear()
        await failing.failingAt(n, async () => assertGivesNothing(await answerOf(attack), `${what}, statement ${n}`))
      }
    }
    assert.equal(await sessions(), live)
  })

  for (const part of ['passwordPool', 'sessions', 'tenants', 'sealer', 'hashCode'] as const) {
    // Guards: failing-checks, unparsable-input
    it(`grants nothing if ${part} fails`, async () => {
      const live = await sessions()
      for (const [what, attack] of Object.entries(attacks)) {
        if (what === 'a key of another tenant') continue
        await forgive()
        broken = part
        try {
          assertGivesNothing(await answerOf(attack), `${what} without ${part}`)
        } finally {
          broken = undefined
        }
      }
      assert.equal(await sessions(), live)
    })
  }
})
