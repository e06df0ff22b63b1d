import assert from 'node:assert/strict'
import { it } from 'node:test'
import {
  createFile,
  createOrganization,
  createRole,
  createTenant,
  createUpload,
  createUser,
  createWebhook,
  unique,
} from '../../../test/harness/factories.ts'
import { svg } from '../../../test/harness/files/images.ts'
import { describeService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'
import { findWrongCounters } from './real-counts.ts'

describeService('the counts of the rows', (service) => {
  it('equal the counters after changes of every kind, and reveal a counter that was altered', async () => {
    const { tenant } = await createTenant(service())
    const role = await createRole(service(), tenant.id)
    const user = await createUser(service(), tenant.id, { roleId: role.id, phone: '+41446681800' })
    const organization = await createOrganization(service(), tenant.id)
    await createWebhook(service(), tenant.id)
    await createUpload(service(), tenant.id)
    await createFile(service(), tenant.id)
    const { id } = await createFile(service(), tenant.id)
    await service().ok('deleteFile', { params: { id } })
    await createFile(service(), tenant.id, { mime: 'image/svg+xml' }, svg('<script>1</script>'))
    await service().ok('createOrganizationMember', {
      body: { organizationId: organization.id, userId: user.id, roleId: role.id },
    })
    await service().ok('createOrganizationInvitation', {
      body: { organizationId: organization.id, email: `${unique()}@example.com` },
    })
    await service().ok('updateUser', { params: { id: user.id }, body: { status: 'suspended' } })
    const { db } = service().deps
    assert.deepEqual(await findWrongCounters(db, tenant.id), [])

    const name = `role_users:${role.id}:suspended`
    await db.write(() => [sql`UPDATE counters SET value = value + 1 WHERE tenant_id = ${tenant.id} AND name = ${name}`])
    assert.deepEqual(await findWrongCounters(db, tenant.id), [{ name, value: 2, rows: 1 }])
  })
})
