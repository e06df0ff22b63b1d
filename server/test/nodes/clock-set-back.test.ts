// Regression: one clock provided both the order of rows and the times of tokens, codes and limits. After it had been set back, time stood
// still until the wall clock had caught up.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { SignInAnswer } from '@bailiwick/contract'
import { decodeJwt } from 'jose'
import { toMs } from '../../src/platform/clock.ts'
import { Browser } from '../harness/browser/frontend.ts'
import { describeOnEachEngine } from '../harness/databases/databases.ts'
import { createTenant, createUser, unique } from '../harness/factories.ts'
import { latestMessageTo } from '../harness/messages.ts'
import { type Person, signedInPerson } from '../harness/people/people.ts'
import { startServiceAt } from '../harness/people/sessions.ts'
import { type TestService, testEnv } from '../harness/service.ts'

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs
const minuteMs = 60_000

describeOnEachEngine('after the clock has been set back', (open) => {
  let service: TestService
  let offsetMs = 0
  let startedAt = 0
  const wallMs = () => startedAt + offsetMs
  before(async () => {
    startedAt = Date.now()
    const { database } = await open()
    service = await startServiceAt(database, wallMs, testEnv)
  })
  after(() => service.app.close())

  /** The clock was right, and is set back by an hour. */
  const anHourBack = (work: () => Promise<void>, check: () => Promise<void>) =>
    moved([
      { byMs: 0, run: work },
      { byMs: -hourMs, run: check },
    ])
  /** The clock is set a day ahead by mistake, and corrected. */
  const aDayAheadAndBack = (work: () => Promise<void>, check: () => Promise<void>) =>
    moved([
      { byMs: dayMs, run: work },
      { byMs: -dayMs, run: check },
    ])
  async function moved(steps: readonly { readonly byMs: number; readonly run: () => Promise<void> }[]) {
    for (const { byMs, run } of steps) {
      offsetMs += byMs
      await run()
    }
  }
  const cases = { 'by an hour': anHourBack, 'from a day ahead': aDayAheadAndBack }

  for (const [name, across] of Object.entries(cases)) {
    it(`${name}, session tokens are issued with the present time`, async () => {
      const person = await signedInPerson(service)
      const issuedAt = async () => {
        const { jwt } = await person.browser.ok<{ jwt: string }>('createOwnToken', { body: {} })
        const { iat = 0, exp = 0 } = decodeJwt(jwt)
        assert.equal(iat, Math.floor(wallMs() / 1000))
        assert.equal(exp - iat, 60)
      }
      await across(issuedAt, issuedAt)
    })

    it(`${name}, codes of an authenticator app follow the present time`, async () => {
      let secret = ''
      let person: Person | undefined
      const signIn = async (steps: number) => {
        assert.ok(person !== undefined)
        const browser = person.elsewhere()
        const { signInAttempt } = await person.begin(browser)
        return browser.call<SignInAnswer>('attemptSecondFactor', {
          params: { id: signInAttempt.id },
          body: { strategy: 'authenticator_code', code: person.codeOf(secret, steps) },
        })
      }
      await across(
        async () => {
          person = await signedInPerson(service)
          ;({ secret } = await person.addApp())
        },
        async () => {
          assert.equal((await signIn(0)).status, 200)
          assert.notEqual((await signIn(0)).status, 200, 'a code that was used is still used up')
        },
      )
    })

    it(`${name}, a code by mail is sent and accepted`, async () => {
      const person = await signedInPerson(service)
      const begin = async () => {
        const browser = person.elsewhere()
        const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', {
          body: { identifier: person.email, strategy: 'email_code' },
        })
        const { code } = await latestMessageTo(service.deps, person.email)
        return { browser, id: signInAttempt.id, code }
      }
      const prove = ({ browser, id, code }: Awaited<ReturnType<typeof begin>>) =>
        browser.call('attemptFirstFactor', { params: { id }, body: { strategy: 'email_code', code } })
      await across(
        async () => assert.equal((await prove(await begin())).status, 200),
        async () => assert.equal((await prove(await begin())).status, 200),
      )
    })

    it(`${name}, rows of a list are read in the order of their creation, each once`, async () => {
      const { tenant } = await createTenant(service)
      const made: string[] = []
      const some = async () => {
        for (let count = 0; count < 4; count++) made.unshift((await createUser(service, tenant.id)).id)
      }
      await across(some, some)
      const walked: string[] = []
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page = await service.ok<{ data: { id: string }[]; meta: { next: string | null } }>('listUsers', {
          query: { tenantId: tenant.id, perPage: '3', ...(cursor === undefined ? {} : { cursor }) },
        })
        walked.push(...page.data.map(({ id }) => id))
        cursor = page.meta.next
      }
      assert.deepEqual(walked, made)
    })

    it(`${name}, a limit that was used up is full again after its own time`, async () => {
      const { tenant } = await createTenant(service)
      const email = `${unique()}@example.com`
      const user = await createUser(service, tenant.id, { email })
      await service.ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
      const browser = new Browser(service, tenant.publicKey)
      const ask = () => browser.call('createSignIn', { body: { identifier: email, strategy: 'email_code' } })
      const useUp = async () => {
        for (let count = 0; count < 2000; count++) if ((await ask()).status === 429) return
        assert.fail('the limit was never reached')
      }
      await across(useUp, async () => {
        // Longer than the shortest window and the allowed difference between clocks of nodes.
        offsetMs += 10 * minuteMs
        assert.equal((await ask()).status, 200)
        offsetMs -= 10 * minuteMs
      })
    })
  }

  it('from a day ahead, a code that was sent meanwhile is not valid for a day', async () => {
    const person = await signedInPerson(service)
    offsetMs += dayMs
    const browser = person.elsewhere()
    const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', {
      body: { identifier: person.email, strategy: 'email_code' },
    })
    const { code } = await latestMessageTo(service.deps, person.email)
    offsetMs -= dayMs
    const { status } = await browser.call('attemptFirstFactor', {
      params: { id: signInAttempt.id },
      body: { strategy: 'email_code', code },
    })
    assert.notEqual(status, 200)
  })

  it('by an hour, changes are shown with the present time', async () => {
    const { tenant } = await createTenant(service)
    const user = await createUser(service, tenant.id)
    offsetMs -= hourMs
    const { updatedAt } = await service.ok<{ updatedAt: string }>('updateUser', {
      params: { id: user.id },
      body: { name: 'Later' },
    })
    assert.ok(Math.abs(toMs(updatedAt as Parameters<typeof toMs>[0]) - wallMs()) < minuteMs)
  })
})
