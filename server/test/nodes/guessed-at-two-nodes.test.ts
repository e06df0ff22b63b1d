// The limits on guesses are in the database: somebody who alternates between nodes, or asks all of them at once, has no more guesses.
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { takeTry } from '../../src/identity/lockout/lockout.ts'
import { createClock } from '../../src/platform/clock.ts'
import { ApiError } from '../../src/platform/http/api-error.ts'
import { type TenantId, newId } from '../../src/platform/ids.ts'
import { type Quota, takeQuota } from '../../src/platform/quotas/quotas.ts'
import { atOnce, workAtOnce } from '../harness/at-once.ts'
import { Browser } from '../harness/browser/frontend.ts'
import { password, signedInPerson } from '../harness/people/people.ts'
import { tenantWith } from '../harness/people/signed-in-user.ts'
import { describeOnTwoNodes } from './two-nodes.ts'

const waitMsMax = 15 * 60_000

describeOnTwoNodes('guesses at two nodes', (nodes) => {
  before(() => nodes().stopClocks())

  // Guards: simultaneous-guesses, asvs-guessing, asvs-code-guesses
  it('are not judged more than five times out of five hundred, sent a hundred at once', async () => {
    const { email, publicKey } = await signedInPerson(nodes().one)
    const body = { identifier: email, strategy: 'email_password', password: 'not the right one at all' }
    const codes: (string | undefined)[] = []
    // In five waves, because the machine may be busy with other things.
    for (let wave = 0; wave < 5; wave++) {
      const answers = await atOnce(100, (n) => new Browser(nodes().inTurn(n), publicKey).call('createSignIn', { body }))
      codes.push(...answers.map((answer) => answer.body.code))
    }
    const judged = codes.filter((code) => code === 'factor_refused').length
    assert.ok(judged > 0 && judged <= 5, `${judged} guesses were judged`)
    assert.equal(codes.filter((code) => code === 'too_many_attempts').length, 500 - judged)
  })

  // Guards: simultaneous-guesses
  it('wait as long as at one node if they are sent one after the other, even the right one', async () => {
    const { email, publicKey } = await signedInPerson(nodes().one)
    const guess = (n: number, given: string) => {
      const body = { identifier: email, strategy: 'email_password', password: given }
      return new Browser(nodes().inTurn(n), publicKey).call('createSignIn', { body })
    }
    for (let n = 0; n < 5; n++) assert.equal((await guess(n, 'not the right one at all')).status, 401)
    for (const n of [0, 1]) assert.equal((await guess(n, password)).body.code, 'too_many_attempts')
    nodes().advance(2200)
    assert.equal((await guess(1, 'not the right one at all')).status, 401)
    nodes().advance(2200)
    for (const n of [0, 1]) assert.equal((await guess(n, password)).body.code, 'too_many_attempts')
    nodes().advance(2200)
    assert.equal((await guess(0, password)).status, 200)
  })

  it('are not made to wait by a node whose clock is behind, if they cost no wait', async () => {
    const { id } = await tenantWith(nodes().one)
    const claimant = { tenantId: id as TenantId, subject: newId(), device: undefined }
    const { clock } = nodes().one.deps
    const behind = { ...nodes().other.deps, clock: createClock(() => clock.nowMs() - 1000) }
    for (const deps of [nodes().one.deps, behind, nodes().one.deps, behind, behind]) await takeTry(deps, claimant)
    await assert.rejects(takeTry(behind, claimant), { code: 'too_many_attempts' })
  })

  // Guards: simultaneous-guesses
  it('end after a hundred in a row', async () => {
    const { id } = await tenantWith(nodes().one)
    const claimant = { tenantId: id as TenantId, subject: newId(), device: undefined }
    for (let n = 0; n < 100; n++) {
      await takeTry(nodes().inTurn(n).deps, claimant)
      nodes().advance(waitMsMax + 1000)
    }
    for (const n of [0, 1]) {
      await assert.rejects(takeTry(nodes().inTurn(n).deps, claimant), { code: 'too_many_attempts' })
    }
  })

  // Guards: simultaneous-guesses
  it('share one quota of messages to one address', async () => {
    const { id } = await tenantWith(nodes().one)
    const quota: Quota = { name: 'codes:hour', usesMax: 10, windowSeconds: 3600 }
    const take = (n: number) => {
      const { deps } = nodes().inTurn(n)
      return deps.db.transaction((tx) => takeQuota(deps, tx, id as TenantId, quota, 'ada@acme.example'))
    }
    const isTaken = async (n: number) => {
      try {
        await take(n)
        return true
      } catch (error) {
        if (error instanceof ApiError) return false
        throw error
      }
    }
    const taken = await workAtOnce(100, isTaken)
    assert.equal(taken.filter(Boolean).length, 10)
  })
})
