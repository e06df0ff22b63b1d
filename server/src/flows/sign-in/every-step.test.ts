// Every step at every state of an attempt: a refusal gives the true reason. Regression: the steps of the second factor said that an attempt
// had ended which in fact waited for its first factor.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { SignInAnswer, SignUpAnswer } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { unique } from '../../../test/harness/factories.ts'
import { latestMessageTo } from '../../../test/harness/messages.ts'
import { type Person, password, signedInPerson } from '../../../test/harness/people/people.ts'
import { startServiceWithClock } from '../../../test/harness/people/sessions.ts'
import { tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import type { TestService } from '../../../test/harness/service.ts'

const states = ['needs_identifier', 'needs_factor_one', 'needs_factor_two', 'complete', 'expired'] as const
type State = (typeof states)[number]

const firstComesFirst = 'Prove the first factor of this attempt before the second.'
const secondComesNext = 'The first factor of this attempt was already proved. Continue with the second factor.'
const isOver = /is finished or has expired/

/** The steps, with what each answers at the states where it is not the next one. */
const steps = {
  prepareFirstFactor: { body: { strategy: 'email_code' }, at: ['needs_identifier', 'needs_factor_one'] },
  attemptFirstFactor: { body: { strategy: 'email_password', password }, at: ['needs_identifier', 'needs_factor_one'] },
  prepareSecondFactor: { body: { strategy: 'authenticator_code' }, at: ['needs_factor_two'] },
  attemptSecondFactor: { body: { strategy: 'authenticator_code', code: '000000' }, at: ['needs_factor_two'] },
} as const
type Step = keyof typeof steps

describeOnEachEngine('a step of an attempt to sign in', (open) => {
  let service: TestService
  let advance: (ms: number) => void
  before(async () => {
    ;({ service, advance } = await startServiceWithClock((await open()).database))
  })
  after(() => service.app.close())

  const idOf = ({ signInAttempt }: SignInAnswer) => signInAttempt.id
  const begin = async (browser: Browser, body: object) => idOf(await browser.ok<SignInAnswer>('createSignIn', { body }))

  async function attemptAt(person: Person, browser: Browser, state: State): Promise<string> {
    const { email: identifier } = person
    if (state === 'needs_identifier') return begin(browser, {})
    if (state === 'needs_factor_one') return begin(browser, { identifier })
    if (state === 'needs_factor_two') return idOf(await person.begin(browser))
    if (state === 'complete') {
      const id = idOf(await person.begin(browser))
      const { recoveryCodes } = await person.browser.ok<{ recoveryCodes: string[] }>('createRecoveryCodes')
      const body = { strategy: 'authenticator_code', code: recoveryCodes[0] }
      await browser.ok('attemptSecondFactor', { params: { id }, body })
      return id
    }
    const id = await begin(browser, { identifier })
    advance(11 * 60_000)
    return id
  }

  for (const state of states) {
    it(`gets a truthful error if the attempt is ${state === 'expired' ? state : `at ${state}`}`, async () => {
      for (const step of Object.keys(steps) as Step[]) {
        const person = await signedInPerson(service)
        await person.addApp()
        const browser = person.elsewhere()
        const id = await attemptAt(person, browser, state)
        const { body, at } = steps[step]
        const answer = await browser.call(step, { params: { id }, body })
        const { code, message } = answer.body as { code?: string; message?: string }
        const told = `${step}: ${answer.text}`
        if ((at as readonly State[]).includes(state)) {
          assert.ok(code !== 'attempt_not_open' && code !== 'attempt_at_another_step', told)
        } else if (state === 'complete' || state === 'expired') {
          assert.equal(code, 'attempt_not_open', told)
          assert.match(message ?? '', isOver)
        } else {
          assert.equal(code, 'attempt_at_another_step', told)
          assert.equal(message, state === 'needs_factor_two' ? secondComesNext : firstComesFirst)
          const read = await browser.ok<SignInAnswer>('getSignIn', { params: { id } })
          assert.equal(read.signInAttempt.status, state, 'and it still exists')
        }
      }
    })
  }

  it('gets an error that asks for the strategy if none has been chosen', async () => {
    const person = await signedInPerson(service)
    await person.addApp()
    const browser = person.elsewhere()
    const issuesOf = (answer: { body: unknown }) => (answer.body as { issues?: { path: string }[] }).issues
    const first = await begin(browser, { identifier: person.email })
    const refused = async (step: Step, id: string, body: object) => {
      const answer = await browser.refused(step, 'validation_failed', { params: { id }, body })
      assert.deepEqual(
        issuesOf(answer)?.map(({ path }) => path),
        ['/strategy'],
      )
    }
    await refused('prepareFirstFactor', first, {})
    await refused('attemptFirstFactor', first, { password })
    const second = idOf(await person.begin(browser))
    await refused('attemptSecondFactor', second, { code: '000000' })
    await browser.ok('prepareSecondFactor', { params: { id: second }, body: { strategy: 'authenticator_code' } })
    await browser.refused('attemptSecondFactor', 'factor_refused', { params: { id: second }, body: { code: '000000' } })
  })

  it('of signing up gets an error that names what is missing if there is nothing to verify', async () => {
    const tenant = await tenantWith(service)
    const browser = new Browser(service, tenant.publicKey)
    const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body: { name: 'Ada' } })
    const step = { params: { id: signUpAttempt.id }, body: { strategy: 'email_code' } }
    const answer = await browser.refused('prepareVerification', 'strategy_unavailable', step)
    assert.match((answer.body as { message?: string }).message ?? '', /This attempt has no e-mail address yet/)
  })
})

describeOnEachEngine('a password that comes after its attempt', (open) => {
  let service: TestService
  before(async () => {
    ;({ service } = await startServiceWithClock((await open()).database))
  })
  after(() => service.app.close())

  const strategyOf = { email: 'email_password', username: 'username_password', phone: 'phone_password' } as const

  it('is proven by the step that follows, for every kind of identifier, known or not', async () => {
    const tenant = await tenantWith(service, {
      phoneSignInEnabled: true,
      usernameSignInEnabled: true,
      strategyUsernamePasswordEnabled: true,
      strategyPhonePasswordEnabled: true,
      emailVerificationRequired: false,
      phoneVerificationRequired: false,
    })
    const phone = `+49151${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`
    const person = { email: `${unique()}@example.com`, username: unique(), phone }
    await service.ok('createUser', { body: { tenantId: tenant.id, ...person, password } })
    for (const [kind, strategy] of Object.entries(strategyOf)) {
      const browser = new Browser(service, tenant.publicKey)
      const identifier = person[kind as keyof typeof person]
      const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', { body: { identifier, strategy } })
      assert.deepEqual(
        { status: signInAttempt.status, strategy: signInAttempt.strategy },
        { status: 'needs_factor_one', strategy },
      )
      const params = { id: signInAttempt.id }
      // The strategy is left out, because the attempt has kept it.
      const done = await browser.ok<SignInAnswer>('attemptFirstFactor', { params, body: { password } })
      assert.equal(done.signInAttempt.status, 'complete')
    }
    const browser = new Browser(service, tenant.publicKey)
    const body = { identifier: `${unique()}@example.com`, strategy: 'email_password' }
    const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', { body })
    assert.equal(signInAttempt.status, 'needs_factor_one')
    const params = { id: signInAttempt.id }
    await browser.refused('attemptFirstFactor', 'factor_refused', { params, body: { password } })
  })

  it('is accepted by an attempt that began with nothing but an identifier', async () => {
    const { email, publicKey } = await signedInPerson(service)
    const browser = new Browser(service, publicKey)
    const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', { body: { identifier: email } })
    const params = { id: signInAttempt.id }
    await browser.ok('prepareFirstFactor', { params, body: { strategy: 'email_password' } })
    await browser.ok('attemptFirstFactor', { params, body: { password } })
  })

  it('is not what the attempt begins with if it is sent beside another strategy', async () => {
    const { email, publicKey } = await signedInPerson(service)
    const browser = new Browser(service, publicKey)
    const body = { identifier: email, strategy: 'email_code', password }
    const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', { body })
    const { code } = await latestMessageTo(service.deps, email)
    await browser.ok('attemptFirstFactor', { params: { id: signInAttempt.id }, body: { code } })
  })
})

describeOnEachEngine('a password that has to be replaced', (open) => {
  let service: TestService
  before(async () => {
    ;({ service } = await startServiceWithClock((await open()).database))
  })
  after(() => service.app.close())

  const replacement = 'another horse battery staple'

  it('is replaced by the request that was refused, with newPassword added, under the same rules as everywhere', async () => {
    const person = await signedInPerson(service)
    await service.ok('changeUserPassword', {
      params: { id: person.user.id },
      body: { password: 'chosen by the helpdesk' },
    })
    const browser = person.elsewhere()
    const body = { identifier: person.email, strategy: 'email_password', password: 'chosen by the helpdesk' }
    await browser.refused('createSignIn', 'password_change_required', { body })
    const common = await browser.refused('createSignIn', 'validation_failed', {
      body: { ...body, newPassword: 'password1' },
    })
    assert.deepEqual(
      (common.body as { issues?: { path: string; code: string }[] }).issues?.map(({ path, code }) => ({ path, code })),
      [{ path: '/newPassword', code: 'password_common' }],
    )
    const wrong = { ...body, password: 'not the right one at all', newPassword: replacement }
    await browser.refused('createSignIn', 'factor_refused', { body: wrong })
    const { session } = await browser.ok<SignInAnswer>('createSignIn', { body: { ...body, newPassword: replacement } })
    assert.ok(session)
    await person.elsewhere().refused('createSignIn', 'factor_refused', { body })
    await person.elsewhere().ok('createSignIn', { body: { ...body, password: replacement } })
  })

  it('is not replaced if it need not be', async () => {
    const person = await signedInPerson(service)
    const body = { identifier: person.email, strategy: 'email_password', password }
    await person.elsewhere().ok('createSignIn', { body: { ...body, newPassword: replacement } })
    await person.elsewhere().ok('createSignIn', { body })
  })
})
