// Regression: lockouts of others counted one path and left another open, began anew with each flow, or forgot at the first right
// password what had been guessed at the second factor (listmonk CVE-2026-128332, Zitadel CVE-2025-64102, Keycloak CVE-2026-9798).
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type FrontendEndpoint, type SignInAnswer, frontendEndpoints } from '@bailiwick/contract'
import { describeOnEachEngine } from '../../../test/harness/databases.ts'
import { createTenant } from '../../../test/harness/factories.ts'
import { Browser } from '../../../test/harness/frontend.ts'
import { latestMessageTo } from '../../../test/harness/messages.ts'
import { type Person, password, signInWithPasskey, signedInPerson } from '../../../test/harness/people.ts'
import { type Answer, type TestService, startTestService } from '../../../test/harness/service.ts'
import { openSession } from '../../../test/harness/sessions.ts'
import { createClock } from '../../platform/clock.ts'
import { sql } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'
import { createSessionDirectory } from '../sessions/session-directory.ts'
import { createTenantDirectory } from '../../tenancy/tenants/tenant-directory.ts'
import { clearFailures } from './lockout.ts'

const other = 'not the right one at all'

/** Operations that take a password or a code, and what keeps their callers from guessing. */
const takers: Readonly<Record<string, string>> = {
  createSignIn: 'the account, by its passwords',
  attemptFirstFactor: 'the account, by its passwords and by how many codes it is sent a day, of five tries each',
  attemptSecondFactor: 'the account, by its second factors',
  attemptPasswordReset: 'the account, by how many codes it is sent a day, of five tries each',
  updateOwnPassword: 'the account, by its passwords',
  attemptVerification: 'the attempt, whose address is sent ten codes a day',
  verifyOwnEmail: 'the address, of which a user names ten at once, and the user',
  verifyOwnPhone: 'the number, of which a user names ten at once, and the user',
  confirmAuthenticatorCode: 'the user, who was shown the secret',
  confirmOwnConnection: 'a ticket of 256 bits',
  createSignUp: 'the password is chosen here',
  updateSignUp: 'the password is chosen here',
}

interface Path {
  /** Gives a right proof in what was prepared. */
  readonly prove: () => Promise<Answer>
  /** Gives a wrong one, in a flow of its own. */
  readonly guess: (browser: Browser) => Promise<Answer>
}

describeOnEachEngine('guesses', (open) => {
  let nodes: [TestService, TestService]
  before(async () => {
    const { database } = await open()
    // No time passes, however long a machine takes, and with it no wait for further guesses.
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

  /** Whoever asks: another node and another address each time. */
  let callers = 0
  const stranger = ({ publicKey }: Person) => new Browser(nodes[callers++ % 2] ?? nodes[0], publicKey)
  const wrongOf = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

  /** @param halves how many attempts are begun that ask for the second factor. */
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
    // Begun before, for a blocked account proves no password; each proof of it was a guess too.
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
        // Begun anew: it takes the place of one that was begun before, by whomever.
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
  /** What five wrong ones at each make wait: the same secret, by whatever path, and no other way in. */
  const spends: Readonly<Record<string, readonly string[]>> = {
    'a password': ['a password', 'the old password'],
    'a code by mail': [],
    'a second factor': ['a second factor'],
    'a recovery code': [],
    'a reset': [],
    'the old password': ['a password', 'the old password'],
  }
  const names = Object.keys(spends)
  /** In an order in which none ends what another has begun. */
  const provable = ['a password', 'a code by mail', 'a recovery code', 'a reset']
  const codeOf = (answer: Answer) => (answer.body as { code?: string }).code

  it('are taken by no operation that is not known here', () => {
    const guessable = /^(?:code|password|oldPassword)$/
    const taking = (Object.values(frontendEndpoints) as FrontendEndpoint[]).filter(({ body }) =>
      Object.keys((body as { properties?: object } | null)?.properties ?? {}).some((name) => guessable.test(name)),
    )
    assert.deepEqual(taking.map(({ id }) => id).toSorted(), Object.keys(takers).toSorted())
  })

  for (const [spent, waiting] of Object.entries(spends)) {
    it(`at ${spent} use up the one budget of what is guessed at, in fresh flows, on other nodes, and of nothing else`, async () => {
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

  it('cost a right proof nothing where nobody has guessed', async () => {
    const person = await signedInPerson(nodes[0], (await createTenant(nodes[0])).tenant)
    const ways = await paths(person, 1)
    // The old one comes last: the new one ends what was begun with it.
    for (const name of ['a password', 'a code by mail', 'a recovery code', 'the old password']) {
      const answer = await ways[name]?.prove()
      assert.equal(answer?.status, 200, `${name}: ${answer?.text}`)
    }
  })

  it('put passwords off for good after a hundred wrong ones, until another proof', async () => {
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
