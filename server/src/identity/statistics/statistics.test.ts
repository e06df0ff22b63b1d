import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { DayCount, Session, Statistic, User } from '@bailiwick/contract'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { createTenant, createUser } from '../../../test/harness/factories.ts'
import { openSession, startServiceWithClock } from '../../../test/harness/people/sessions.ts'
import type { TestService } from '../../../test/harness/service.ts'
import { hashToken } from '../../platform/crypto/tokens.ts'
import { dayMs } from '../../platform/statistics/day-counters.ts'

describeOnEachEngine('the statistics of a tenant', (open) => {
  let service: TestService
  let advance: (ms: number) => void
  before(async () => {
    ;({ service, advance } = await startServiceWithClock((await open()).database))
    // Noon, so that no day ends between an action and the question about it.
    advance(1.5 * dayMs - (Date.now() % dayMs))
  })
  after(() => service.app.close())

  /** Value and change by name. */
  const numbers = async (tenantId: string) => {
    const statistics = await service.ok<Statistic[]>('listStatistics', { query: { tenantId } })
    for (const { change, changeType } of statistics) {
      assert.equal(changeType, change === 0 ? 'none' : change > 0 ? 'up' : 'down')
    }
    return Object.fromEntries(statistics.map(({ name, value, change }) => [name, [value, change]]))
  }
  const byDay = (id: 'listSignUpsByDay' | 'listSessionsByDay', tenantId: string) =>
    service.ok<DayCount[]>(id, { query: { tenantId } })

  it('are all zero for a new tenant, in their order', async () => {
    const { tenant } = await createTenant(service)
    assert.deepEqual(Object.entries(await numbers(tenant.id)), [
      ['Total Users', [0, 0]],
      ['Active Users', [0, 0]],
      ['Sign Ups', [0, 0]],
      ['Sign Ins', [0, 0]],
    ])
    const days = await byDay('listSignUpsByDay', tenant.id)
    assert.equal(days.length, 30)
    assert.ok(days.every(({ count }) => count === 0))
  })

  it('compare now with 30 days ago', async () => {
    const { tenant } = await createTenant(service)
    const users = [
      await createUser(service, tenant.id),
      await createUser(service, tenant.id),
      await createUser(service, tenant.id),
    ]
    const [one, two, three] = users.map(({ id }) => id)
    assert.ok(one !== undefined && two !== undefined && three !== undefined)
    for (const id of [one, one, two]) await openSession(service, tenant.id, id)
    assert.deepEqual(await numbers(tenant.id), {
      'Total Users': [3, 3],
      'Active Users': [2, 2],
      'Sign Ups': [3, 3],
      'Sign Ins': [3, 3],
    })
    advance(30 * dayMs)
    await createUser(service, tenant.id)
    await openSession(service, tenant.id, two)
    await service.ok('deleteUser', { params: { id: three } })
    assert.deepEqual(await numbers(tenant.id), {
      'Total Users': [3, 0],
      'Active Users': [1, -1],
      'Sign Ups': [1, -2],
      'Sign Ins': [1, -2],
    })
    advance(60 * dayMs)
    assert.deepEqual(await numbers(tenant.id), {
      'Total Users': [3, 0],
      'Active Users': [0, 0],
      'Sign Ups': [0, 0],
      'Sign Ins': [0, 0],
    })
  })

  it('count a user as active who uses a session, but not one who is impersonated', async () => {
    const { tenant } = await createTenant(service)
    const [user, other] = [await createUser(service, tenant.id), await createUser(service, tenant.id)]
    await service.ok('impersonateUser', { params: { id: other.id }, body: { reason: 'Ticket 4711' } })
    const { token } = await openSession(service, tenant.id, user.id)
    for (let times = 0; times < 5; times++) {
      advance(5 * dayMs)
      assert.ok(await service.deps.sessions.find(hashToken(token)))
      await service.deps.sessions.settle()
    }
    const now = await numbers(tenant.id)
    assert.deepEqual(now['Active Users'], [1, 1])
    assert.deepEqual(now['Sign Ins'], [1, 1])
  })

  it('count by day what happened on each, today last', async () => {
    const { tenant } = await createTenant(service)
    const user = await createUser(service, tenant.id)
    await openSession(service, tenant.id, user.id)
    advance(2 * dayMs)
    for (let times = 0; times < 3; times++) await createUser(service, tenant.id)
    await openSession(service, tenant.id, user.id)
    await openSession(service, tenant.id, user.id)
    const today = new Date(service.deps.clock.nowMs()).toISOString().slice(0, 10)
    const signUps = await byDay('listSignUpsByDay', tenant.id)
    assert.deepEqual([signUps.at(-1), signUps.at(-2)?.count, signUps.at(-3)?.count], [{ date: today, count: 3 }, 0, 1])
    const sessions = await byDay('listSessionsByDay', tenant.id)
    assert.deepEqual(
      sessions.slice(-3).map(({ count }) => count),
      [1, 0, 2],
    )
    assert.deepEqual(
      sessions.map(({ date }) => date),
      signUps.map(({ date }) => date),
    )
  })

  it('show the ten latest users, and the ten latest sign-ins whether or not their sessions have ended', async () => {
    const { tenant } = await createTenant(service)
    const users: string[] = []
    const sessions: string[] = []
    for (let n = 0; n < 12; n++) {
      const { id } = await createUser(service, tenant.id)
      users.unshift(id)
      sessions.unshift((await openSession(service, tenant.id, id)).row.id)
    }
    await service.ok('deleteSession', { params: { id: sessions[0] ?? '' } })
    const query = { tenantId: tenant.id }
    const signUps = await service.ok<User[]>('listRecentSignUps', { query })
    assert.deepEqual(
      signUps.map(({ id }) => id),
      users.slice(0, 10),
    )
    const signIns = await service.ok<Session[]>('listRecentSignIns', { query })
    assert.deepEqual(
      signIns.map(({ id }) => id),
      sessions.slice(0, 10),
    )
  })
})
