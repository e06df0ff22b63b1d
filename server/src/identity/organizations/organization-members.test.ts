import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { OrganizationMember, Role } from '@bailiwick/contract'
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
import { sql } from '../../platform/db/sql.ts'
import { newId } from '../../platform/ids.ts'

async function newOrganization(service: TestService) {
  const { tenant } = await createTenant(service)
  return { tenantId: tenant.id, organization: await createOrganization(service, tenant.id) }
}

const join = (service: TestService, body: object) =>
  service.ok<OrganizationMember>('createOrganizationMember', { body })

const countMembers = (service: TestService, tenantId: string, organizationId: string) =>
  storedCounter(service, tenantId, `organization_members:${organizationId}`)

/** Changes the configuration as PUT /auth/tenants/{id} does: with a new version. */
async function limitMembers({ deps: { db, tenants, clock } }: TestService, tenantId: string, limit: number) {
  const entry = await tenants.byId(tenantId)
  assert.ok(entry)
  const version = entry.row.auth_version + 1
  const document = JSON.stringify({ ...entry.auth, organizationMembershipLimit: limit })
  await db.transaction(async (tx) => {
    await tx.run(sql`INSERT INTO auth_configurations (tenant_id, version, document, actor_type, actor_id, created_at)
      VALUES (${tenantId}, ${version}, ${document}, 'system', ${null}, ${clock.now()})`)
    await tx.run(sql`UPDATE tenants SET auth_version = ${version} WHERE id = ${tenantId}`)
  })
  tenants.invalidate(tenantId)
}

describeService('POST /auth/organization-members', (service) => {
  it('makes a user a member, with role and meta data', async () => {
    const { tenantId, organization } = await newOrganization(service())
    const user = await createUser(service(), tenantId, { name: 'Ada', username: 'ada' })
    const { assignableBy: _, requiresSecondFactor: _rule, ...role } = await createRole(service(), tenantId)
    const member = await join(service(), {
      organizationId: organization.id,
      userId: user.id,
      roleId: role.id,
      publicMeta: [1],
      privateMeta: null,
    })
    const { id, createdAt, updatedAt, ...rest } = member
    assert.deepEqual(rest, {
      expiresAt: null,
      roleExpiresAt: null,
      organizationId: organization.id,
      userId: user.id,
      roleId: role.id,
      role: { ...role, _count: { users: 0, members: 1 } },
      user: {
        id: user.id,
        name: 'Ada',
        identifier: 'ada',
        imageUri: null,
        createdAt: user.createdAt,
        updatedAt: user.updatedAt,
      },
      publicMeta: [1],
      privateMeta: null,
    })
    assert.ok(id.startsWith('c') && createdAt === updatedAt)
    assert.equal(await countMembers(service(), tenantId, organization.id), 1)
  })

  it('accepts a user without a role, whether null or left out', async () => {
    const { tenantId, organization } = await newOrganization(service())
    for (const body of [{}, { roleId: null }]) {
      const user = await createUser(service(), tenantId)
      const member = await join(service(), { organizationId: organization.id, userId: user.id, ...body })
      assert.deepEqual([member.roleId, member.role, member.publicMeta, member.privateMeta], [null, null, {}, {}])
    }
  })

  it('shows a member by name, else username, e-mail, phone or id, and an identifier in the same order without the name', async () => {
    const { tenantId, organization } = await newOrganization(service())
    const [username, email, phone] = [unique(), `${unique()}@x.example`, '+49301234567']
    const people: readonly (readonly [object, string | undefined, string | undefined])[] = [
      [{ name: 'Ada', username, email: `x${email}` }, 'Ada', username],
      [{ username: `${username}2`, email: `y${email}` }, `${username}2`, `${username}2`],
      [{ email, phone }, email, email],
      [{ phone: '+49301234568' }, '+49301234568', '+49301234568'],
      [{}, undefined, undefined],
    ]
    for (const [body, name, identifier] of people) {
      const created = await service().ok<{ id: string }>('createUser', { body: { tenantId, ...body } })
      const { user } = await join(service(), { organizationId: organization.id, userId: created.id })
      assert.deepEqual([user.name, user.identifier], [name ?? created.id, identifier ?? created.id])
    }
  })

  it('refuses a user who is a member with 409 member_exists, and changes no count', async () => {
    const { tenantId, organization } = await newOrganization(service())
    const user = await createUser(service(), tenantId)
    const role = await createRole(service(), tenantId)
    const body = { organizationId: organization.id, userId: user.id, roleId: role.id }
    await join(service(), body)
    const before = await rowCounts(service())
    await service().refused('createOrganizationMember', 'member_exists', { body })
    assert.deepEqual(await rowCounts(service()), before)
    assert.equal(await countMembers(service(), tenantId, organization.id), 1)
    const { data } = await service().ok<{ data: Role[] }>('listRoles', { params: { tenantId } })
    assert.deepEqual(data.find(({ id }) => id === role.id)?._count, { users: 0, members: 1 })
  })

  it('makes one member of two hundred requests at once, with one event', async () => {
    const { tenantId, organization } = await newOrganization(service())
    const user = await createUser(service(), tenantId)
    const before = await rowCounts(service())
    const body = { organizationId: organization.id, userId: user.id }
    const answers = await atOnce(200, () => service().call('createOrganizationMember', { body }))
    assert.deepEqual(statusCounts(answers), { 200: 1, 409: 199 })
    assert.deepEqual(await newRows(service(), before), { organization_members: 1, events: 1 })
    assert.equal(await countMembers(service(), tenantId, organization.id), 1)
    const events = await storedEvents(service(), tenantId, 'organization_membership.created')
    assert.deepEqual(
      events.map(({ data }) => data),
      [{ organizationId: organization.id, userId: user.id, roleId: null }],
    )
  })

  it('refuses a user and a role of another tenant with 400, both at their paths', async () => {
    const { tenantId, organization } = await newOrganization(service())
    const other = await createTenant(service())
    const [user, foreign] = [await createUser(service(), tenantId), await createUser(service(), other.tenant.id)]
    const foreignRole = await createRole(service(), other.tenant.id)
    const before = await rowCounts(service())
    const paths = async (body: object) => {
      const refused = await service().refused('createOrganizationMember', 'validation_failed', {
        body: { organizationId: organization.id, ...body },
      })
      return (refused.issues ?? []).map(({ path, code }) => `${path} ${code}`)
    }
    assert.deepEqual(await paths({ userId: foreign.id }), ['/userId unknown_reference'])
    assert.deepEqual(await paths({ userId: user.id, roleId: foreignRole.id }), ['/roleId unknown_reference'])
    assert.deepEqual(await paths({ userId: newId(), roleId: newId() }), [
      '/userId unknown_reference',
      '/roleId unknown_reference',
    ])
    assert.deepEqual(await rowCounts(service()), before)
  })

  it('answers 404 for an organization that does not exist', async () => {
    const { tenantId } = await newOrganization(service())
    const user = await createUser(service(), tenantId)
    for (const organizationId of [newId(), 'x']) {
      await service().refused('createOrganizationMember', 'not_found', { body: { organizationId, userId: user.id } })
    }
  })

  it('names every broken rule', async () => {
    const body = { organizationId: '', userId: 5, roleId: '', tenantId: 'x' }
    const { issues = [] } = await service().refused('createOrganizationMember', 'validation_failed', { body })
    assert.deepEqual(issues.map(({ path }) => path).toSorted(), ['/organizationId', '/roleId', '/tenantId', '/userId'])
  })
})

describeService('the limit of members', (service) => {
  it('does not apply if it is 0', async () => {
    const { tenantId, organization } = await newOrganization(service())
    await limitMembers(service(), tenantId, 0)
    for (let n = 0; n < 3; n++) {
      const user = await createUser(service(), tenantId)
      await join(service(), { organizationId: organization.id, userId: user.id })
    }
  })

  // Guards: limits-in-database
  it('is exact: of fifty users who join at once ten succeed, and the others change nothing', async () => {
    const { tenantId, organization } = await newOrganization(service())
    await limitMembers(service(), tenantId, 10)
    const role = await createRole(service(), tenantId)
    const users: { readonly id: string }[] = []
    for (let n = 0; n < 50; n++) users.push(await createUser(service(), tenantId))
    const before = await rowCounts(service())
    const answers = await atOnce(users.length, (n) =>
      service().call('createOrganizationMember', {
        body: { organizationId: organization.id, userId: users[n]?.id, roleId: role.id },
      }),
    )
    assert.deepEqual(statusCounts(answers), { 200: 10, 409: 40 })
    assert.deepEqual(await newRows(service(), before), { organization_members: 10, events: 10 })
    assert.equal(await countMembers(service(), tenantId, organization.id), 10)
    assert.equal(await storedCounter(service(), tenantId, `role_members:${role.id}`), 10)
  })

  it('applies to each organization separately, and refuses joins and invitations with membership_limit_reached', async () => {
    const { tenantId, organization } = await newOrganization(service())
    await limitMembers(service(), tenantId, 1)
    const [one, two] = [await createUser(service(), tenantId), await createUser(service(), tenantId)]
    await join(service(), { organizationId: organization.id, userId: one.id })
    await service().refused('createOrganizationMember', 'membership_limit_reached', {
      body: { organizationId: organization.id, userId: two.id },
    })
    await service().refused('createOrganizationInvitation', 'membership_limit_reached', {
      body: { organizationId: organization.id, email: 'grace@x.example' },
    })
    const other = await createOrganization(service(), tenantId)
    await join(service(), { organizationId: other.id, userId: two.id })
  })
})
