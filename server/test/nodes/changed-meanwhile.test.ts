// A proof is judged by what is true when it is used: if a password or an address is changed at the same moment, no session begins that
// outlives the change.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SignInAnswer, User } from '@bailiwick/contract'
import { lockUser } from '../../src/identity/users/find-user.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { TenantId } from '../../src/platform/ids.ts'
import { Browser } from '../harness/browser/frontend.ts'
import { unique } from '../harness/factories.ts'
import { latestMessageTo } from '../harness/messages.ts'
import { type Person, password, signedInPerson } from '../harness/people/people.ts'
import type { Answer } from '../harness/service.ts'
import { browserAt, describeOnTwoNodes } from './two-nodes.ts'

describeOnTwoNodes('changed while a proof of it is under way', (nodes) => {
  /** Only on PostgreSQL: on SQLite nobody waits for a row, because all writes wait for their turn. */
  async function untilWaiting(count: number, hasGivenUp: () => boolean): Promise<boolean> {
    const { db } = nodes().one.deps
    if (db.engine === 'sqlite') return true
    while (!hasGivenUp()) {
      const rows = await db.all(sql`SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' LIMIT 10`)
      if (rows.length >= count) return true
      await sleep(10)
    }
    return false
  }

  /**
   * Lets first the change and then the use reach the user, who is held meanwhile, and continue in that order. Returns false if a busy
   * machine let one of them wait longer than the service allows, so that it was told to come back.
   */
  async function areInThatOrder(owner: Person, change: () => Promise<Answer>, use: () => Promise<Answer>) {
    let both: Promise<Answer[]> | undefined
    let answered = 0
    let haveWaited = false
    const counted = (answer: Promise<Answer>) => answer.finally(() => answered++)
    await nodes().one.deps.db.transaction(async (tx) => {
      await lockUser(tx, owner.tenantId as TenantId, owner.user.id)
      const changing = counted(change())
      await untilWaiting(1, () => answered > 0)
      both = Promise.all([changing, counted(use())])
      haveWaited = await untilWaiting(2, () => answered > 0)
    })
    const wasTooLate = ((await both) ?? []).some(({ status }) => status === 503)
    assert.ok(haveWaited || wasTooLate, 'the user is held, and somebody did not wait')
    return !wasTooLate
  }

  async function begun(strategy?: 'email_code') {
    const owner = await signedInPerson(nodes().one)
    const browser = new Browser(nodes().other, owner.publicKey)
    const body = { identifier: owner.email, ...(strategy === undefined ? {} : { strategy }) }
    const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', { body })
    return { owner, browser, params: { id: signInAttempt.id } }
  }

  // Guards: reset-codes
  it('a password that was right begins no session after its change', async () => {
    for (let rounds = 0; rounds < 3;) {
      const { owner, browser, params } = await begun()
      const change = () => nodes().one.call('changeUserPassword', { params: { id: owner.user.id }, body: { password } })
      const step = { params, body: { strategy: 'email_password', password } }
      if (!(await areInThatOrder(owner, change, () => browser.call('attemptFirstFactor', step)))) continue
      rounds++
      await browserAt(nodes().one, browser).refused('getProfile', 'unauthenticated')
    }
  })

  // Guards: bound-proofs
  it('a code that was sent to an address does not verify its replacement', async () => {
    for (let rounds = 0; rounds < 3;) {
      const { owner, browser, params } = await begun('email_code')
      const { code } = await latestMessageTo(nodes().other.deps, owner.email)
      const id = owner.user.primaryEmailId
      const email = `${unique()}@example.com`
      const change = () => nodes().one.call('updateEmailAddress', { body: { id, email } })
      const step = { params, body: { strategy: 'email_code', code } }
      if (!(await areInThatOrder(owner, change, () => browser.call('attemptFirstFactor', step)))) continue
      rounds++
      const { data } = await nodes().one.ok<{ data: User }>('getUser', { params: { id: owner.user.id } })
      assert.deepEqual(
        data.emailAddresses.map((address) => [address.email, address.verifiedAt]),
        [[email, null]],
      )
    }
  })
})
