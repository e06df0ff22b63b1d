// Lockouts: what strangers can reach by guessing, and what they can do to the user of the account. Both are in one file, because each can
// be had at the other's expense. Regression: a hundred wrong passwords of strangers, or fifty wrong codes, blocked the user's own right
// code, a password reset with the right code, and a password that an administrator had just set.
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { SignInAnswer, SignInExplanation } from '@bailiwick/contract'
import type { MessageRow } from '../../src/messaging/notifications/message-queries.ts'
import { openVariables } from '../../src/messaging/notifications/messages/sealed-messages.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { Browser } from '../harness/browser/frontend.ts'
import { SoftwareAuthenticator } from '../harness/browser/software-authenticator.ts'
import { createTenant, createUser, unique } from '../harness/factories.ts'
import { Person, password, signInWithPasskey } from '../harness/people/people.ts'
import { openSession } from '../harness/people/sessions.ts'
import { type Answer, productionEnv } from '../harness/service.ts'
import { describeOnTwoNodes } from './two-nodes.ts'

const env = {
  ...productionEnv,
  BAILIWICK_BASE_URL: 'https://id.test/api/v0',
  BAILIWICK_TRUSTED_PROXIES: '127.0.0.1',
  // Nobody answers there: the codes are read from the queue.
  BAILIWICK_SMTP_URL: 'smtp://127.0.0.1:9',
  BAILIWICK_SMTP_FROM: 'no-reply@acme.example',
}

const wrongPassword = 'not the right one at all'
const replacement = 'another horse battery staple'
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const waitMsMax = 15 * minuteMs

interface Target {
  readonly email: string
  readonly publicKey: string
  readonly tenantId: string
}

interface Reset {
  readonly passwordReset: { readonly id: string }
}

describeOnTwoNodes(
  'an account that strangers guess at',
  (nodes) => {
    before(() => nodes().stopClocks())

    let calls = 0
    /** Each call comes from another network, because limits by address are not tested here. */
    const newNetwork = () => {
      calls++
      return {
        origin: 'https://id.test',
        'x-forwarded-for': `2a01:${(calls >> 8).toString(16)}:${(calls & 255).toString(16)}::1`,
      }
    }
    /** A caller at the other node and from another network each time. */
    const stranger = ({ publicKey }: { publicKey: string }) =>
      new Browser(nodes().inTurn(calls), publicKey, newNetwork())
    /** The same browser, from another network. */
    const moved = (browser: Browser): Browser => {
      Object.assign(browser.headers, newNetwork())
      return browser
    }

    async function someone(): Promise<Person> {
      const { one } = nodes()
      const { tenant } = await createTenant(one, { environment: 'development' })
      const email = `${unique()}@example.com`
      const user = await createUser(one, tenant.id, { email, password })
      await one.ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
      const person = new Person(one, tenant, user, email)
      moved(person.browser)
      await person.begin()
      return person
    }

    /** The code of the newest message to an address. */
    async function codeSentTo(address: string): Promise<string> {
      const { db, sealer } = nodes().one.deps
      const row = await db.first<MessageRow>(
        sql`SELECT * FROM messages WHERE recipient = ${address} ORDER BY created_at DESC LIMIT 1`,
      )
      const sealed = row?.sealed_variables
      assert.ok(row && typeof sealed === 'string', `nothing was sent to ${address}`)
      return String((openVariables(sealer, row, sealed) as { code?: unknown }).code)
    }
    const wrongOf = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
    const codeOf = (answer: Answer) => (answer.body as { code?: string }).code
    const advance = (ms: number) => nodes().advance(ms)

    const byPassword = (browser: Browser, identifier: string, given: string) =>
      browser.call<SignInAnswer>('createSignIn', {
        body: { identifier, strategy: 'email_password', password: given },
      })

    /** Guesses at the password until it is off, and longer; returns how many guesses were judged. */
    async function guessPasswords(person: { email: string; publicKey: string }): Promise<number> {
      let judged = 0
      for (let n = 0; n < 105; n++) {
        const answer = await byPassword(stranger(person), person.email, wrongPassword)
        if (codeOf(answer) === 'factor_refused') judged++
        else assert.equal(codeOf(answer), 'too_many_attempts', answer.text)
        advance(waitMsMax + 1000)
      }
      return judged
    }

    /** Sets the state after that many guesses, each of which would take as long as a hash. */
    async function countFailures({ email, publicKey, tenantId }: Target, failures: number, second = 0): Promise<void> {
      const answer = await byPassword(stranger({ publicKey }), email, wrongPassword)
      assert.ok(['factor_refused', 'too_many_attempts'].includes(codeOf(answer) ?? ''), answer.text)
      await nodes().one.deps.db.transaction((tx) =>
        tx.run(sql`UPDATE guesses SET failures = ${failures}, second_failures = ${second}
          WHERE tenant_id = ${tenantId} AND device = '' AND failures > 0`),
      )
      advance(waitMsMax + 1000)
    }
    const lockPassword = (target: Target) => countFailures(target, 100)

    const beginCode = (browser: Browser, identifier: string) =>
      browser.call<SignInAnswer>('createSignIn', { body: { identifier, strategy: 'email_code' } })
    const beginReset = (browser: Browser, identifier: string) =>
      browser.call<Reset>('createPasswordReset', { body: { identifier } })

    /** Requests a code each hour and guesses at it, as often as possible; returns how many guesses were judged. */
    async function guessCodes(person: { email: string; publicKey: string }, hours = 12): Promise<number> {
      let judged = 0
      for (let hour = 0; hour < hours; hour++) {
        const browser = stranger(person)
        const isReset = hour % 2 === 0
        const begun = isReset ? await beginReset(browser, person.email) : await beginCode(browser, person.email)
        if (begun.status !== 200) assert.equal(codeOf(begun), 'too_many_attempts', begun.text)
        else judged += await guessAtCode(browser, begun.body.data)
        advance(hourMs)
      }
      return judged
    }

    async function guessAtCode(browser: Browser, begun: Partial<Reset & SignInAnswer>): Promise<number> {
      const { passwordReset, signInAttempt } = begun
      let judged = 0
      for (let n = 0; n < 8; n++) {
        moved(browser)
        const answer =
          passwordReset === undefined
            ? await browser.call('attemptFirstFactor', {
                params: { id: signInAttempt?.id ?? assert.fail() },
                body: { strategy: 'email_code', code: '00000x' },
              })
            : await browser.call('attemptPasswordReset', {
                params: { id: passwordReset.id },
                body: { code: '00000x', password: replacement },
              })
        if (codeOf(answer) === 'factor_refused') judged++
        else assert.equal(codeOf(answer), 'too_many_attempts', answer.text)
      }
      return judged
    }

    async function signsInByCode(person: Person, browser = stranger(person)) {
      const begun = await beginCode(browser, person.email)
      assert.equal(begun.status, 200, begun.text)
      const body = { strategy: 'email_code', code: await codeSentTo(person.email) }
      const params = { id: begun.body.data.signInAttempt.id }
      return browser.call<SignInAnswer>('attemptFirstFactor', { params, body })
    }

    // Guards: counted-guesses
    it('gives strangers a hundred passwords in all, and then none, however long they wait', async () => {
      const person = await someone()
      assert.equal(await guessPasswords(person), 100)
      advance(3 * dayMs)
      assert.equal(codeOf(await byPassword(stranger(person), person.email, wrongPassword)), 'too_many_attempts')
    })

    // Guards: counted-guesses
    it('gives them fifty guesses at codes a day, of sign-ins and resets together, on each of several days', async () => {
      const person = await someone()
      for (let day = 0; day < 3; day++) {
        const judged = await guessCodes(person, 24)
        assert.ok(judged > 0 && judged <= 50, `${judged} codes were judged`)
      }
    })

    // Guards: counted-guesses
    it('gives them fifty guesses at codes a day, across all its addresses', async () => {
      const person = await someone()
      const email = `${unique()}@example.com`
      const body = { tenantId: person.tenantId, userId: person.user.id, email }
      const { id } = await nodes().one.ok<{ id: string }>('createEmailAddress', { body })
      await nodes().one.ok('verifyEmailAddress', { body: { id } })
      let sent = 0
      for (let n = 0; n < 24; n++) {
        const identifier = n % 2 === 0 ? person.email : email
        if ((await beginCode(stranger(person), identifier)).status === 200) sent++
        advance(hourMs - 1000)
      }
      assert.equal(sent, 10, 'codes that can be tried five times each')
    })

    // Guards: counted-guesses
    it('gives them a hundred guesses at passwords and second factors together', async () => {
      const person = await someone()
      await person.addApp()
      await countFailures(person, 96)
      const browser = stranger(person)
      // Finally, the right one is a guess too.
      const begun = await byPassword(browser, person.email, password)
      assert.equal(begun.status, 200, begun.text)
      assert.equal(begun.body.data.signInAttempt.status, 'needs_factor_two')
      const params = { id: begun.body.data.signInAttempt.id }
      const body = { strategy: 'authenticator_code', code: '00000x' }
      const codes: (string | undefined)[] = []
      for (let n = 0; n < 5; n++) codes.push(codeOf(await moved(browser).call('attemptSecondFactor', { params, body })))
      const [refused, late] = ['factor_refused', 'too_many_attempts']
      assert.deepEqual(codes, [refused, refused, refused, late, late])
    })

    // Guards: counted-guesses
    it('does not give them new guesses at the second factor for proving the mailbox again and again', async () => {
      const person = await someone()
      await person.addApp()
      await countFailures(person, 1, 85)
      let judged = 0
      for (let day = 0; day < 3; day++) {
        for (let n = 0; n < 8; n++) {
          const browser = stranger(person)
          const begun = await signsInByCode(person, browser)
          if (begun.status === 200) {
            assert.equal(begun.body.data.signInAttempt.status, 'needs_factor_two')
            const params = { id: begun.body.data.signInAttempt.id }
            const body = { strategy: 'authenticator_code', code: '00000x' }
            const answer = await moved(browser).call('attemptSecondFactor', { params, body })
            if (codeOf(answer) === 'factor_refused') judged++
          }
          advance(2 * hourMs + 1000)
        }
        const browser = stranger(person)
        const begun = await beginReset(browser, person.email)
        assert.equal(begun.status, 200, begun.text)
        const body = { code: await codeSentTo(person.email), password: `${replacement} ${day}` }
        await browser.ok('attemptPasswordReset', { params: { id: begun.body.data.passwordReset.id }, body })
        advance(8 * hourMs)
      }
      assert.equal(judged, 15, 'of the hundred that there are until a sign-in is complete')
    })

    for (const [spent, spend] of Object.entries({
      'all wrong passwords': lockPassword,
      'all codes of a day': (person: Person) => guessCodes(person),
      'all wrong passwords and all codes of a day': async (person: Person) => {
        await lockPassword(person)
        await guessCodes(person)
      },
    })) {
      // Guards: lock-outs
      it(`can be signed in to on a known device, by password, code, reset and second factor, after ${spent}`, async () => {
        const person = await someone()
        const { recoveryCodes, secret } = await person.addApp()
        // The device has signed in before: it holds its token.
        const known = person.browser
        await spend(person)
        const right = await byPassword(moved(known), person.email, password)
        assert.equal(right.status, 200, right.text)
        const params = { id: right.body.data.signInAttempt.id }
        const second = { strategy: 'authenticator_code', code: person.codeOf(secret) }
        await moved(known).ok('attemptSecondFactor', { params, body: second })
        // What that sign-in has cleared is used up again.
        await spend(person)
        const coded = await signsInByCode(person, moved(known))
        assert.equal(coded.status, 200, coded.text)
        await moved(known).ok('attemptSecondFactor', {
          params: { id: coded.body.data.signInAttempt.id },
          body: { strategy: 'authenticator_code', code: recoveryCodes[0] },
        })
        await spend(person)
        const begun = await beginReset(moved(known), person.email)
        assert.equal(begun.status, 200, begun.text)
        const body = { code: await codeSentTo(person.email), password: replacement }
        await moved(known).ok('attemptPasswordReset', { params: { id: begun.body.data.passwordReset.id }, body })
      })
    }

    // Guards: lock-outs
    it('counts guesses of strangers at the second factor separately from those of the known device', async () => {
      const person = await someone()
      const { secret } = await person.addApp()
      for (let n = 0; n < 5; n++) {
        const browser = stranger(person)
        const begun = await byPassword(browser, person.email, password)
        assert.equal(begun.status, 200, begun.text)
        const body = { strategy: 'authenticator_code', code: '00000x' }
        const params = { id: begun.body.data.signInAttempt.id }
        await browser.refused('attemptSecondFactor', 'factor_refused', { params, body })
        advance(5000)
      }
      const known = moved(person.browser)
      const begun = await byPassword(known, person.email, password)
      assert.equal(begun.status, 200, begun.text)
      advance(30_000)
      const body = { strategy: 'authenticator_code', code: person.codeOf(secret) }
      await known.ok('attemptSecondFactor', { params: { id: begun.body.data.signInAttempt.id }, body })
    })

    // Guards: lock-outs
    it('accepts the right e-mail code on any device, which unlocks it for passwords again', async () => {
      const person = await someone()
      await lockPassword(person)
      assert.equal(codeOf(await byPassword(stranger(person), person.email, password)), 'too_many_attempts')
      // Others guess at codes of their own at the same time.
      const other = stranger(person)
      const begun = await beginCode(other, person.email)
      const params = { id: begun.body.data.signInAttempt.id }
      for (let n = 0; n < 5; n++) {
        await other.refused('attemptFirstFactor', 'factor_refused', {
          params,
          body: { strategy: 'email_code', code: '00000x' },
        })
      }
      advance(31_000)
      const answer = await signsInByCode(person)
      assert.equal(answer.status, 200, answer.text)
      assert.equal((await byPassword(stranger(person), person.email, password)).status, 200)
    })

    // Guards: lock-outs
    it('accepts a reset with the right code on any device, after which the new password signs in', async () => {
      const person = await someone()
      await lockPassword(person)
      const browser = stranger(person)
      const begun = await beginReset(browser, person.email)
      const params = { id: begun.body.data.passwordReset.id }
      const code = await codeSentTo(person.email)
      await browser.refused('attemptPasswordReset', 'factor_refused', {
        params,
        body: { code: wrongOf(code), password: replacement },
      })
      await browser.ok('attemptPasswordReset', { params, body: { code, password: replacement } })
      assert.equal((await byPassword(stranger(person), person.email, replacement)).status, 200)
    })

    // Guards: lock-outs
    it('continues from another first factor to the second, and accepts a recovery code if the app is off', async () => {
      const person = await someone()
      const { recoveryCodes, secret } = await person.addApp()
      await lockPassword(person)
      const browser = stranger(person)
      const first = await signsInByCode(person, browser)
      const params = { id: first.body.data.signInAttempt.id }
      await browser.ok('attemptSecondFactor', {
        params,
        body: { strategy: 'authenticator_code', code: person.codeOf(secret) },
      })
      const { db } = nodes().one.deps
      await byPassword(stranger(person), person.email, wrongPassword)
      await db.transaction((tx) =>
        tx.run(sql`UPDATE guesses SET second_failures = 100 WHERE subject = ${person.user.id}`),
      )
      const later = stranger(person)
      const begun = await byPassword(later, person.email, password)
      assert.equal(begun.status, 200, begun.text)
      const step = { id: begun.body.data.signInAttempt.id }
      const given = (code: string | undefined) => ({ params: step, body: { strategy: 'authenticator_code', code } })
      advance(30_000)
      await later.refused('attemptSecondFactor', 'too_many_attempts', given(person.codeOf(secret)))
      await later.ok('attemptSecondFactor', given(recoveryCodes[0]))
    })

    // Guards: lock-outs
    it('accepts a passkey, whatever was guessed', async () => {
      const person = await someone()
      const { key } = await person.addPasskey(new SoftwareAuthenticator(undefined, 'https://id.test'))
      await lockPassword(person)
      assert.equal((await signInWithPasskey(stranger(person), key)).status, 200)
      assert.equal((await byPassword(stranger(person), person.email, password)).status, 200)
    })

    for (const [by, clear] of Object.entries({
      'unlocks it': (id: string) => nodes().one.ok('unlockUser', { params: { id } }),
      'suspends and unsuspends it': async (id: string) => {
        await nodes().one.ok('suspendUser', { params: { id } })
        await nodes().one.ok('unsuspendUser', { params: { id } })
      },
      'makes it inactive and active again': async (id: string) => {
        for (const status of ['inactive', 'active'])
          await nodes().one.ok('updateUser', { params: { id }, body: { status } })
      },
      'sets a password': (id: string) => nodes().one.ok('changeUserPassword', { params: { id }, body: { password } }),
    })) {
      // Guards: lock-outs
      it(`is unlocked for every device once an administrator ${by}`, async () => {
        const person = await someone()
        await lockPassword(person)
        await guessCodes(person)
        await clear(person.user.id)
        const browser = stranger(person)
        const answer = await browser.call('createSignIn', {
          body: { identifier: person.email, strategy: 'email_password', password, newPassword: replacement },
        })
        assert.equal(answer.status, 200, answer.text)
        assert.equal((await signsInByCode(person)).status, 200)
      })
    }

    it('gets an event if an administrator unlocks it, and none if nothing was locked', async () => {
      const person = await someone()
      const params = { id: person.user.id }
      await byPassword(stranger(person), person.email, wrongPassword)
      for (let n = 0; n < 2; n++) {
        const user = await nodes().one.ok<{ id: string }>('unlockUser', { params })
        assert.equal(user.id, person.user.id)
      }
      const rows = await nodes().one.deps.db.all<{ type: string }>(sql`SELECT type FROM events
        WHERE tenant_id = ${person.tenantId} AND type = 'user.unlocked' LIMIT 10`)
      assert.equal(rows.length, 1)
    })

    // Guards: lock-outs
    it('is answered like an unknown identifier, whether or not it is locked', async () => {
      const person = await someone()
      const nobody = { email: `${unique()}@example.com`, publicKey: person.publicKey, tenantId: person.tenantId }
      const told = async (who: Target) => {
        const answers: unknown[] = []
        const note = ({ status, body, headers }: Answer) =>
          answers.push([
            status,
            codeOf({ body } as Answer),
            (body as { message?: string }).message,
            headers['retry-after'],
          ])
        for (let n = 0; n < 6; n++) note(await byPassword(stranger(who), who.email, wrongPassword))
        await lockPassword(who)
        note(await byPassword(stranger(who), who.email, wrongPassword))
        for (let n = 0; n < 12; n++) {
          const browser = stranger(who)
          const isReset = n % 2 === 0
          const begun = isReset ? await beginReset(browser, who.email) : await beginCode(browser, who.email)
          note(begun)
          const data = (begun.body as { data?: Partial<Reset & SignInAnswer> }).data
          const id = data?.passwordReset?.id ?? data?.signInAttempt?.id
          if (id === undefined) {
            advance(31_000)
            continue
          }
          for (let times = 0; times < 6; times++) {
            note(
              isReset
                ? await browser.call('attemptPasswordReset', {
                    params: { id },
                    body: { code: '00000x', password: replacement },
                  })
                : await browser.call('attemptFirstFactor', {
                    params: { id },
                    body: { strategy: 'email_code', code: '00000x' },
                  }),
            )
          }
          advance(31_000)
        }
        return answers
      }
      assert.deepEqual(await told(person), await told(nobody))
    })

    it('is explained: what is locked, until when, and what clears it', async () => {
      const person = await someone()
      await person.addApp()
      const explain = () =>
        nodes().one.ok<SignInExplanation>('explainSignIn', {
          params: { id: person.tenantId },
          body: { identifier: person.email },
        })
      assert.deepEqual((await explain()).locks, [])
      for (let n = 0; n < 5; n++) await byPassword(stranger(person), person.email, wrongPassword)
      const waiting = await explain()
      assert.deepEqual(
        waiting.locks.map(({ what, until }) => [what, until !== null]),
        [['password', true]],
      )
      assert.equal(waiting.user?.blockedUntil, waiting.locks[0]?.until)
      await lockPassword(person)
      await guessCodes(person)
      const { locks } = await explain()
      assert.deepEqual(
        locks.map(({ what, until }) => [what, until !== null]),
        [
          ['password', false],
          ['second_factor', false],
          ['sent_codes', true],
        ],
      )
      for (const { clearedBy } of locks) assert.match(clearedBy.join('; '), /users\/\{id\}\/unlock/)
      assert.match(locks[0]?.clearedBy.join('; ') ?? '', /email_code.*password reset.*device/)
      assert.match(locks[1]?.clearedBy.join('; ') ?? '', /recovery code/)
      await nodes().one.ok('unlockUser', { params: { id: person.user.id } })
      assert.deepEqual((await explain()).locks, [])
    })

    // Guards: lock-outs
    it('counts wrong old passwords in a session separately for the known device', async () => {
      const person = await someone()
      await lockPassword(person)
      const { token } = await openSession(nodes().one, person.tenantId, person.user.id)
      const body = { oldPassword: password, password: replacement }
      const stolen = stranger(person)
      stolen.headers['authorization'] = `Bearer ${token}`
      await stolen.refused('updateOwnPassword', 'too_many_attempts', { body })
      await moved(person.browser).ok('updateOwnPassword', { body })
    })
  },
  env,
)
