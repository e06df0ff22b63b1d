// No answer of any operation that takes an identifier reveals whether somebody has it: not by its content, not by how often it may be
// requested, not by whether a password is hashed for it. Regression: Zitadel CVE-2026-23511.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { SignInAnswer, SignUpAnswer } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { createUser, unique } from '../../../test/harness/factories.ts'
import { signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { type Answer, type TestService, startTestService, testEnv } from '../../../test/harness/service.ts'

const password = 'correct horse battery staple'
const page = 'http://localhost:3000/in'
const allOn = {
  strategyEmailLinkEnabled: true,
  strategyPhoneCodeEnabled: true,
  strategyPhonePasswordEnabled: true,
  strategyUsernamePasswordEnabled: true,
  phoneSignInEnabled: true,
  usernameSignInEnabled: true,
  emailVerificationLinkEnabled: true,
}
type Kind = 'email' | 'phone' | 'username'
interface Reset {
  readonly passwordReset: { readonly id: string }
}
type Identifiers = Readonly<Record<Kind, string>>

/** Everything that a caller sees of an answer; values that differ each time are replaced by their kind. */
function seen({ status, headers, text }: Answer, ids: Identifiers): string {
  const names = Object.keys(headers).filter((name) => !name.startsWith('ratelimit'))
  let shown = text
  for (const [kind, value] of Object.entries(ids)) shown = shown.replaceAll(value, `{${kind}}`)
  return JSON.stringify([
    status,
    names.toSorted(),
    shown
      .replaceAll(/"(requestId)":"[^"]*"/g, '"$1":"…"')
      .replaceAll(/"c[0-9a-z]{24}"/g, '"{id}"')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '{time}')
      .replaceAll(/"challenge":"[\w-]+"/g, '"challenge":"…"'),
  ])
}

/** How to begin and continue each flow that takes an identifier; returns the answers in order. */
const scripts: Readonly<Record<string, (browser: Browser, ids: Identifiers) => Promise<Answer[]>>> = {
  ...Object.fromEntries(
    (['email', 'phone', 'username'] as const).map((kind) => [
      `wrong passwords by ${kind}`,
      async (browser: Browser, ids: Identifiers) => {
        const answers: Answer[] = []
        const body = { identifier: ids[kind], strategy: `${kind}_password`, password: 'not the right one' }
        for (let times = 0; times < 7; times++) answers.push(await browser.call('createSignIn', { body }))
        return answers
      },
    ]),
  ),
  ...Object.fromEntries(
    (['email_code', 'email_link', 'phone_code', 'security_key'] as const).map((strategy) => [
      `wrong proofs by ${strategy}`,
      async (browser: Browser, ids: Identifiers) => {
        const identifier = strategy === 'phone_code' ? ids.phone : ids.email
        const begun = await browser.call<SignInAnswer>('createSignIn', { body: { identifier, redirectUri: page } })
        const params = { id: begun.body.data.signInAttempt.id }
        const answers: Answer[] = [begun, await browser.call('prepareFirstFactor', { params, body: { strategy } })]
        const proof = strategy === 'security_key' ? { credential: { id: 'x' } } : { code: '99999x' }
        for (let times = 0; times < 7; times++) {
          answers.push(await browser.call('attemptFirstFactor', { params, body: { strategy, ...proof } }))
        }
        answers.push(await browser.call('getSignIn', { params }))
        return answers
      },
    ]),
  ),
  'signing up': async (browser, { email }) => {
    const begun = await browser.call<SignUpAnswer>('createSignUp', { body: { email, password, redirectUri: page } })
    const params = { id: begun.body.data.signUpAttempt.id }
    const body = { strategy: 'email_code', code: '99999x' }
    return [
      begun,
      await browser.call('prepareVerification', { params, body: { strategy: 'email_code' } }),
      await browser.call('attemptVerification', { params, body }),
      await browser.call('prepareVerification', { params, body: { strategy: 'email_link' } }),
      await browser.call('getSignUp', { params }),
    ]
  },
  ...Object.fromEntries(
    (['email', 'phone', 'username'] as const).map((kind) => [
      `resets by ${kind}, again and again`,
      async (browser: Browser, ids: Identifiers) => {
        const answers: Answer[] = []
        for (let resets = 0; resets < 2; resets++) {
          const begun = await browser.call<Reset>('createPasswordReset', { body: { identifier: ids[kind] } })
          answers.push(begun)
          const params = { id: begun.body.data.passwordReset.id }
          for (let times = 0; times < 4; times++) {
            answers.push(await browser.call('attemptPasswordReset', { params, body: { code: '99999x', password } }))
          }
        }
        return answers
      },
    ]),
  ),
  'a reset after wrong passwords': async (browser, { email: identifier }) => {
    const begun = await browser.call<Reset>('createPasswordReset', { body: { identifier } })
    const body = { identifier, strategy: 'email_password', password: 'not the right one' }
    for (let times = 0; times < 5; times++) await browser.call('createSignIn', { body })
    const params = { id: begun.body.data.passwordReset.id }
    return [await browser.call('attemptPasswordReset', { params, body: { code: '99999x', password } })]
  },
}

describeOnEachEngine('identifiers that nobody has', (open) => {
  let service: TestService
  let hashed = 0
  before(async () => {
    const { database } = await open()
    service = await startTestService(database, testEnv, ({ passwordPool }) => ({
      passwordPool: {
        load: passwordPool.load,
        hash: (...given) => {
          hashed++
          return passwordPool.hash(...given)
        },
        verify: (...given) => {
          hashed++
          return passwordPool.verify(...given)
        },
      },
    }))
  })
  after(() => service.app.close())

  let phones = 0
  const newIds = (): Identifiers => ({
    email: `${unique()}@example.com`,
    phone: `+4930555${String(++phones).padStart(5, '0')}`,
    username: unique(),
  })

  for (const [what, run] of Object.entries(scripts)) {
    // Guards: unknown-users, asvs-unknown-users
    it(`are answered like those that somebody has: ${what}`, async () => {
      const tenant = await tenantWith(service, allOn)
      await service.ok('createChannel', {
        body: {
          tenantId: tenant.id,
          name: 'SMS',
          key: 'sms',
          type: 'sms',
          provider: 'dev_inbox',
          providerSettings: {},
        },
      })
      const taken = newIds()
      const user = await createUser(service, tenant.id, { ...taken, password })
      await service.ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
      const seenOf = async (ids: Identifiers) => {
        const start = hashed
        const answers = await run(new Browser(service, tenant.publicKey), ids)
        return { answers: answers.map((answer) => seen(answer, ids)), hashes: hashed - start }
      }
      const known = await seenOf(taken)
      const free = newIds()
      assert.deepEqual(await seenOf(free), known)
    })
  }

  // Guards: unknown-users
  it('are answered like those that somebody has: adding an own address', async () => {
    const tenant = await tenantWith(service, allOn)
    const owner = await signedInUser(service, tenant)
    const { browser } = await signedInUser(service, tenant)
    const shown: string[][] = []
    for (const email of [owner.email, `${unique()}@example.com`]) {
      const ids = { ...newIds(), email }
      const made = await browser.call<{ email: { id: string } }>('createOwnEmail', { body: { email } })
      const params = { id: made.body.data.email.id }
      const answers = [
        made,
        await browser.call('prepareOwnEmail', { params }),
        await browser.call('verifyOwnEmail', { params, body: { code: '99999x' } }),
        await browser.call('deleteOwnEmail', { params }),
      ]
      shown.push(answers.map((answer) => seen(answer, ids)))
    }
    assert.deepEqual(shown[1], shown[0])
  })
})
