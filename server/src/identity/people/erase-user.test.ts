import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Event, User, UserDataExport } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { statusCounts, storedCounter } from '../../../test/harness/databases/stored.ts'
import { assertWritesNothing, dumpTables } from '../../../test/harness/databases/table-dump.ts'
import { createOrganization, createRole, createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'

/** A user with rows in every table that can have rows of a user. */
async function createBusyUser(service: TestService) {
  const { tenant } = await createTenant(service)
  const role = await createRole(service, tenant.id)
  const user = await createUser(service, tenant.id, {
    name: 'Ada Lovelace',
    username: unique(),
    email: 'countess@lovelace.example',
    phone: '+44207946000',
    password: 'a secret engine',
    roleId: role.id,
  })
  await service.ok('createEmailAddress', {
    body: { tenantId: tenant.id, userId: user.id, email: 'second@lovelace.example' },
  })
  const organization = await createOrganization(service, tenant.id)
  const member = await service.ok<{ id: string }>('createOrganizationMember', {
    body: { organizationId: organization.id, userId: user.id, roleId: role.id },
  })
  await service.ok('suspendUser', { params: { id: user.id } })
  return { tenantId: tenant.id, role, user, organization, member }
}

describeService('DELETE /auth/users/{id}', (service) => {
  it('removes every row of the user and changes every counter', async () => {
    const { tenantId, role, user, organization } = await createBusyUser(service())
    assert.deepEqual(await service().ok('deleteUser', { params: { id: user.id } }), { id: user.id, deleted: true })
    await service().refused('getUser', 'not_found', { params: { id: user.id } })
    await service().refused('deleteUser', 'not_found', { params: { id: user.id } })
    const dump = await dumpTables(service().deps.db)
    for (const table of ['users', 'passwords', 'email_addresses', 'phone_numbers', 'organization_members']) {
      assert.ok(!dump[table]?.some((row) => row.includes(user.id)), table)
    }
    const counters = ['users', 'users:suspended', 'email_addresses', 'phone_numbers', `role_users:${role.id}`]
    counters.push(
      `role_users:${role.id}:suspended`,
      `role_members:${role.id}`,
      `organization_members:${organization.id}`,
    )
    for (const name of counters) assert.equal(await storedCounter(service(), tenantId, name), 0, name)
    await service().ok('deleteRole', { params: { id: role.id } })
  })

  it('leaves the events, without any readable personal data', async () => {
    const { tenantId, user } = await createBusyUser(service())
    const read = async () => {
      const { data } = await service().ok<{ data: Event[] }>('listEvents', {
        params: { tenantId },
        query: { perPage: '100' },
      })
      return data
    }
    const before = await read()
    assert.ok(JSON.stringify(before).includes('countess@lovelace.example'))
    await service().ok('deleteUser', { params: { id: user.id } })
    const after = await read()
    assert.equal(after.length, before.length + 1)
    assert.equal(after[0]?.type, 'user.deleted')
    for (const hint of ['Lovelace', 'lovelace.example', '44207946000']) {
      assert.ok(!JSON.stringify(after).includes(hint), hint)
    }
    const salts = await service().deps.db.all(
      sql`SELECT 1 FROM users WHERE personal_salt IS NOT NULL AND id = ${user.id}`,
    )
    assert.deepEqual(salts, [])
  })

  it('frees the address, the username and the number', async () => {
    const { tenantId, user } = await createBusyUser(service())
    await service().ok('deleteUser', { params: { id: user.id } })
    await createUser(service(), tenantId, {
      username: user.username,
      email: 'countess@lovelace.example',
      phone: '+44207946000',
    })
  })

  it('deletes once, however many requests arrive at once', async () => {
    const { tenantId, user } = await createBusyUser(service())
    const answers = await atOnce(10, () => service().call('deleteUser', { params: { id: user.id } }))
    assert.deepEqual(statusCounts(answers), { 200: 1, 404: 9 })
    assert.equal(await storedCounter(service(), tenantId, 'users'), 0)
  })

  it('refuses to remove the last administrator of a tenant, also if two are removed at once', async () => {
    const { tenant } = await createTenant(service())
    const add = () =>
      service().ok<{ userId: string }>('createTenantMember', {
        body: { tenantId: tenant.id, email: `${unique()}@example.com`, roleAdmin: true },
      })
    const [one, two] = [await add(), await add()]
    const answers = await Promise.all(
      [one, two].map(({ userId }) => service().call('deleteUser', { params: { id: userId } })),
    )
    assert.deepEqual(statusCounts(answers), { 200: 1, 409: 1 })
    assert.equal(await storedCounter(service(), tenant.id, 'members'), 1)
    const { data } = await service().ok<{ data: { userId: string }[] }>('listTenantMembers', {
      params: { tenantId: tenant.id },
    })
    const left = data[0]?.userId ?? ''
    await assertWritesNothing(service().deps.db, () =>
      service().refused('deleteUser', 'last_admin', { params: { id: left } }),
    )
    await service().ok('createTenantMember', {
      body: { tenantId: tenant.id, email: `${unique()}@example.com`, roleAdmin: true },
    })
    await service().ok('deleteUser', { params: { id: left } })
    assert.equal(await storedCounter(service(), tenant.id, 'members'), 1)
  })
})

describeService('GET /auth/users/{id}/data-export', (service) => {
  it('returns all data about the person, and none about others', async () => {
    const { tenantId, user, organization, member } = await createBusyUser(service())
    const other = await createUser(service(), tenantId, { name: 'Grace Hopper' })
    const address = user.emailAddresses[0]?.id ?? ''
    await service().ok('updateEmailAddress', { body: { id: address, email: 'changed@lovelace.example' } })
    await service().ok('deleteEmailAddress', { query: { id: address } })
    const data = await service().ok<UserDataExport>('exportUserData', { params: { id: user.id } })
    const read = await service().ok<{ data: User }>('getUser', { params: { id: user.id } })
    assert.deepEqual(data.user, read.data)
    assert.deepEqual(
      data.organizationMemberships.map(({ id, organizationId }) => [id, organizationId]),
      [[member.id, organization.id]],
    )
    const types = data.events.map((event) => event.type).toSorted()
    assert.deepEqual(types, [
      'email.created',
      'email.deleted',
      'email.updated',
      'organization_membership.created',
      'user.created',
      'user.suspended',
    ])
    const text = JSON.stringify(data.events)
    for (const hint of ['Ada Lovelace', 'countess@lovelace.example', 'changed@lovelace.example', 'second@lovelace']) {
      assert.ok(text.includes(hint), hint)
    }
    assert.ok(!JSON.stringify(data).includes(other.id) && !JSON.stringify(data).includes('Hopper'))
    assert.ok(!JSON.stringify(data).includes('argon2'))
  })

  it('names the tenants that a console user administers, and is for the operator alone', async () => {
    const { tenant, secretKey } = await createTenant(service())
    const member = await service().ok<{ id: string; userId: string }>('createTenantMember', {
      body: { tenantId: tenant.id, email: `${unique()}@example.com`, roleViewUsers: true },
    })
    const request = { params: { id: member.userId } }
    const data = await service().ok<UserDataExport>('exportUserData', request)
    assert.deepEqual(
      data.tenantMemberships.map(({ id, tenantId }) => [id, tenantId]),
      [[member.id, tenant.id]],
    )
    await service().refused('exportUserData', 'not_found', { ...request, token: secretKey })
  })
})
