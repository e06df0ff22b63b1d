import assert from 'node:assert/strict'
import { it } from 'node:test'
import { storePasskey } from '../../../test/harness/browser/passkeys.ts'
import { storedEvents } from '../../../test/harness/databases/stored.ts'
import { createTenant, createUser } from '../../../test/harness/factories.ts'
import { openSession } from '../../../test/harness/people/sessions.ts'
import { describeService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'
import { resetAccess } from './user-changes.ts'

const actor = { type: 'operator', id: null, ip: null, ua: null } as const

describeService('resetting the access of a user', (service) => {
  // Guards: asvs-administrators
  it('removes authenticators and sessions, with their events, and asks for a new password', async () => {
    const { deps } = service()
    const { tenant } = await createTenant(service())
    const user = await createUser(service(), tenant.id, { password: 'correct horse battery staple' })
    const passkey = await storePasskey(service(), tenant.id, user.id)
    await openSession(service(), tenant.id, user.id)
    await resetAccess(deps, tenant.id as TenantId, user.id, 'another horse battery staple', actor)
    const rows = await deps.db.all<{ one: number }>(
      sql`SELECT 1 AS one FROM passkeys WHERE tenant_id = ${tenant.id} LIMIT 10`,
    )
    assert.deepEqual(rows, [])
    const [removed] = await storedEvents(service(), tenant.id, 'authenticator.deleted')
    assert.equal(removed?.subject_id, passkey)
    assert.equal((await storedEvents(service(), tenant.id, 'session.revoked')).length, 1)
    const [changed] = await storedEvents(service(), tenant.id, 'user.password_changed')
    assert.deepEqual(changed?.data, { mustChange: true })
  })
})
