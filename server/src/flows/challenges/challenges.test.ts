import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it } from 'node:test'
import type { SignUpAnswer } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { PageBrowser } from '../../../test/harness/browser/page-browser.ts'
import { createOrganization, createUser, unique } from '../../../test/harness/factories.ts'
import { invitationTokenTo } from '../../../test/harness/messages.ts'
import { answered, puzzleFor, solve } from '../../../test/harness/people/puzzles.ts'
import { tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { type TestService, describeService, describeServiceWith, testEnv } from '../../../test/harness/service.ts'
import { createClock } from '../../platform/clock.ts'
import { sql } from '../../platform/db/sql.ts'

const password = 'correct horse battery staple'
const rules = {
  challengeOnSignUp: 'always',
  challengeOnSignIn: 'always',
  challengeOnPasswordReset: 'always',
  challengeDifficulty: 1000,
}
const newEmail = () => `${unique()}@example.com`

describeService('a tenant that always asks for a puzzle', (service) => {
  async function world() {
    const tenant = await tenantWith(service(), rules)
    return { tenant, browser: new Browser(service(), tenant.publicKey) }
  }

  it('takes a sign-up, a password and a reset only with an answer', async () => {
    const { browser, tenant } = await world()
    const email = newEmail()
    await createUser(service(), tenant.id, { email, password, emailVerified: true })
    const signIn = { identifier: email, strategy: 'email_password', password }
    const steps = [
      ['createSignUp', 'sign_up', { email: newEmail(), password }],
      ['createSignIn', 'sign_in', signIn],
      ['createPasswordReset', 'password_reset', { identifier: email }],
    ] as const
    for (const [id, purpose, body] of steps) {
      const { body: refusal } = await browser.refused(id, 'challenge_required', { body })
      assert.deepEqual((refusal as { challenge: object }).challenge, { purpose, provider: 'proof_of_work' })
      const other = await answered(browser, purpose === 'sign_up' ? 'sign_in' : 'sign_up')
      await browser.refused(id, 'challenge_required', { body, headers: other })
      const headers = await answered(browser, purpose)
      await browser.ok(id, { body, headers })
      await browser.refused(id, 'challenge_required', { body, headers })
    }
  })

  it('asks for it before a password that follows, whoever is meant, and not before a code', async () => {
    const { browser, tenant } = await world()
    const email = newEmail()
    await createUser(service(), tenant.id, { email, password, emailVerified: true })
    const { signInAttempt } = await browser.ok<{ signInAttempt: { id: string } }>('createSignIn', {
      body: { identifier: email },
    })
    const params = { id: signInAttempt.id }
    for (const identifier of [email, newEmail()]) {
      const body = { identifier, strategy: 'email_password', password }
      await browser.refused('attemptFirstFactor', 'challenge_required', { params, body })
    }
    await browser.ok('prepareFirstFactor', { params, body: { identifier: email, strategy: 'email_code' } })
  })

  it("accepts no answer to another tenant's puzzle", async () => {
    const { browser } = await world()
    const { browser: other } = await world()
    const body = { email: newEmail(), password }
    await browser.refused('createSignUp', 'challenge_required', { body, headers: await answered(other, 'sign_up') })
    await browser.ok('createSignUp', { body, headers: await answered(browser, 'sign_up') })
  })

  // Guards: puzzles
  it('accepts one of a hundred requests with the same answer', async () => {
    const { browser } = await world()
    const headers = await answered(browser, 'password_reset')
    const answers = await atOnce(100, () =>
      browser.call('createPasswordReset', { body: { identifier: newEmail() }, headers }),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  })

  it('asks nobody whom somebody has invited', async () => {
    const { browser, tenant } = await world()
    const { id: organizationId } = await createOrganization(service(), tenant.id)
    const email = newEmail()
    await service().ok('createOrganizationInvitation', { body: { organizationId, email } })
    const body = { invitationToken: await invitationTokenTo(service().deps, email), password }
    const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body })
    assert.equal(signUpAttempt.status, 'complete')
  })
})

const minute = 60_000
let isLaterBy = 0
const clock = createClock(() => Date.now() + isLaterBy)

describeServiceWith(
  'a tenant that asks suspicious addresses for a puzzle',
  () => ({ clock }),
  (service) => {
    it('asks an address that has often failed, with harder puzzles the more it tries, and no other one', async () => {
      const tenant = await tenantWith(service(), { challengeOnSignIn: 'suspicious', challengeDifficulty: 1000 })
      const from = (remoteAddress: string) => {
        const node: Pick<TestService, 'request'> = {
          request: (options) => service().request({ ...options, remoteAddress }),
        }
        return new Browser(node as TestService, tenant.publicKey)
      }
      const eve = from('2001:db8:7:1::1')
      const guess = (browser: Browser, headers = {}) =>
        browser.call('createSignIn', {
          body: { identifier: newEmail(), strategy: 'email_password', password },
          headers,
        })
      assert.equal(await puzzleFor(eve, 'sign_in'), null)
      for (let n = 0; n < 3; n++) assert.equal((await guess(eve)).body.code, 'factor_refused')
      assert.equal((await guess(eve)).body.code, 'challenge_required')
      const neighbour = from('2001:db8:7:ffff::2')
      assert.equal((await puzzleFor(neighbour, 'sign_in'))?.puzzle?.maxnumber, 1000, 'the same /48')
      assert.equal(await puzzleFor(from('2001:db8:8::1'), 'sign_in'), null)
      for (let n = 0; n < 10; n++) await guess(eve, await answered(eve, 'sign_in'))
      const harder = await puzzleFor(eve, 'sign_in')
      assert.equal(harder?.puzzle?.maxnumber, 2000)
      isLaterBy += 11 * minute
      assert.equal(
        (await guess(eve, { 'x-challenge': solve(harder) })).body.code,
        'challenge_required',
        'it has expired',
      )
      isLaterBy += 60 * minute
      assert.equal(await puzzleFor(eve, 'sign_in'), null, 'after an hour')
    })

    it('counts every sign-up', async () => {
      const tenant = await tenantWith(service(), { challengeOnSignUp: 'suspicious', challengeDifficulty: 1000 })
      const browser = new Browser(service(), tenant.publicKey)
      const body = () => ({ email: newEmail(), password })
      for (let n = 0; n < 3; n++) await browser.ok('createSignUp', { body: body() })
      await browser.refused('createSignUp', 'challenge_required', { body: body() })
      for (let n = 0; n < 10; n++)
        await browser.ok('createSignUp', { body: body(), headers: await answered(browser, 'sign_up') })
      assert.equal((await puzzleFor(browser, 'sign_up'))?.puzzle?.maxnumber, 2000)
    })

    it('asks nobody for anything while it is off', async () => {
      const tenant = await tenantWith(service())
      const browser = new Browser(service(), tenant.publicKey)
      for (let n = 0; n < 4; n++) await browser.ok('createSignUp', { body: { email: newEmail(), password } })
      assert.equal(await puzzleFor(browser, 'sign_up'), null)
    })
  },
)

interface Checked {
  readonly secret: string | null
  readonly response: string | null
  readonly remoteip: string | null
  readonly sitekey: string | null
}

/** Speaks the protocol `siteverify`, as Turnstile and hCaptcha do. */
const verifier = {
  checked: [] as Checked[],
  /** What it says of an answer; undefined if it does not answer at all. */
  verdict: (() => ({ success: true })) as () => object | undefined,
}
const standIn = createServer((request, response) => {
  let text = ''
  request.on('data', (part: Buffer) => (text += part.toString()))
  request.on('end', () => {
    const form = new URLSearchParams(text)
    const [secret, answer, remoteip, sitekey] = ['secret', 'response', 'remoteip', 'sitekey'].map((name) =>
      form.get(name),
    )
    verifier.checked.push({ secret, response: answer, remoteip, sitekey } as Checked)
    const verdict = verifier.verdict()
    if (verdict === undefined) response.writeHead(500).end('busy')
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(verdict))
  })
})
// Both engines use it, so it ends with the process.
standIn.listen(0, '127.0.0.1').unref()
await once(standIn, 'listening')
const { port } = standIn.address() as AddressInfo

describeService(
  'a tenant with a provider of puzzles',
  (service) => {
    const [secret, siteKey] = ['0x4AAA_this-is-the-secret', '0x4AAA_site']
    const host = 'localhost'

    async function world(provider: 'turnstile' | 'hcaptcha', more: object = {}) {
      const tenant = await tenantWith(service(), { challengeOnSignUp: 'always' })
      const params = { id: tenant.id }
      await service().ok('putChallengeProvider', { params, body: { provider, siteKey, secret, ...more } })
      const browser = new Browser(service(), tenant.publicKey)
      const signUp = (answer?: string) =>
        browser.call('createSignUp', {
          body: { email: newEmail(), password },
          headers: answer === undefined ? {} : { 'x-challenge': answer },
        })
      return { tenant, params, browser, signUp }
    }

    // Guards: puzzles
    it('accepts an answer once, of its own page and purpose, that the provider says is right', async () => {
      for (const provider of ['turnstile', 'hcaptcha'] as const) {
        const { browser, signUp } = await world(provider)
        const { body } = await browser.refused('createSignUp', 'challenge_required', {
          body: { email: newEmail(), password },
        })
        assert.deepEqual((body as { challenge: object }).challenge, { purpose: 'sign_up', provider })
        assert.deepEqual(await puzzleFor(browser, 'sign_up'), { provider, puzzle: null, siteKey })
        const right = { success: true, hostname: host, action: 'sign_up' }
        const wrong: readonly object[] = [
          { ...right, success: false, 'error-codes': ['timeout-or-duplicate'] },
          { ...right, hostname: 'evil.example' },
          { success: true },
          { ...right, success: 'yes' },
          ...(provider === 'turnstile' ? [{ ...right, action: 'sign_in' }] : []),
        ]
        for (const verdict of wrong) {
          verifier.verdict = () => verdict
          assert.equal((await signUp(unique())).body.code, 'challenge_required', JSON.stringify(verdict))
        }
        verifier.verdict = () => right
        verifier.checked.length = 0
        const answer = unique()
        assert.equal((await signUp(answer)).status, 200)
        assert.deepEqual(verifier.checked, [{ secret, response: answer, remoteip: '127.0.0.1', sitekey: siteKey }])
        assert.equal((await signUp(answer)).body.code, 'challenge_required', 'the same answer')
        assert.equal((await signUp('x'.repeat(9000))).body.code, 'challenge_required', 'too long')
      }
    })

    it('refuses or lets through while the provider does not answer, as the tenant says', async () => {
      verifier.verdict = () => undefined
      const { signUp, params } = await world('turnstile')
      assert.equal((await signUp(unique())).body.code, 'challenge_required')
      await service().ok('putChallengeProvider', {
        params,
        body: { provider: 'turnstile', siteKey, onFailure: 'allow' },
      })
      const answer = unique()
      assert.equal((await signUp(answer)).status, 200)
      assert.equal((await signUp(answer)).body.code, 'challenge_required', 'an answer counts once all the same')
      assert.equal((await signUp()).body.code, 'challenge_required')
    })

    it('refuses a secret that the provider does not know, and later takes it for a provider that does not answer', async () => {
      verifier.verdict = () => ({ success: false, 'error-codes': ['invalid-input-response'] })
      const { signUp, params } = await world('turnstile', { onFailure: 'allow' })
      verifier.verdict = () => ({ success: false, 'error-codes': ['invalid-input-secret'] })
      const body = { provider: 'turnstile', siteKey, secret: '0x4AAA_of-another-site' } as const
      const refusal = await service().call('putChallengeProvider', { params, body })
      assert.equal(refusal.status, 400)
      assert.match(refusal.text, /\/secret/)
      assert.equal((await signUp(unique())).status, 200)
      verifier.verdict = () => undefined
      await service().ok('putChallengeProvider', { params, body })
    })

    // Guards: secrets-unseen
    it('never shows the secret, keeps it with its provider, and goes back to its own puzzles', async () => {
      const { params, tenant } = await world('turnstile')
      const read = await service().call('getChallengeProvider', { params })
      assert.deepEqual(
        { ...read.body, updatedAt: null },
        { provider: 'turnstile', siteKey, hasSecret: true, onFailure: 'deny', updatedAt: null },
      )
      const events = await service().call('listEvents', { params: { tenantId: tenant.id } })
      const stored = await service().deps.db.all(sql`SELECT * FROM challenge_providers WHERE tenant_id = ${tenant.id}`)
      for (const text of [read.text, events.text, JSON.stringify(stored)]) assert.ok(!text.includes(secret))
      const change = { provider: 'hcaptcha', siteKey } as const
      const refusal = await service().call('putChallengeProvider', { params, body: change })
      assert.equal(refusal.status, 400)
      const gone = await service().ok<{ provider: string }>('deleteChallengeProvider', { params })
      assert.equal(gone.provider, 'proof_of_work')
      assert.equal((await puzzleFor(new Browser(service(), tenant.publicKey), 'sign_up'))?.provider, 'proof_of_work')
    })

    it("lets its pages, and no other pages, load the provider's script, and works without scripts", async () => {
      for (const [provider, origin] of [
        ['turnstile', 'https://challenges.cloudflare.com'],
        ['hcaptcha', 'https://hcaptcha.com'],
      ] as const) {
        const { tenant } = await world(provider)
        const visitor = new PageBrowser(service())
        const policyOn = async (path: string) =>
          String((await visitor.open(`/t/${tenant.slug}${path}`)).headers['content-security-policy'])
        assert.ok((await policyOn('/sign-up')).includes(`script-src 'self' ${origin}`))
        assert.ok(!(await policyOn('/sign-in')).includes(origin))
        const form = await visitor.open(`/t/${tenant.slug}/sign-up`)
        assert.ok(form.text.includes(`data-sitekey="${siteKey}"`))
        const sent = await visitor.send(form, { email: newEmail(), password })
        assert.match(sent.title, /e-mail/, 'a code by mail comes first')
      }
      const { tenant } = await world('turnstile')
      await service().ok('deleteChallengeProvider', { params: { id: tenant.id } })
      const page = await new PageBrowser(service()).open(`/t/${tenant.slug}/sign-up`)
      assert.match(String(page.headers['content-security-policy']), /script-src 'self';.*trusted-types 'none'/)
    })
  },
  { ...testEnv, BAILIWICK_CHALLENGE_VERIFY_URL: `http://127.0.0.1:${port}/siteverify` },
)
