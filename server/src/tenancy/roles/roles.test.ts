import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Role } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import {
  newRows,
  rowCounts,
  statusCounts,
  storedCounter,
  storedEvents,
} from '../../../test/harness/databases/stored.ts'
import { createOrganization, createRole, createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'
import { newId } from '../../platform/ids.ts'

async function list(service: TestService, tenantId: string): Promise<Role[]> {
  const { data } = await service.ok<{ data: Role[] }>('listRoles', { params: { tenantId } })
  return data
}

async function issues(service: TestService, body: object): Promise<string[]> {
  const refused = await service.refused('createRole', 'validation_failed', { body })
  return (refused.issues ?? []).map(({ path, code }) => `${path} ${code}`)
}

describeService('POST /auth/roles and GET /auth/tenants/{tenantId}/roles', (service) => {
  it('lists a role like the answer that created it, before older ones', async () => {
    const { tenant } = await createTenant(service())
    const role = await createRole(service(), tenant.id, {
      name: 'editor',
      description: 'Edits',
      permissions: ['articles:write'],
    })
    assert.deepEqual(
      { ...role, id: '', createdAt: '', updatedAt: '' },
      {
        id: '',
        tenantId: tenant.id,
        name: 'editor',
        description: 'Edits',
        permissions: ['articles:write'],
        assignableBy: 'covering_role',
        requiresSecondFactor: false,
        _count: { users: 0, members: 0 },
        createdAt: '',
        updatedAt: '',
      },
    )
    const roles = await list(service(), tenant.id)
    const { assignableBy, requiresSecondFactor: _, ...listed } = role
    assert.equal(assignableBy, 'covering_role')
    assert.deepEqual(roles[0], listed)
    assert.equal(roles.length, 3)
  })

  it('has null for a missing description, and the given permissions without duplicates', async () => {
    const { tenant } = await createTenant(service())
    const { description, permissions } = await createRole(service(), tenant.id)
    assert.deepEqual([description, permissions], [null, []])
    const repeated = await createRole(service(), tenant.id, { permissions: ['a:b', 'a:b', 'c'], description: null })
    assert.deepEqual(repeated.permissions, ['a:b', 'c'])
  })

  it('counts the users of the tenant and the members of its organizations who hold it separately', async () => {
    const { tenant } = await createTenant(service())
    const role = await createRole(service(), tenant.id)
    const user = await createUser(service(), tenant.id, { roleId: role.id })
    for (let n = 0; n < 2; n++) {
      const organization = await createOrganization(service(), tenant.id)
      await service().ok('createOrganizationMember', {
        body: { organizationId: organization.id, userId: user.id, roleId: role.id },
      })
    }
    const found = (await list(service(), tenant.id)).find(({ id }) => id === role.id)
    assert.deepEqual(found?._count, { users: 1, members: 2 })
  })

  it('refuses a taken name in another case or Unicode spelling with 409 role_name_taken', async () => {
    const { tenant } = await createTenant(service())
    await createRole(service(), tenant.id, { name: 'Straße' })
    for (const name of ['Straße', 'STRASSE', 'strasse', 'ＳＴＲＡＳＳＥ', 'Admin', 'MEMBER']) {
      await service().refused('createRole', 'role_name_taken', { body: { tenantId: tenant.id, name } })
    }
    const other = await createTenant(service())
    await createRole(service(), other.tenant.id, { name: 'Straße' })
  })

  it('gives a name to one of two hundred simultaneous requests', async () => {
    const { tenant } = await createTenant(service())
    const name = unique()
    const before = await rowCounts(service())
    const answers = await atOnce(200, (n) =>
      service().call('createRole', { body: { tenantId: tenant.id, name: n % 2 === 0 ? name : name.toUpperCase() } }),
    )
    assert.deepEqual(statusCounts(answers), { 200: 1, 409: 199 })
    assert.deepEqual(await newRows(service(), before), { roles: 1, events: 1 })
    assert.equal(await storedCounter(service(), tenant.id, 'roles'), 3)
  })

  it('appends one event with the created role', async () => {
    const { tenant } = await createTenant(service())
    const role = await createRole(service(), tenant.id, { name: 'editor', permissions: ['a', 'a'] })
    const events = await storedEvents(service(), tenant.id, 'role.created')
    assert.deepEqual(
      events.map(({ subject_id, data }) => [subject_id, data]),
      [
        [
          role.id,
          {
            name: 'editor',
            description: null,
            permissions: role.permissions,
            assignableBy: 'covering_role',
            requiresSecondFactor: false,
          },
        ],
      ],
    )
  })

  it('accepts names of 1 to 64 characters, descriptions of 1000 and 200 permissions', async () => {
    const { tenant } = await createTenant(service())
    const tenantId = tenant.id
    const permissions = Array.from({ length: 200 }, (_, n) => `p:${n}`)
    await createRole(service(), tenantId, { name: 'x', description: 'd'.repeat(1000), permissions })
    await createRole(service(), tenantId, { name: '\u{1F98A}'.repeat(64) })
    assert.deepEqual(
      (
        await issues(service(), {
          tenantId,
          name: 'n'.repeat(65),
          description: 'd'.repeat(1001),
          permissions: [...permissions, 'p'],
        })
      ).toSorted(),
      ['/description too_long', '/name too_long', '/permissions too_many'],
    )
    assert.deepEqual(await issues(service(), { tenantId, name: ' ' }), ['/name invalid_format'])
    assert.deepEqual(await issues(service(), { tenantId, name: 'n', permissions: ['ok', 'a b', '', 'a::b', 5] }), [
      '/permissions/1 invalid_format',
      '/permissions/2 invalid_format',
      '/permissions/3 invalid_format',
      '/permissions/4 invalid_type',
    ])
  })

  it('answers 404 for a tenant that does not exist', async () => {
    await service().refused('createRole', 'not_found', { body: { tenantId: newId(), name: 'x' } })
    await service().refused('listRoles', 'not_found', { params: { tenantId: newId() } })
  })
})
