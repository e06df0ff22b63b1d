import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { SignInAnswer } from '@bailiwick/contract'
import { type Person, password, signedInPerson } from '../../../test/harness/people/people.ts'
import { describeService } from '../../../test/harness/service.ts'
import { readCounters } from '../../platform/db/counters.ts'
import { sql } from '../../platform/db/sql.ts'

const wrong = { strategy: 'email_password', password: 'not the right one at all' }
const right = { strategy: 'email_password', password }

interface EventRow {
  readonly type: string
}

describeService('an attempt that comes with its first proof', (service) => {
  /** The stored attempts of a tenant, without the one that signed the person in. */
  async function traces({ tenantId }: Person) {
    const { db } = service().deps
    const { data } = await service().ok<{ data: { status: string; userId: string | null; strategy: string | null }[] }>(
      'listSignInAttempts',
      { query: { tenantId } },
    )
    const events = await db.all<EventRow>(sql`SELECT type FROM events
      WHERE tenant_id = ${tenantId} AND subject_type = 'sign_in_attempt' ORDER BY created_at LIMIT 100`)
    const counts = await readCounters(db, tenantId, ['sign_in_attempts'])
    return {
      attempts: data.length,
      counted: counts.get('sign_in_attempts'),
      events: events.slice(2).map(({ type }) => type),
    }
  }

  it('is written as complete if the proof is right', async () => {
    const person = await signedInPerson(service())
    const { signInAttempt } = await person.begin(person.elsewhere())
    assert.equal(signInAttempt.createdAt, signInAttempt.updatedAt)
    const { user, failure, ...shown } = await service().ok('getSignInAttempt', { params: { id: signInAttempt.id } })
    assert.deepEqual(shown, signInAttempt)
    assert.equal(failure, null)
    assert.equal((user as { id: string }).id, person.user.id)
    assert.deepEqual(await traces(person), {
      attempts: 2,
      counted: 2,
      events: ['sign_in_attempt.created', 'sign_in_attempt.completed'],
    })
  })

  it('continues with its second factor like any other', async () => {
    const person = await signedInPerson(service())
    const { recoveryCodes } = await person.addApp()
    const browser = person.elsewhere()
    const { signInAttempt } = await person.begin(browser)
    assert.equal(signInAttempt.status, 'needs_factor_two')
    assert.deepEqual(await browser.ok('getSignIn', { params: { id: signInAttempt.id } }), { signInAttempt })
    const body = { strategy: 'authenticator_code', code: recoveryCodes[0] }
    const done = await browser.ok<SignInAnswer>('attemptSecondFactor', { params: { id: signInAttempt.id }, body })
    assert.equal(done.signInAttempt.createdAt, signInAttempt.createdAt)
    assert.deepEqual((await traces(person)).events, ['sign_in_attempt.created', 'sign_in_attempt.completed'])
  })

  it('is logged with its failure if the proof is wrong', async () => {
    const person = await signedInPerson(service())
    await person.elsewhere().refused('createSignIn', 'factor_refused', { body: { identifier: person.email, ...wrong } })
    assert.deepEqual(await traces(person), {
      attempts: 2,
      counted: 2,
      events: ['sign_in_attempt.created', 'sign_in_attempt.failed'],
    })
  })

  it('is logged if no guess was left', async () => {
    const person = await signedInPerson(service())
    const body = { identifier: person.email, ...wrong }
    for (let guess = 0; guess < 5; guess++) await person.elsewhere().refused('createSignIn', 'factor_refused', { body })
    await person.elsewhere().refused('createSignIn', 'too_many_attempts', { body })
    const { attempts, counted, events } = await traces(person)
    assert.deepEqual({ attempts, counted }, { attempts: 7, counted: 7 })
    assert.deepEqual(events.slice(-3), ['sign_in_attempt.created', 'sign_in_attempt.failed', 'sign_in_attempt.created'])
  })

  it('is logged if a right password must be replaced first', async () => {
    const person = await signedInPerson(service())
    await service().ok('changeUserPassword', { params: { id: person.user.id }, body: { password } })
    const body = { identifier: person.email, ...right }
    await person.elsewhere().refused('createSignIn', 'password_change_required', { body })
    const { attempts, counted, events } = await traces(person)
    assert.deepEqual({ attempts, counted }, { attempts: 2, counted: 2 })
    assert.deepEqual(events, ['sign_in_attempt.created'])
  })

  it('cannot be continued before it is proved', async () => {
    const person = await signedInPerson(service())
    const browser = person.elsewhere()
    await browser.refused('createSignIn', 'factor_refused', { body: { identifier: person.email, ...wrong } })
    const { data } = await service().ok<{ data: { id: string; status: string; userId: string | null }[] }>(
      'listSignInAttempts',
      { query: { tenantId: person.tenantId } },
    )
    const left = data.find(({ status }) => status === 'needs_factor_one')
    assert.ok(left)
    const stranger = person.elsewhere()
    await stranger.refused('attemptFirstFactor', 'not_found', { params: { id: left.id }, body: right })
    // The browser that began it holds its token.
    await browser.ok('attemptFirstFactor', { params: { id: left.id }, body: right })
  })
})
