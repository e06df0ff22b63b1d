// Regression: other products counted one path and left another open, started anew with each flow, or forgot guesses at the second factor as
// soon as the password was right (listmonk CVE-2026-128332, Zitadel CVE-2025-64102, Keycloak CVE-2026-9798).
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type FrontendEndpoint, type SignInAnswer, frontendEndpoints } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { createTenant } from '../../../test/harness/factories.ts'
import { latestMessageTo } from '../../../test/harness/messages.ts'
import { type Person, password, signInWithPasskey, signedInPerson } from '../../../test/harness/people/people.ts'
import { openSession } from '../../../test/harness/people/sessions.ts'
import { type Answer, type TestService, startTestService } from '../../../test/harness/service.ts'
import { createClock } from '../../platform/clock.ts'
import { sql } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'
import { createTenantDirectory } from '../../tenancy/directory/tenant-directory.ts'
import { createSessionDirectory } from '../sessions/session-directory.ts'
import { clearFailures } from './lockout.ts'

const other = 'not the right one at all'

/** The operations that take a password or a code, and what protects each from guessing. */
const takers: Readonly<Record<string, string>> = {
  acceptReceivedInvitation: 'nothing: the token of an invitation is too long to be guessed',
  declineReceivedInvitation: 'nothing, likewise',
  createSignIn: 'the budget of passwords of the account',
  attemptFirstFactor:
    'the budget of passwords of the account, and the number of codes that it is sent a day, with five tries each',
  attemptSecondFactor: 'the budget of second factors of the account',
  attemptPasswordReset: 'the number of codes that the account is sent a day, with five tries each',
  updateOwnPassword: 'the budget of passwords of the account',
  attemptVerification: 'the address of the attempt, which is sent ten codes a day',
  verifyOwnEmail: 'the address, of which a user can have ten open, and the user',
  verifyOwnPhone: 'the number, of which a user can have ten open, and the user',
  confirmAuthenticatorCode: 'the user, who was shown the secret',
  confirmOwnConnection: 'a ticket of 256 bits',
  createSignUp: 'the password is chosen here',
  updateSignUp: 'the password is chosen here',
}

interface Path {
  /** Gives a right proof in a flow that was prepared. */
  readonly prove: () => Promise<Answer>
  /** Gives a wrong proof, in a flow of its own. */
  readonly guess: (browser: Browser) => Promise<Answer>
}

describeOnEachEngine('guesses', (open) => {
  let nodes: [TestService, TestService]
  before(async () => {
    const { database } = await open()
    // The clock stands still, however slow the machine is, so that no wait for further guesses ends.
    const startedAt = Date.now()
    const clock = createClock(() => startedAt)
    const start = () =>
      startTestService(database, undefined, ({ log }) => {
        const tenants = createTenantDirectory(database, clock)
        return { clock, tenants, sessions: createSessionDirectory(database, tenants, clock, log) }
      })
    nodes = [await start(), await start()]
  })
  after(async () => {
    for (const { app } of nodes) await app.close()
  })

  /** The guesser uses another node and another address each time. */
  let callers = 0
  const stranger = ({ publicKey }: Person) => new Browser(nodes[callers++ % 2] ?? nodes[0], publicKey)
  const wrongOf = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

  /** @param halves how many attempts are begun that get as far as the second factor. */
  async function paths(person: Person, halves: number): Promise<Record<string, Path>> {
    const { email, user, tenantId } = person
    const { recoveryCodes, secret } = await person.addApp()
    const { deps } = nodes[0]
    const { token } = await openSession(nodes[0], tenantId, user.id)
    const authorization = `Bearer ${token}`
    const begin = async (browser: Browser, body: object = {}) => {
      const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', { body: { identifier: email, ...body } })
      return { id: signInAttempt.id }
    }
    const withPassword = { strategy: 'email_password', password }
    const reset = async (browser: Browser) =>
      (await browser.ok<{ passwordReset: { id: string } }>('createPasswordReset', { body: { identifier: email } }))
        .passwordReset

    const coded = stranger(person)
    const codedAttempt = await begin(coded, { strategy: 'email_code' })
    const { code } = await latestMessageTo(deps, email)
    const second = stranger(person)
    const secondAttempt = await begin(second, withPassword)
    // These attempts are begun before, because a blocked account proves no password; each proof of the password was a guess too.
    const halfWay: { readonly browser: Browser; readonly params: { readonly id: string } }[] = []
    while (halfWay.length < halves) {
      const browser = stranger(person)
      halfWay.push({ browser, params: await begin(browser, withPassword) })
      await deps.db.transaction((tx) => tx.run(clearFailures(tenantId as TenantId, user.id)))
    }
    return {
      'a password': {
        prove: () => stranger(person).call('createSignIn', { body: { identifier: email, ...withPassword } }),
        guess: (browser) =>
          browser.call('createSignIn', { body: { identifier: email, ...withPassword, password: other } }),
      },
      'a code by mail': {
        prove: () => coded.call('attemptFirstFactor', { params: codedAttempt, body: { strategy: 'email_code', code } }),
        guess: async (browser) => {
          const params = await begin(browser)
          const body = { strategy: 'email_code', code: wrongOf(code ?? '') }
          return browser.call('attemptFirstFactor', { params, body })
        },
      },
      'a second factor': {
        prove: () =>
          second.call('attemptSecondFactor', {
            params: secondAttempt,
            body: { strategy: 'authenticator_code', code: person.codeOf(secret) },
          }),
        guess: () => {
          const { browser, params } = halfWay.pop() ?? assert.fail('no attempt is left')
          return browser.call('attemptSecondFactor', {
            params,
            body: { strategy: 'authenticator_code', code: '99999x' },
          })
        },
      },
      'a recovery code': {
        prove: () =>
          second.call('attemptSecondFactor', {
            params: secondAttempt,
            body: { strategy: 'authenticator_code', code: recoveryCodes[0] },
          }),
        guess: () => {
          const { browser, params } = halfWay.pop() ?? assert.fail('no attempt is left')
          const wrong = recoveryCodes[0]?.replaceAll(/[a-z]/g, 'z')
          return browser.call('attemptSecondFactor', { params, body: { strategy: 'authenticator_code', code: wrong } })
        },
      },
      'a reset': {
        // Begun again: this replaces one that was begun before, whoever began it.
        prove: async () => {
          const { id } = await reset(stranger(person))
          const sent = await latestMessageTo(deps, email)
          const body = { code: sent.code, password: 'a horse of another battery' }
          return stranger(person).call('attemptPasswordReset', { params: { id }, body })
        },
        guess: async (browser) =>
          browser.call('attemptPasswordReset', {
            params: { id: (await reset(browser)).id },
            body: { code: 'junk', password: 'a horse of another battery' },
          }),
      },
      'the old password': {
        prove: () =>
          stranger(person).call('updateOwnPassword', {
            headers: { authorization },
            body: { oldPassword: password, password: 'a horse of another battery' },
          }),
        guess: (browser) =>
          browser.call('updateOwnPassword', {
            headers: { authorization },
            body: { oldPassword: other, password: 'a horse of another battery' },
          }),
      },
    }
  }
  /** What has to wait after five wrong proofs of each kind: the same secret, on every path, and no other way of signing in. */
  const spends: Readonly<Record<string, readonly string[]>> = {
    'a password': ['a password', 'the old password'],
    'a code by mail': [],
    'a second factor': ['a second factor'],
    'a recovery code': [],
    'a reset': [],
    'the old password': ['a password', 'the old password'],
  }
  const names = Object.keys(spends)
  /** The order is such that no proof ends what another one has begun. */
  const provable = ['a password', 'a code by mail', 'a recovery code', 'a reset']
  const codeOf = (answer: Answer) => (answer.body as { code?: string }).code

  // Guards: every-guess, asvs-guessing
  it('are accepted by no operation that is missing from this list', () => {
    const guessable = /^(?:code|password|oldPassword)$/
    const taking = (Object.values(frontendEndpoints) as FrontendEndpoint[]).filter(({ body }) =>
      Object.keys((body as { properties?: object } | null)?.properties ?? {}).some((name) => guessable.test(name)),
    )
    assert.deepEqual(taking.map(({ id }) => id).toSorted(), Object.keys(takers).toSorted())
  })

  for (const [spent, waiting] of Object.entries(spends)) {
    // Guards: counted-guesses, asvs-code-guesses
    it(`at ${spent} use up the budget of their own secret, also in new flows and on other nodes, and no other budget`, async () => {
      const person = await signedInPerson(nodes[0], (await createTenant(nodes[0])).tenant)
      const ways = await paths(person, spent === 'a second factor' || spent === 'a recovery code' ? 5 : 1)
      assert.deepEqual(Object.keys(ways), names)
      for (let times = 0; times < 5; times++) {
        const answer = await ways[spent]?.guess(stranger(person))
        assert.equal(answer && codeOf(answer), 'factor_refused', answer?.text)
      }
      for (const name of waiting) {
        const answer = await ways[name]?.prove()
        assert.deepEqual(
          [answer?.status, answer && codeOf(answer)],
          [429, 'too_many_attempts'],
          `${name}: ${answer?.text}`,
        )
      }
      for (const name of provable.filter((each) => !waiting.includes(each))) {
        const answer = await ways[name]?.prove()
        assert.equal(answer?.status, 200, `${name}: ${answer?.text}`)
      }
    })
  }

  it('do not count against a right proof if nobody has guessed', async () => {
    const person = await signedInPerson(nodes[0], (await createTenant(nodes[0])).tenant)
    const ways = await paths(person, 1)
    // The old password comes last, because the new one ends what was begun with it.
    for (const name of ['a password', 'a code by mail', 'a recovery code', 'the old password']) {
      const answer = await ways[name]?.prove()
      assert.equal(answer?.status, 200, `${name}: ${answer?.text}`)
    }
  })

  // Guards: counted-guesses, asvs-guessing
  it('switch passwords off after a hundred wrong ones, until another proof', async () => {
    const person = await signedInPerson(nodes[0], (await createTenant(nodes[0])).tenant)
    const { key } = await person.addPasskey()
    const browser = stranger(person)
    const body = { identifier: person.email, strategy: 'email_password', password }
    await browser.refused('createSignIn', 'factor_refused', { body: { ...body, password: other } })
    const long = '2000-01-01T00:00:00.000000Z'
    await nodes[0].deps.db.transaction((tx) =>
      tx.run(sql`UPDATE guesses SET failures = 100, blocked_until = ${long} WHERE subject = ${person.user.id}`),
    )
    await browser.refused('createSignIn', 'too_many_attempts', { body })
    assert.equal((await signInWithPasskey(stranger(person), key)).status, 200)
    await browser.ok('createSignIn', { body })
  })
})
