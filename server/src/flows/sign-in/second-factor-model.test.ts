// Random sequences of steps with a second factor, by two browsers and for two accounts, while passwords change, factors are added and
// removed, and the tenant switches strategies off and suspends users: a session, and what only a fresh one may do, require both proofs,
// each right at the moment in which it is used, given by the browser that began the attempt.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import fc from 'fast-check'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { startServiceWithClock } from '../../../test/harness/people/sessions.ts'
import type { TestService } from '../../../test/harness/service.ts'
import { type Step, step } from '../../../test/nodes/factor-steps.ts'
import { FactorWorld } from '../../../test/nodes/factor-world.ts'

/** Fixed, so that it does not depend on chance whether the walk reaches what it is meant to reach. */
const ways: Readonly<Record<string, Step[]>> = {
  'a code of the app': [
    { do: 'begin', browser: 0, account: 0, by: 'email' },
    { do: 'password', browser: 0, attempt: 0, with: 'right' },
    { do: 'second', browser: 0, attempt: 0, with: 'app' },
    { do: 'raise', browser: 0 },
  ],
  'a recovery code after a code by SMS': [
    { do: 'begin', browser: 1, account: 0, by: 'phone' },
    { do: 'send', browser: 1, attempt: 0, strategy: 'phone_code' },
    { do: 'code', browser: 1, attempt: 0, strategy: 'phone_code', with: 'newest' },
    { do: 'second', browser: 1, attempt: 0, with: 'recovery' },
  ],
  'a passkey after the password': [
    { do: 'change', account: 0, what: 'key replaced' },
    { do: 'begin', browser: 0, account: 0, by: 'email' },
    { do: 'password', browser: 0, attempt: 0, with: 'right' },
    { do: 'key', browser: 0, attempt: 0, as: 'second', with: 'own', answers: 'this' },
    { do: 'raise', browser: 0 },
  ],
  'a passkey alone': [
    { do: 'change', account: 0, what: 'key replaced' },
    { do: 'begin', browser: 1, account: 0, by: 'phone' },
    { do: 'key', browser: 1, attempt: 0, as: 'first', with: 'own', answers: 'this' },
  ],
  'a recovery code if a passkey is the only second factor': [
    { do: 'change', account: 0, what: 'key replaced' },
    { do: 'change', account: 0, what: 'app removed' },
    { do: 'begin', browser: 0, account: 0, by: 'email' },
    { do: 'password', browser: 0, attempt: 0, with: 'right' },
    { do: 'second', browser: 0, attempt: 0, with: 'recovery' },
  ],
  'the first factor alone if the tenant accepts no second one': [
    { do: 'switch', setting: 'strategyAuthenticatorCodeEnabled', isOn: false },
    { do: 'begin', browser: 0, account: 0, by: 'email' },
    { do: 'send', browser: 0, attempt: 0, strategy: 'email_code' },
    { do: 'code', browser: 0, attempt: 0, strategy: 'email_code', with: 'newest' },
  ],
  'the first factor alone if the second was removed': [
    { do: 'change', account: 0, what: 'app removed' },
    { do: 'begin', browser: 0, account: 0, by: 'email' },
    { do: 'password', browser: 0, attempt: 0, with: 'right' },
  ],
}

describeOnEachEngine('the flow of signing in with a second factor', (open) => {
  let service: TestService
  let advance: (ms: number) => void
  before(async () => {
    ;({ service, advance } = await startServiceWithClock((await open()).database))
  })
  after(() => service.app.close())

  async function walk(steps: readonly Step[]) {
    const world = await FactorWorld.create(service, advance)
    for (const taken of steps) await world.take(taken)
    await world.assertSessions()
    return world.reached
  }

  for (const [name, steps] of Object.entries(ways)) {
    it(`reaches a session by ${name}`, async () => {
      const { sessions, raised } = await walk(steps)
      assert.equal(sessions, 1)
      assert.equal(raised, steps.some((taken) => taken.do === 'raise') ? 1 : 0)
    })
  }

  const changes: readonly Step[] = [
    { do: 'change', account: 0, what: 'password' },
    { do: 'change', account: 0, what: 'app removed' },
    { do: 'change', account: 0, what: 'suspended' },
    { do: 'switch', setting: 'strategyAuthenticatorCodeEnabled', isOn: false },
    { do: 'switch', setting: 'strategyEmailPasswordEnabled', isOn: false },
    { do: 'wait', minutes: 11 },
  ]
  for (const change of changes) {
    const name = Object.values(change).join(' ')
    // Guards: reset-codes
    it(`reaches none if this happens between the factors: ${name}`, async () => {
      const [begin, first] = ways['a code of the app'] as [Step, Step]
      const proofs = (['old app', 'app', 'recovery', 'spent'] as const).map((each): Step => ({
        do: 'second',
        browser: 0,
        attempt: 0,
        with: each,
      }))
      assert.deepEqual(await walk([begin, first, change, ...proofs]), { sessions: 0, raised: 0 })
    })
  }

  const keyChanges: readonly Step[] = [
    { do: 'change', account: 0, what: 'password' },
    { do: 'change', account: 0, what: 'key removed' },
    { do: 'change', account: 0, what: 'suspended' },
    { do: 'switch', setting: 'strategySecurityKeyEnabled', isOn: false },
    { do: 'switch', setting: 'strategyEmailPasswordEnabled', isOn: false },
    { do: 'wait', minutes: 11 },
  ]
  for (const change of keyChanges) {
    const name = Object.values(change).join(' ')
    it(`reaches none with a passkey if this happens between the factors: ${name}`, async () => {
      const [replace, begin, first, key] = ways['a passkey after the password'] as [Step, Step, Step, Step]
      const earlier: Step = { do: 'key', browser: 0, attempt: 0, as: 'second', with: 'earlier', answers: 'this' }
      const spent = { ...key, answers: 'earlier' } as Step
      assert.deepEqual(await walk([replace, begin, first, change, key, earlier, spent]), { sessions: 0, raised: 0 })
    })
  }

  it('reaches none with a passkey of another user, a removed one, or a challenge that was answered', async () => {
    const [replace, begin, first, key] = ways['a passkey after the password'] as [
      Step,
      Step,
      Step,
      Step & { do: 'key' },
    ]
    const others: Step[] = [replace, { ...replace, account: 1 } as Step]
    const bad: Step[] = (['first', 'second'] as const).flatMap((as) => [
      { ...key, as, with: 'of another' },
      { ...key, as, answers: 'earlier' },
      { ...key, as, with: 'earlier' },
      { ...key, as, browser: 1 },
    ])
    const none = { sessions: 0, raised: 0 }
    assert.deepEqual(await walk([replace, ...others, begin, ...bad, first, ...bad]), none)
    assert.deepEqual(await walk([replace, ...others, begin, ...bad, first, ...bad, key]), { sessions: 1, raised: 0 })
  })

  it('reaches none with the code of an app that was replaced between the factors', async () => {
    const [begin, first] = ways['a code of the app'] as [Step, Step]
    const replaced: Step = { do: 'change', account: 0, what: 'app replaced' }
    const proofs = (['old app', 'spent'] as const).map((each): Step => ({
      do: 'second',
      browser: 0,
      attempt: 0,
      with: each,
    }))
    assert.deepEqual(await walk([begin, first, replaced, ...proofs]), { sessions: 0, raised: 0 })
  })

  it('reaches none if the number that a code was sent to is removed between the factors', async () => {
    const [begin, send, code, second] = ways['a recovery code after a code by SMS'] as [Step, Step, Step, Step]
    const gone: Step = { do: 'change', account: 0, what: 'phone' }
    assert.deepEqual(await walk([begin, send, code, gone, second]), { sessions: 0, raised: 0 })
    assert.deepEqual(await walk([begin, send, gone, code, second]), { sessions: 0, raised: 0 })
  })

  it('refreshes a session by both proofs, not by the first alone', async () => {
    const [begin, first, second, raise] = ways['a code of the app'] as [Step, Step, Step, Step]
    const stale: Step[] = [begin, first, second, { do: 'wait', minutes: 11 }, raise]
    assert.deepEqual(await walk(stale), { sessions: 1, raised: 0 })
    assert.deepEqual(await walk([...stale, begin, first, raise]), { sessions: 1, raised: 0 })
    assert.deepEqual(await walk([...stale, begin, first, second, raise]), { sessions: 2, raised: 1 })
  })

  // Guards: reset-codes, orders-of-steps
  it('reaches one only by right proofs of the right browser, whatever changes meanwhile', async () => {
    const reached = { sessions: 0, raised: 0 }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 16 }), async (steps) => {
        const { sessions, raised } = await walk(steps)
        reached.sessions += sessions
        reached.raised += raised
      }),
      { numRuns: 25, examples: Object.values(ways).map((steps) => [steps]) },
    )
    // Otherwise the test would show nothing.
    assert.ok(reached.sessions > 0 && reached.raised > 0, JSON.stringify(reached))
  })
})
