// Neither an answer nor the work it takes reveals whether somebody has an account (ASVS 6.3.8): for an identifier that nobody
// has, the database runs exactly the same statements.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { SignInAnswer, SignUpAnswer } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { recordStatements } from '../../../test/harness/databases/recorded-statements.ts'
import { createUser, unique } from '../../../test/harness/factories.ts'
import { messagesTo, sendMessages } from '../../../test/harness/messages.ts'
import { tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { type TestService, startTestService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'

const password = 'correct horse battery staple'
const page = 'http://localhost:3000/'
const wrong = 'staple of another colour'

interface Taken {
  readonly statements: string[]
  readonly status: number
  readonly body: unknown
}

describeOnEachEngine('an identifier that nobody has', (open) => {
  let service: TestService
  let recorded: (run: () => Promise<unknown>) => Promise<string[]>
  before(async () => {
    const recording = recordStatements((await open()).database)
    ;({ recorded } = recording)
    service = await startTestService(recording.database)
  })
  after(() => service.app.close())

  /** One person with every kind of identifier, and as many identifiers that nobody has. */
  async function world() {
    const tenant = await tenantWith(service, {
      passwordRequired: false,
      phoneSignInEnabled: true,
      usernameSignInEnabled: true,
      strategyUsernamePasswordEnabled: true,
      strategyPhonePasswordEnabled: true,
      strategyPhoneCodeEnabled: true,
      strategyEmailLinkEnabled: true,
    })
    const phone = () => `+4470${Math.floor(1e8 + Math.random() * 8.9e8)}`
    const person = () => ({ email: `${unique()}@example.com`, username: unique(), phone: phone() })
    const known = person()
    await createUser(service, tenant.id, { ...known, password })
    // The first caller looks it up, and it is remembered.
    await new Browser(service, tenant.publicKey).ok('getPublicTenantByKey', { params: { publicKey: tenant.publicKey } })
    return { tenantId: tenant.id, publicKey: tenant.publicKey, known, unknown: person() }
  }

  /** The statements that one step takes, after the steps before it. */
  async function take(run: () => Promise<{ status: number; body: unknown }>): Promise<Taken> {
    let answer: { status: number; body: unknown } | undefined
    const statements = await recorded(async () => {
      answer = await run()
    })
    // The tenant is looked up before the identifier is read, and remembered for a while.
    const asked = statements.filter((line) => !/^SELECT \S+( AS \w+)? FROM (domains|tenants) /.test(line))
    return { statements: asked, status: answer?.status ?? 0, body: shapeOf(answer?.body) }
  }

  /** An answer without what differs from call to call. */
  const shapeOf = (body: unknown): unknown =>
    JSON.parse(
      JSON.stringify(body, (key: string, value: unknown) =>
        /^(id|tenantId|requestId|identifier|challenge|.*At)$/.test(key) && value !== null ? key : value,
      ),
    )

  type Kind = 'email' | 'phone' | 'username'
  type Step = (browser: Browser, identifier: string) => Promise<Taken>

  const signIn = (body: object) => (browser: Browser, identifier: string) =>
    take(() => browser.call('createSignIn', { body: { identifier, ...body } }))

  const attempt = (strategy: string, proof: object) => async (browser: Browser, identifier: string) => {
    const begun = await browser.ok<SignInAnswer>('createSignIn', {
      body: { identifier, ...('code' in proof ? { strategy, redirectUri: page } : {}) },
    })
    const params = { id: begun.signInAttempt.id }
    return take(() => browser.call('attemptFirstFactor', { params, body: { strategy, ...proof } }))
  }

  const prepare = (strategy: string) => async (browser: Browser, identifier: string) => {
    const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', { body: { identifier } })
    const body = { strategy, redirectUri: page }
    return take(() => browser.call('prepareFirstFactor', { params: { id: signInAttempt.id }, body }))
  }

  const signUp = (field: Kind) => async (browser: Browser, identifier: string) =>
    take(() =>
      browser.call('createSignUp', { body: { [field]: identifier, ...(field === 'email' ? {} : newAddress()) } }),
    )
  const newAddress = () => ({ email: `${unique()}@example.com` })

  async function begunSignUp(browser: Browser, address: string) {
    const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body: { email: address, password } })
    return { id: signUpAttempt.id }
  }
  const prepareSignUp: Step = async (browser, address) => {
    const params = await begunSignUp(browser, address)
    return take(() => browser.call('prepareVerification', { params, body: { strategy: 'email_code' } }))
  }
  const attemptSignUp: Step = async (browser, address) => {
    const params = await begunSignUp(browser, address)
    await browser.ok('prepareVerification', { params, body: { strategy: 'email_code' } })
    const body = { strategy: 'email_code', code: '000000' }
    return take(() => browser.call('attemptVerification', { params, body }))
  }

  const wait: Step = (browser, email) => take(() => browser.call('joinWaitlist', { body: { email } }))

  const reset: Step = (browser, identifier) => take(() => browser.call('createPasswordReset', { body: { identifier } }))
  const attemptReset: Step = async (browser, identifier) => {
    const { passwordReset } = await browser.ok<{ passwordReset: { id: string } }>('createPasswordReset', {
      body: { identifier },
    })
    const body = { code: 'no code', password: wrong }
    return take(() => browser.call('attemptPasswordReset', { params: { id: passwordReset.id }, body }))
  }

  const steps: readonly (readonly [string, readonly Kind[], Step])[] = [
    ['beginning to sign in', ['email', 'phone', 'username'], signIn({})],
    ['signing in with a wrong password', ['email'], signIn({ strategy: 'email_password', password: wrong })],
    ['a wrong password', ['email'], attempt('email_password', { password: wrong })],
    ['a wrong password', ['phone'], attempt('phone_password', { password: wrong })],
    ['a wrong password', ['username'], attempt('username_password', { password: wrong })],
    ['asking for a code', ['email'], prepare('email_code')],
    ['asking for a link', ['email'], prepare('email_link')],
    ['asking for a code', ['phone'], prepare('phone_code')],
    ['asking for a passkey', ['email', 'phone', 'username'], prepare('security_key')],
    ['a wrong code', ['email'], attempt('email_code', { code: '000000' })],
    ['a wrong code', ['phone'], attempt('phone_code', { code: '000000' })],
    ['a wrong link', ['email'], attempt('email_link', { code: 'vl_wrong' })],
    ['beginning to sign up', ['email'], signUp('email')],
    ['beginning to sign up', ['phone'], signUp('phone')],
    ['asking for a code to sign up', ['email'], prepareSignUp],
    ['a wrong code to sign up', ['email'], attemptSignUp],
    ['asking to reset a password', ['email', 'phone', 'username'], reset],
    ['a wrong code to reset a password', ['email', 'phone', 'username'], attemptReset],
  ]
  for (const [what, kinds, step] of steps) {
    for (const kind of kinds) {
      // Guards: unknown-users, asvs-unknown-users
      it(`takes the same statements as one that somebody has: ${what}, by ${kind}`, async () => {
        const { publicKey, known, unknown } = await world()
        const browser = () => new Browser(service, publicKey)
        const [ofKnown, ofUnknown] = [await step(browser(), known[kind]), await step(browser(), unknown[kind])]
        assert.equal(ofKnown.status, what.includes('wrong') ? 401 : 200, JSON.stringify(ofKnown.body))
        assert.ok(ofKnown.statements.length > 0)
        assert.deepEqual(ofUnknown, ofKnown)
      })
    }
  }

  // Guards: unknown-users
  it('takes the same statements on the waiting list, as one that somebody has, and as one that is on the list', async () => {
    const { tenantId, publicKey, known, unknown } = await world()
    const body = { signUpEnabled: false, waitlistEnabled: true }
    await service.ok('putAuthTenant', { params: { id: tenantId }, body })
    const browser = () => new Browser(service, publicKey)
    await browser().ok('getPublicTenantByKey', { params: { publicKey } })
    const first = await wait(browser(), unknown.email)
    assert.equal(first.status, 200)
    assert.deepEqual(await wait(browser(), known.email), first)
    assert.deepEqual(await wait(browser(), unknown.email), first)
  })

  it('leaves no message behind, and none in the numbers', async () => {
    const { tenantId, publicKey, unknown } = await world()
    const browser = new Browser(service, publicKey)
    await browser.ok('createPasswordReset', { body: { identifier: unknown.email } })
    const rows = () => service.deps.db.all(sql`SELECT id FROM messages WHERE tenant_id = ${tenantId}`)
    assert.equal((await rows()).length, 1)
    const list = () =>
      service.ok<{ data: unknown[]; meta: { total: number } }>('listMessages', { params: { tenantId } })
    assert.deepEqual((await list()).data, [])
    await sendMessages(service.deps)
    assert.deepEqual(await rows(), [])
    assert.deepEqual(await messagesTo(service.deps, unknown.email), [])
    assert.equal((await list()).meta.total, 0)
    const days = await service.ok<{ queued: number; failed: number }[]>('listMessagesByDay', {
      query: { tenantId },
    })
    assert.ok(days.every(({ queued, failed }) => queued === 0 && failed === 0))
  })
})
