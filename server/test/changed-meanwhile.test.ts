// A proof is judged by what is true when it is used: a password or an address that is changed at the same moment begins no session
// that outlives the change.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SignInAnswer, User } from '@bailiwick/contract'
import { sql } from '../src/db/sql.ts'
import type { TenantId } from '../src/ids.ts'
import { selectUserForUpdate } from '../src/users/queries.ts'
import { unique } from './factories.ts'
import { Browser } from './frontend.ts'
import { latestMessageTo } from './messages.ts'
import { type Person, password, signedInPerson } from './people.ts'
import type { Answer } from './service.ts'
import { browserAt, describeOnTwoNodes } from './two-nodes.ts'

describeOnTwoNodes('changed while a proof of it is under way', (nodes) => {
  /** On PostgreSQL; on SQLite nobody waits for a row, for all that is written waits for its turn. */
  async function untilWaiting(count: number) {
    const { db } = nodes().one.deps
    if (db.engine === 'sqlite') return
    for (let looks = 0; looks < 150; looks++) {
      const rows = await db.all(sql`SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' LIMIT 10`)
      if (rows.length >= count) return
      await sleep(10)
    }
    assert.fail(`fewer than ${count} wait`)
  }

  /** Lets the change and then the use come up to the user, who is held meanwhile, and go on in that order. */
  async function inThatOrder(owner: Person, change: () => Promise<Answer>, use: () => Promise<Answer>) {
    let both: Promise<Answer[]> | undefined
    await nodes().one.deps.db.transaction(async (tx) => {
      await selectUserForUpdate(tx, owner.tenantId as TenantId, owner.user.id)
      const changing = change()
      await untilWaiting(1)
      both = Promise.all([changing, use()])
      await untilWaiting(2)
    })
    return both
  }

  async function begun(strategy?: 'email_code') {
    const owner = await signedInPerson(nodes().one)
    const browser = new Browser(nodes().other, owner.publicKey)
    const body = { identifier: owner.email, ...(strategy === undefined ? {} : { strategy }) }
    const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', { body })
    return { owner, browser, params: { id: signInAttempt.id } }
  }

  it('a password that was right begins no session behind its change', async () => {
    for (let round = 0; round < 3; round++) {
      const { owner, browser, params } = await begun()
      const change = () => nodes().one.call('changeUserPassword', { params: { id: owner.user.id }, body: { password } })
      const step = { params, body: { strategy: 'email_password', password } }
      await inThatOrder(owner, change, () => browser.call('attemptFirstFactor', step))
      await browserAt(nodes().one, browser).refused('getProfile', 'unauthenticated')
    }
  })

  it('a code that was sent to an address does not verify the one in its place', async () => {
    for (let round = 0; round < 3; round++) {
      const { owner, browser, params } = await begun('email_code')
      const { code } = await latestMessageTo(nodes().other.deps, owner.email)
      const id = owner.user.primaryEmailId
      const email = `${unique()}@example.com`
      const change = () => nodes().one.call('updateEmailAddress', { body: { id, email } })
      const step = { params, body: { strategy: 'email_code', code } }
      await inThatOrder(owner, change, () => browser.call('attemptFirstFactor', step))
      const { data } = await nodes().one.ok<{ data: User }>('getUser', { params: { id: owner.user.id } })
      assert.deepEqual(
        data.emailAddresses.map((address) => [address.email, address.verifiedAt]),
        [[email, null]],
      )
    }
  })
})
