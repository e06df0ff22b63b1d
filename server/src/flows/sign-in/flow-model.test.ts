// Random sequences of steps, by two browsers and for two accounts: in whatever order they come, a session is opened only by a right proof
// that the browser which began the attempt gives, for the account that the attempt is for.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { SignInAnswer } from '@bailiwick/contract'
import fc from 'fast-check'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { latestMessageTo } from '../../../test/harness/messages.ts'
import { describeService } from '../../../test/harness/service.ts'

const password = 'correct horse battery staple'
const who = fc.constantFrom(0, 1)
/** Mostly the newest attempt: older ones only show that they are not open. */
const attemptBack = fc.constantFrom(0, 0, 0, 1, 2, 3)
const strategies = ['email_password', 'email_code', 'email_link', 'phone_code', 'oauth', 'security_key'] as const

const step = fc.oneof(
  fc.record({ do: fc.constant('begin' as const), browser: who, account: fc.constantFrom(0, 1, 2) }),
  fc.record({ do: fc.constant('send' as const), browser: who, attempt: attemptBack }),
  fc.record({
    do: fc.constant('prove' as const),
    browser: who,
    attempt: attemptBack,
    with: fc.constantFrom('newest code' as const, 'code of another' as const, 'junk' as const, 'nothing' as const),
  }),
  fc.record({ do: fc.constant('password' as const), browser: who, attempt: attemptBack, isRight: fc.boolean() }),
  fc.record({
    do: fc.constant('odd' as const),
    browser: who,
    attempt: attemptBack,
    strategy: fc.constantFrom(...strategies),
  }),
  fc.record({ do: fc.constant('second' as const), browser: who, attempt: attemptBack }),
  fc.record({ do: fc.constant('read' as const), browser: who, attempt: attemptBack }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Fixed, so that it does not depend on chance whether the walk reaches any session at all. */
const shortestWay: Step[] = [
  { do: 'begin', browser: 0, account: 0 },
  { do: 'password', browser: 0, attempt: 0, isRight: true },
]

interface Attempt {
  readonly id: string
  readonly browser: number
  readonly account: number
  isOpen: boolean
  /** The code that was sent last for it. */
  code: string | undefined
}

describeService('the flow of signing in', (service) => {
  async function world() {
    const { tenant } = await createTenant(service())
    const people = await Promise.all(
      [0, 1].map(async () => {
        const email = `${unique()}@example.com`
        const user = await createUser(service(), tenant.id, { email, password })
        await service().ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
        return { email, id: user.id }
      }),
    )
    const emails = [...people.map(({ email }) => email), `${unique()}@example.com`]
    const browsers = [0, 1].map(() => new Browser(service(), tenant.publicKey))
    return { people, emails, browsers, attempts: [] as Attempt[] }
  }
  type World = Awaited<ReturnType<typeof world>>

  /** The user of the session that an answer contains; undefined if it contains none. */
  const sessionOf = (answer: { status: number; body: { data?: SignInAnswer } }) =>
    answer.status === 200 ? answer.body.data?.session?.userId : undefined

  async function take({ people, emails, browsers, attempts }: World, taken: Step): Promise<number> {
    const browser = browsers[taken.browser]
    if (browser === undefined) return 0
    if (taken.do === 'begin') {
      const answer = await browser.call<SignInAnswer>('createSignIn', { body: { identifier: emails[taken.account] } })
      assert.equal(sessionOf(answer), undefined)
      if (answer.status !== 200) return 0
      const { id } = answer.body.data.signInAttempt
      // A browser holds the token of the attempt that it began last.
      for (const each of attempts) if (each.browser === taken.browser) each.isOpen = false
      attempts.push({ id, browser: taken.browser, account: taken.account, isOpen: true, code: undefined })
      return 0
    }
    const attempt = attempts.at(-1 - taken.attempt)
    if (attempt === undefined) return 0
    const params = { id: attempt.id }
    const isOwn = attempt.browser === taken.browser && attempt.isOpen
    let isLegal = false
    let answer
    switch (taken.do) {
      case 'send':
        answer = await browser.call<SignInAnswer>('prepareFirstFactor', { params, body: { strategy: 'email_code' } })
        if (answer.status === 200 && attempt.account < 2) {
          attempt.code = (await latestMessageTo(service().deps, emails[attempt.account] ?? '')).code ?? undefined
        }
        break
      case 'prove': {
        const other = attempts.find((each) => each !== attempt && each.code !== undefined && each.code !== attempt.code)
        const codes = {
          'newest code': attempt.code,
          'code of another': other?.code,
          junk: '99999x',
          nothing: undefined,
        }
        const code = codes[taken.with]
        answer = await browser.call<SignInAnswer>('attemptFirstFactor', {
          params,
          body: { strategy: 'email_code', ...(code === undefined ? {} : { code }) },
        })
        isLegal = isOwn && code !== undefined && code === attempt.code
        break
      }
      case 'password':
        answer = await browser.call<SignInAnswer>('attemptFirstFactor', {
          params,
          body: { strategy: 'email_password', password: taken.isRight ? password : 'not the right one' },
        })
        isLegal = isOwn && taken.isRight && attempt.account < 2
        break
      case 'odd':
        answer = await browser.call<SignInAnswer>('attemptFirstFactor', { params, body: { strategy: taken.strategy } })
        break
      case 'second':
        answer = await browser.call<SignInAnswer>('attemptSecondFactor', { params, body: { code: '000000' } })
        break
      case 'read':
        answer = await browser.call<SignInAnswer>('getSignIn', { params })
    }
    const userId = sessionOf(answer)
    if (userId === undefined) return 0
    assert.ok(isLegal, `a session followed from ${JSON.stringify(taken)}`)
    assert.equal(userId, people[attempt.account]?.id)
    attempt.isOpen = false
    return 1
  }

  // Guards: orders-of-steps
  it('reaches a session only by a right proof of the right browser', async () => {
    let sessions = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const scene = await world()
        for (const taken of steps) sessions += await take(scene, taken)
      }),
      { numRuns: 40, examples: [[shortestWay]] },
    )
    // Otherwise the test would show nothing.
    assert.ok(sessions > 0, 'no sequence reached a session')
  })
})
