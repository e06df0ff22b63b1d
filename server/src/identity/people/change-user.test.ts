import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { User } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { storedCounter, storedEvents, statusCounts } from '../../../test/harness/databases/stored.ts'
import { assertWritesNothing } from '../../../test/harness/databases/table-dump.ts'
import { createRole, createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { openSession } from '../../../test/harness/people/sessions.ts'
import { describeService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'
import type { UserId } from '../../platform/ids.ts'
import { checkUserPassword } from '../passwords/passwords.ts'

describeService('PUT /auth/users/{id}', (service) => {
  it('changes what the body names, leaves the rest, and unsets with null', async () => {
    const { tenant } = await createTenant(service())
    const role = await createRole(service(), tenant.id)
    const user = await createUser(service(), tenant.id, { name: 'Ada', username: 'Ada', publicMeta: { a: 1 } })
    const changed = await service().ok<User>('updateUser', {
      params: { id: user.id },
      body: { username: 'Ｌovelace', roleId: role.id, imageUri: 'https://cdn.example/a.png', privateMeta: [1] },
    })
    assert.deepEqual(changed, {
      ...user,
      username: 'Lovelace',
      roleId: role.id,
      role: { id: role.id, name: role.name, description: null, permissions: [] },
      imageUri: 'https://cdn.example/a.png',
      privateMeta: [1],
      updatedAt: changed.updatedAt,
    })
    assert.ok(changed.updatedAt > user.updatedAt)
    const unset = await service().ok<User>('updateUser', {
      params: { id: user.id },
      body: { name: null, username: null, roleId: null, imageUri: null, publicMeta: null },
    })
    assert.deepEqual(
      [unset.name, unset.username, unset.roleId, unset.imageUri, unset.publicMeta],
      [null, null, null, null, null],
    )
    const read = await service().ok<{ status: string; data: User }>('getUser', { params: { id: user.id } })
    assert.deepEqual(read, { status: 'success', data: unset })
  })

  it('writes nothing if nothing changes', async () => {
    const { tenant } = await createTenant(service())
    const user = await createUser(service(), tenant.id, { name: 'Ada' })
    await assertWritesNothing(service().deps.db, async () => {
      assert.deepEqual(await service().ok('updateUser', { params: { id: user.id }, body: { name: 'Ada' } }), user)
      assert.deepEqual(await service().ok('updateUser', { params: { id: user.id }, body: {} }), user)
      assert.deepEqual(await service().ok('unsuspendUser', { params: { id: user.id } }), user)
    })
  })

  it('says in the event what changed, with personal data only under seal', async () => {
    const { tenant } = await createTenant(service())
    const role = await createRole(service(), tenant.id)
    const user = await createUser(service(), tenant.id, { name: 'Ada Byron' })
    const body = { name: 'Ada Lovelace', roleId: role.id, privateMeta: { token: 'hush' } }
    await service().ok('updateUser', { params: { id: user.id }, body })
    const [event] = await storedEvents(service(), tenant.id, 'user.updated')
    assert.deepEqual(event?.data, {
      changed: ['name', 'privateMeta', 'roleId'],
      before: { roleId: null, roleExpiresAt: null },
      after: { roleId: role.id, roleExpiresAt: null },
    })
    assert.ok(event.personal !== null && !event.personal.includes('Lovelace'))
    const listed = await service().ok<{ data: { data: { personal: unknown } }[] }>('listEvents', {
      params: { tenantId: tenant.id },
      query: { type: 'user.updated' },
    })
    assert.deepEqual(listed.data[0]?.data.personal, { before: { name: 'Ada Byron' }, after: { name: 'Ada Lovelace' } })
  })

  it('refuses a username that is taken in another spelling, and a role of another tenant', async () => {
    const { tenant } = await createTenant(service())
    const { tenant: other } = await createTenant(service())
    const theirs = await createRole(service(), other.id)
    await createUser(service(), tenant.id, { username: 'Straße' })
    const { id } = await createUser(service(), tenant.id)
    await assertWritesNothing(service().deps.db, async () => {
      await service().refused('updateUser', 'username_taken', { params: { id }, body: { username: 'STRASSE' } })
      await service().refused('updateUser', 'validation_failed', { params: { id }, body: { roleId: theirs.id } })
      for (const body of [{ status: 1 }, { status: 'deleted' }, { name: ' ' }, { email: 'a@example.com' }, { id }]) {
        await service().refused('updateUser', 'validation_failed', { params: { id }, body })
      }
    })
  })

  it('keeps the counts of roles and statuses exact, also under simultaneous changes', async () => {
    const { tenant } = await createTenant(service())
    const roles = [await createRole(service(), tenant.id), await createRole(service(), tenant.id)]
    const { id } = await createUser(service(), tenant.id, { roleId: roles[0]?.id })
    const statuses = ['active', 'suspended', 'inactive']
    const changes = await atOnce(24, (n) =>
      service().call('updateUser', {
        params: { id },
        body: { roleId: [roles[0]?.id, roles[1]?.id, null][n % 3], status: statuses[n % 2] },
      }),
    )
    assert.deepEqual(statusCounts(changes), { 200: 24 })
    const last = await service().ok<User>('updateUser', { params: { id }, body: { status: 'inactive' } })
    for (const role of roles) {
      const has = last.roleId === role.id ? 1 : 0
      assert.equal(await storedCounter(service(), tenant.id, `role_users:${role.id}`), has)
      assert.equal(await storedCounter(service(), tenant.id, `role_users:${role.id}:inactive`), has)
      assert.equal(await storedCounter(service(), tenant.id, `role_users:${role.id}:suspended`), 0)
    }
    assert.equal(await storedCounter(service(), tenant.id, 'users'), 1)
    assert.equal(await storedCounter(service(), tenant.id, 'users:suspended'), 0)
    assert.equal(await storedCounter(service(), tenant.id, 'users:inactive'), 1)
  })
})

describeService('PUT /auth/users/{id}/suspend and /unsuspend', (service) => {
  it('suspend a user once and make a suspended user active again, each with its event', async () => {
    const { tenant } = await createTenant(service())
    const { id } = await createUser(service(), tenant.id)
    const statusAfter = async (operation: 'suspendUser' | 'unsuspendUser') =>
      (await service().ok<User>(operation, { params: { id } })).status
    assert.equal(await statusAfter('suspendUser'), 'suspended')
    assert.equal(await statusAfter('suspendUser'), 'suspended')
    assert.equal(await statusAfter('unsuspendUser'), 'active')
    await service().ok('updateUser', { params: { id }, body: { status: 'inactive' } })
    assert.equal(await statusAfter('unsuspendUser'), 'inactive')
    await service().ok('updateUser', { params: { id }, body: { status: 'active' } })
    const types = (await storedEvents(service(), tenant.id)).map((event) => event.type)
    assert.deepEqual(types.slice(-4), ['user.suspended', 'user.unsuspended', 'user.deactivated', 'user.activated'])
  })
})

describeService('PUT /auth/users/{id}/change-password', (service) => {
  const check = async (user: User, password: string) => {
    const { deps } = service()
    const result = await checkUserPassword(
      deps,
      user.tenantId as never,
      { userId: user.id as UserId, identifierKey: 'any' },
      password,
    )
    return { isRight: result.isRight, mustChange: result.mustChange }
  }

  // Guards: asvs-first-passwords, asvs-administrators
  it('sets a password or replaces one, and requires another at the next sign-in', async () => {
    const { tenant } = await createTenant(service())
    const user = await createUser(service(), tenant.id)
    const [first, second] = [`first-${unique()}`, `second-${unique()}`]
    assert.deepEqual(await check(user, first), { isRight: false, mustChange: false })
    assert.deepEqual(
      await service().ok('changeUserPassword', { params: { id: user.id }, body: { password: first } }),
      user,
    )
    assert.deepEqual(await check(user, first), { isRight: true, mustChange: true })
    await service().ok('changeUserPassword', { params: { id: user.id }, body: { password: second } })
    assert.deepEqual(await check(user, first), { isRight: false, mustChange: false })
    assert.deepEqual(await check(user, second), { isRight: true, mustChange: true })
    const events = await storedEvents(service(), tenant.id, 'user.password_changed')
    assert.deepEqual(
      events.map((event) => [event.data, event.personal]),
      [
        [{ mustChange: true }, null],
        [{ mustChange: true }, null],
      ],
    )
  })

  // Guards: asvs-administrators
  it('chooses no password where the tenant says so, but has the user choose another one after the present one', async () => {
    const { tenant } = await createTenant(service())
    const [password, other] = [`pass-${unique()}`, `other-${unique()}`]
    const user = await createUser(service(), tenant.id, { password })
    const params = { id: user.id }
    await service().ok('putAuthTenant', { params: { id: tenant.id }, body: { administratorsChoosePasswords: false } })
    const refused = await service().refused('changeUserPassword', 'validation_failed', {
      params,
      body: { password: other },
    })
    assert.deepEqual(
      refused.issues?.map(({ path, code }) => [path, code]),
      [['/password', 'not_allowed']],
    )
    assert.deepEqual(await check(user, other), { isRight: false, mustChange: false })
    await openSession(service(), tenant.id, user.id)
    await service().ok('changeUserPassword', { params, body: { changeRequired: true } })
    assert.deepEqual(await check(user, password), { isRight: true, mustChange: true })
    const types = (await storedEvents(service(), tenant.id)).map(({ type }) => type)
    assert.equal(types.filter((type) => type === 'user.password_change_required').length, 1)
    assert.equal(types.filter((type) => type === 'session.revoked').length, 1)
    const without = await createUser(service(), tenant.id)
    const nothing = await service().refused('changeUserPassword', 'validation_failed', {
      params: { id: without.id },
      body: { changeRequired: true },
    })
    assert.equal(nothing.issues?.[0]?.path, '/password')
    for (const body of [{}, { changeRequired: false }]) {
      const missing = await service().refused('changeUserPassword', 'validation_failed', { params, body })
      assert.deepEqual(
        missing.issues?.map(({ path, code }) => [path, code]),
        [['/password', 'required']],
      )
    }
  })

  it("keeps a password that the user's own server gave at creation", async () => {
    const { tenant } = await createTenant(service())
    const password = `pass-${unique()}`
    assert.deepEqual(await check(await createUser(service(), tenant.id, { password }), password), {
      isRight: true,
      mustChange: false,
    })
  })

  it('refuses fewer than 8 characters, for an administrator fewer than 12', async () => {
    const { tenant } = await createTenant(service())
    const { id } = await createUser(service(), tenant.id)
    await service().refused('changeUserPassword', 'validation_failed', {
      params: { id },
      body: { password: '1234567' },
    })
    const member = await service().ok<{ userId: string }>('createTenantMember', {
      body: { tenantId: tenant.id, email: `${unique()}@example.com` },
    })
    const request = { params: { id: member.userId } }
    const refused = await service().refused('changeUserPassword', 'validation_failed', {
      ...request,
      body: { password: 'elevenchars' },
    })
    assert.deepEqual(
      refused.issues?.map(({ path, code }) => [path, code]),
      [['/password', 'too_short']],
    )
    await service().ok('changeUserPassword', { ...request, body: { password: 'twelve chars' } })
  })
})

describeService('the id of a user', (service) => {
  it('is ambiguous to the operator, and only to the operator, if an import has brought it into two tenants', async () => {
    const tenants = [await createTenant(service()), await createTenant(service())]
    const id = `c${unique()}`
    for (const { tenant } of tenants) {
      await service().ok('importUsers', { query: { tenantId: tenant.id }, body: [{ id, name: tenant.name }] })
    }
    await assertWritesNothing(service().deps.db, async () => {
      await service().refused('getUser', 'ambiguous_id', { params: { id } })
      await service().refused('deleteUser', 'ambiguous_id', { params: { id } })
    })
    for (const { tenant, secretKey } of tenants) {
      const read = await service().ok<{ data: User }>('getUser', { params: { id }, token: secretKey })
      assert.equal(read.data.name, tenant.name)
    }
    await service().ok('deleteUser', { params: { id }, token: tenants[0]?.secretKey ?? '' })
    const left = await service().deps.db.all<{ tenant_id: string }>(sql`SELECT tenant_id FROM users WHERE id = ${id}`)
    assert.deepEqual(left, [{ tenant_id: tenants[1]?.tenant.id }])
  })
})
