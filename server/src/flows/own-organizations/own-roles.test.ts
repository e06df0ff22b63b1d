// Roles of an organization's own: who makes them, what they give at each moment, and that they exist nowhere else.
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { Organization, OrganizationMember, OrganizationRole, SignInAnswer, Tenant } from '@bailiwick/contract'
import { storedEvents } from '../../../test/harness/databases/stored.ts'
import { createRole, createTenant, unique } from '../../../test/harness/factories.ts'
import { type Person, signedInPerson } from '../../../test/harness/people/people.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'

const grantable = ['orders:read', 'orders:dispatch', 'org:members:manage', 'org:roles:manage']
const allPermissions = [...grantable, 'org:invitations:manage', 'org:groups:manage', 'secret:read']

interface Place {
  readonly tenant: Tenant
  /** Has a role of the tenant with all permissions. */
  readonly owner: Person
  readonly id: string
}

const setSettings = (service: TestService, { id }: Tenant, body: object) =>
  service.ok('putAuthTenant', { params: { id }, body })

async function openPlace(service: TestService, tenant: Tenant, boss: string): Promise<Place> {
  const owner = await signedInPerson(service, tenant)
  const { organization } = await owner.browser.ok<{ organization: Organization }>('createOwnOrganization', {
    body: { name: 'Research' },
  })
  const { data } = await service.ok<{ data: OrganizationMember[] }>('listOrganizationMembers', {
    params: { organizationId: organization.id },
  })
  await service.ok('updateOrganizationMember', { params: { id: data[0]?.id ?? '' }, body: { roleId: boss } })
  return { tenant, owner, id: organization.id }
}

async function createHome(service: TestService) {
  const { tenant } = await createTenant(service)
  await setSettings(service, tenant, { organizationRolesEnabled: true, organizationRolePermissions: grantable })
  const boss = await createRole(service, tenant.id, { name: 'boss', permissions: allPermissions })
  const [here, there] = [await openPlace(service, tenant, boss.id), await openPlace(service, tenant, boss.id)]
  return { tenant, boss, here, there }
}

type Home = Awaited<ReturnType<typeof createHome>>

const createOwn = async ({ owner, id }: Place, permissions: readonly string[] = ['orders:read'], name = unique()) => {
  const request = { params: { id }, body: { name, permissions } }
  return (await owner.browser.ok<{ role: OrganizationRole }>('createOwnRole', request)).role
}

/** Another member of the organization, with a role. */
async function join(service: TestService, { tenant, id }: Place, roleId: string | null) {
  const person = await signedInPerson(service, tenant)
  const body = { organizationId: id, userId: person.user.id, roleId }
  const member = await service.ok<OrganizationMember>('createOrganizationMember', { body })
  return { person, memberId: member.id }
}

async function readRights({ browser }: Person, id: string) {
  const { permissions } = await browser.ok<{ permissions: string[] }>('getOwnOrganization', { params: { id } })
  const { jwt } = await browser.ok<{ jwt: string }>('createOwnToken', { body: { orgId: id } })
  const { claims } = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as {
    readonly claims: { readonly orgRole: string | null; readonly orgPermissions: string[] }
  }
  assert.deepEqual(claims.orgPermissions, permissions)
  return { permissions, orgRole: claims.orgRole }
}

describeService('a role of an organization’s own', (service) => {
  let home: Home
  before(async () => {
    home = await createHome(service())
  })

  it('is made, given, changed and deleted by a member who may, with an event each', async () => {
    const { here, tenant } = home
    const role = await createOwn(here, ['orders:read', 'orders:dispatch'], 'Dispatcher')
    assert.deepEqual([role.organizationId, role.withheldPermissions, role._count], [here.id, [], { members: 0 }])
    const { person, memberId } = await join(service(), here, role.id)
    // Apps decide by names of the tenant's roles, so tokens have no other.
    assert.deepEqual(await readRights(person, here.id), {
      permissions: ['orders:read', 'orders:dispatch'],
      orgRole: null,
    })
    const { browser } = here.owner
    const params = { id: here.id, roleId: role.id }
    await browser.refused('deleteOwnRole', 'role_in_use', { params })
    await browser.ok('updateOwnRole', { params, body: { permissions: ['orders:read'] } })
    assert.deepEqual((await readRights(person, here.id)).permissions, ['orders:read'])
    const { roles } = await browser.ok<{ roles: { id: string }[] }>('getOwnOrganization', { params: { id: here.id } })
    assert.ok(roles.some(({ id }) => id === role.id))
    const listed = await browser.ok<{ roles: OrganizationRole[]; permissions: string[] }>('listOwnRoles', {
      params: { id: here.id },
    })
    assert.deepEqual(listed.permissions, grantable)
    assert.deepEqual(listed.roles[0]?._count, { members: 1 })
    await browser.ok('updateFellowMember', { params: { id: here.id, memberId }, body: { roleId: null } })
    await browser.ok('deleteOwnRole', { params })
    const types = (await storedEvents(service(), tenant.id)).map(({ type }) => type)
    const own = types.filter((type) => type.startsWith('organization_role.'))
    assert.deepEqual(own, ['organization_role.created', 'organization_role.updated', 'organization_role.deleted'])
  })

  it('is not among the roles of the tenant, for none of their operations', async () => {
    const { here, tenant } = home
    const role = await createOwn(here)
    const params = { id: role.id }
    for (const [id, body] of [['getRole'], ['updateRole', { name: unique() }], ['deleteRole']] as const)
      await service().refused(id, 'not_found', { params, body })
    const { data, meta } = await service().ok<{ data: { id: string }[]; meta: { total: number } }>('listRoles', {
      params: { tenantId: tenant.id },
    })
    assert.equal(meta.total, data.length)
    assert.ok(data.every(({ id }) => id !== role.id))
  })

  it('has a name that no role of the tenant and no other of the organization has, whatever the case', async () => {
    const { here, there } = home
    const role = await createOwn(here, [], 'Porter')
    const { browser } = here.owner
    for (const name of ['BOSS', 'porter'])
      await browser.refused('createOwnRole', 'role_name_taken', { params: { id: here.id }, body: { name } })
    const body = { name: 'Boss' }
    await browser.refused('updateOwnRole', 'role_name_taken', { params: { id: here.id, roleId: role.id }, body })
    await createOwn(there, [], 'Porter')
  })

  it('is made only while the tenant allows it, and up to its limit', async () => {
    const { tenant, boss } = await createHome(service())
    const place = await openPlace(service(), tenant, boss.id)
    const create = { params: { id: place.id }, body: { name: unique() } }
    await setSettings(service(), tenant, { organizationRoleLimit: 2 })
    await createOwn(place)
    await createOwn(place)
    await place.owner.browser.refused('createOwnRole', 'role_limit_reached', create)
    const byTenant = { params: { organizationId: place.id }, body: { name: unique() } }
    await service().refused('createOrganizationRole', 'role_limit_reached', byTenant)
    await setSettings(service(), tenant, { organizationRoleLimit: 3, organizationRolesEnabled: false })
    await place.owner.browser.refused('createOwnRole', 'forbidden', create)
    await place.owner.browser.refused('listOwnRoles', 'forbidden', { params: { id: place.id } })
    await service().refused('createOrganizationRole', 'forbidden', byTenant)
  })

  it('is deleted with its organization, whatever has it', async () => {
    const { tenant, boss } = home
    const place = await openPlace(service(), tenant, boss.id)
    const role = await createOwn(place)
    await join(service(), place, role.id)
    const group = { params: { organizationId: place.id }, body: { name: 'Team', roleId: role.id } }
    await service().ok('createOrganizationGroup', group)
    await service().ok('createOrganizationInvitation', {
      body: { organizationId: place.id, email: `${unique()}@example.com`, roleId: role.id },
    })
    await service().ok('deleteOrganization', { params: { id: place.id } })
    const left = await service().deps.db.first(sql`SELECT id FROM roles WHERE id = ${role.id}`)
    assert.equal(left, undefined)
  })

  // Guards: own-roles
  it('gives nothing that its maker does not have, also when the maker edits the own role or that of others', async () => {
    const { here } = home
    const weak = await createOwn(here, ['org:roles:manage', 'org:members:manage', 'orders:read'])
    const strong = await createOwn(here, ['orders:dispatch'])
    const { person, memberId } = await join(service(), here, weak.id)
    const { browser } = person
    const params = { id: here.id }
    const beyond = { permissions: ['orders:dispatch'] }
    await browser.refused('createOwnRole', 'forbidden', { params, body: { name: unique(), ...beyond } })
    const own = { ...params, roleId: weak.id }
    await browser.refused('updateOwnRole', 'forbidden', {
      params: own,
      body: { permissions: [...weak.permissions, 'orders:dispatch'] },
    })
    const theirs = { ...params, roleId: strong.id }
    await browser.refused('updateOwnRole', 'forbidden', { params: theirs, body: { name: unique() } })
    await browser.refused('deleteOwnRole', 'forbidden', { params: theirs })
    await browser.refused('updateFellowMember', 'forbidden', {
      params: { ...params, memberId },
      body: { roleId: strong.id },
    })
    const { body } = await browser.refused('createOwnRole', 'validation_failed', {
      params,
      body: { name: unique(), permissions: ['orders:read', 'secret:read'] },
    })
    assert.deepEqual((body as { readonly issues?: unknown }).issues, [
      {
        path: '/permissions/1',
        code: 'not_allowed',
        message: 'is not a permission that the tenant lets roles of organizations give',
      },
    ])
    // Not even with all permissions: the tenant decides what roles of organizations may give.
    await here.owner.browser.refused('createOwnRole', 'validation_failed', {
      params,
      body: { name: unique(), permissions: ['secret:read'] },
    })
    assert.deepEqual((await readRights(person, here.id)).permissions, weak.permissions)
    const plain = await join(service(), here, strong.id)
    await plain.person.browser.refused('createOwnRole', 'forbidden', { params, body: { name: unique() } })
  })

  // Guards: own-roles
  it('that the tenant has made for itself alone is neither given nor changed by members', async () => {
    const { here } = home
    const role = await service().ok<OrganizationRole>('createOrganizationRole', {
      params: { organizationId: here.id },
      body: { name: unique(), permissions: ['orders:read'], assignableBy: 'tenant' },
    })
    const params = { id: here.id, roleId: role.id }
    await here.owner.browser.refused('updateOwnRole', 'forbidden', { params, body: { name: unique() } })
    await here.owner.browser.refused('deleteOwnRole', 'forbidden', { params })
    const { memberId } = await join(service(), here, null)
    await here.owner.browser.refused('updateFellowMember', 'forbidden', {
      params: { id: here.id, memberId },
      body: { roleId: role.id },
    })
  })

  // Guards: own-roles
  it('loses a permission at once that the tenant no longer allows, and is given only by those who have it', async () => {
    const { tenant, here } = await createHome(service())
    const role = await createOwn(here, ['orders:read', 'orders:dispatch'])
    const { person } = await join(service(), here, role.id)
    await setSettings(service(), tenant, { organizationRolePermissions: ['orders:read', 'org:members:manage'] })
    assert.deepEqual((await readRights(person, here.id)).permissions, ['orders:read'])
    const evaluation = {
      subject: { type: 'user', id: person.user.id },
      action: { name: 'dispatch' },
      resource: { type: 'orders', properties: { organizationId: here.id } },
    }
    const { decision } = await service().ok<{ decision: boolean }>('evaluate', {
      query: { tenantId: tenant.id },
      body: evaluation,
    })
    assert.equal(decision, false)
    const helperRole = await createRole(service(), tenant.id, { permissions: ['org:members:manage', 'orders:read'] })
    const helper = await join(service(), here, helperRole.id)
    const target = await join(service(), here, null)
    await helper.person.browser.refused('updateFellowMember', 'forbidden', {
      params: { id: here.id, memberId: target.memberId },
      body: { roleId: role.id },
    })
    const shown = await service().ok<OrganizationRole>('getOrganizationRole', {
      params: { organizationId: here.id, id: role.id },
    })
    assert.deepEqual(shown.withheldPermissions, ['orders:dispatch'])
    await setSettings(service(), tenant, { organizationRolesEnabled: false })
    assert.deepEqual((await readRights(person, here.id)).permissions, [])
    await setSettings(service(), tenant, { organizationRolesEnabled: true, organizationRolePermissions: grantable })
    assert.deepEqual((await readRights(person, here.id)).permissions, ['orders:read', 'orders:dispatch'])
  })

  // Guards: own-roles
  it('requires a second factor if a role of its maker does, also for what is added later', async () => {
    const { tenant, here } = await createHome(service())
    await setSettings(service(), tenant, { strategyAuthenticatorCodeEnabled: true })
    const strict = await createRole(service(), tenant.id, { permissions: allPermissions, requiresSecondFactor: true })
    const { person, memberId } = await join(service(), here, null)
    const { browser } = person
    const { recoveryCodes } = await person.addApp()
    const { signInAttempt } = await browser.ok<SignInAnswer>('createVerification', { body: { level: 'second_factor' } })
    const proof = { strategy: 'authenticator_code', code: recoveryCodes[0] }
    await browser.ok('attemptSecondFactor', { params: { id: signInAttempt.id }, body: proof })
    await service().ok('updateOrganizationMember', { params: { id: memberId }, body: { roleId: strict.id } })
    const params = { id: here.id }
    const { role } = await browser.ok<{ role: OrganizationRole }>('createOwnRole', { params, body: { name: unique() } })
    assert.equal(role.requiresSecondFactor, true)
    const relaxed = await createOwn(here)
    const body = { name: unique(), permissions: ['orders:read'] }
    const same = await browser.ok<{ role: OrganizationRole }>('updateOwnRole', {
      params: { ...params, roleId: relaxed.id },
      body,
    })
    assert.equal(same.role.requiresSecondFactor, false)
    const more = await browser.ok<{ role: OrganizationRole }>('updateOwnRole', {
      params: { ...params, roleId: relaxed.id },
      body: { permissions: ['orders:read', 'orders:dispatch'] },
    })
    assert.equal(more.role.requiresSecondFactor, true)
  })

  it('does not make its holder the member who can manage the others', async () => {
    const { tenant, boss } = home
    const place = await openPlace(service(), tenant, boss.id)
    const managing = await createOwn(place, ['org:members:manage'])
    await join(service(), place, managing.id)
    const { browser } = place.owner
    await browser.refused('leaveOrganization', 'last_manager', { params: { id: place.id } })
    const { data } = await service().ok<{ data: OrganizationMember[] }>('listOrganizationMembers', {
      params: { organizationId: place.id },
    })
    const own = data.find(({ userId }) => userId === place.owner.user.id)
    await browser.refused('updateFellowMember', 'last_manager', {
      params: { id: place.id, memberId: own?.id ?? '' },
      body: { roleId: managing.id },
    })
  })
})
