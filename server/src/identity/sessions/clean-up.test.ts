import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { storedCounter } from '../../../test/harness/databases/stored.ts'
import { createTenant, createUser } from '../../../test/harness/factories.ts'
import {
  insertAttempts,
  openSession,
  startServiceWithClock,
  storedSession,
} from '../../../test/harness/people/sessions.ts'
import type { TestService } from '../../../test/harness/service.ts'
import { cleanUpSessions, keptMs } from './clean-up.ts'

const day = 24 * 60 * 60_000

describeOnEachEngine('the clean-up of sessions', (open) => {
  let service: TestService
  let advance: (ms: number) => void
  before(async () => {
    ;({ service, advance } = await startServiceWithClock((await open()).database))
  })
  after(() => service.app.close())

  const totals = async (tenantId: string) => {
    const { meta } = await service.ok<{ meta: { total: number; count: number } }>('listTenantSessions', {
      params: { tenantId },
    })
    return [meta.total, meta.count, await storedCounter(service, tenantId, 'sessions')]
  }
  const cleanUp = async () => {
    while (await cleanUpSessions(service.deps));
  }

  it('ends expired sessions once, however many nodes do it at once, and leaves the others', async () => {
    const { tenant } = await createTenant(service)
    const user = await createUser(service, tenant.id)
    const expired = [await openSession(service, tenant.id, user.id), await openSession(service, tenant.id, user.id)]
    advance(4 * day)
    const live = await openSession(service, tenant.id, user.id)
    advance(4 * day)
    await Promise.all([cleanUp(), cleanUp(), cleanUp()])
    assert.deepEqual(await totals(tenant.id), [1, 1, 1])
    for (const { row } of expired) assert.notEqual((await storedSession(service, row.id))?.ended_at, null)
    assert.equal((await storedSession(service, live.row.id))?.ended_at, null)
  })

  it('removes sessions that ended 90 days ago and attempts of that age, and nothing younger', async () => {
    const { tenant } = await createTenant(service)
    const user = await createUser(service, tenant.id)
    const old = await openSession(service, tenant.id, user.id)
    await service.ok('deleteSession', { params: { id: old.row.id } })
    const { signIn } = await insertAttempts(service, tenant.id, user.id)
    advance(keptMs - day)
    const young = await openSession(service, tenant.id, user.id)
    await service.ok('deleteSession', { params: { id: young.row.id } })
    const { signUp } = await insertAttempts(service, tenant.id, null)
    await cleanUp()
    assert.ok(await storedSession(service, old.row.id))
    advance(2 * day)
    await Promise.all([cleanUp(), cleanUp()])
    assert.equal(await storedSession(service, old.row.id), undefined)
    assert.ok(await storedSession(service, young.row.id))
    await service.refused('getSignInAttempt', 'not_found', { params: { id: signIn.id } })
    await service.ok('getSignUpAttempt', { params: { id: signUp.id } })
    assert.equal(await storedCounter(service, tenant.id, 'sign_in_attempts'), 1)
    assert.equal(await storedCounter(service, tenant.id, 'sign_up_attempts'), 1)
  })
})
