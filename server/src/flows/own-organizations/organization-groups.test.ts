// Groups inside organizations: what they give, to whom, and who may say so.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { OrganizationGroup, OrganizationMember } from '@bailiwick/contract'
import { storedEvents } from '../../../test/harness/databases/stored.ts'
import { createConnection, createRole, createTenant, unique } from '../../../test/harness/factories.ts'
import { type Person, signedInPerson } from '../../../test/harness/people/people.ts'
import { openDirectory } from '../../../test/harness/people/scim.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'

type Rows<Row> = { readonly data: readonly Row[] }

/** An organization whose creator has the role admin, with a second member without a role. */
async function createWorld(service: TestService) {
  const { tenant } = await createTenant(service)
  const owner = await signedInPerson(service, tenant)
  const fellow = await signedInPerson(service, tenant)
  const { organization } = await owner.browser.ok<{ organization: { id: string } }>('createOwnOrganization', {
    body: { name: 'Research' },
  })
  const { member } = await owner.browser.ok<{ member: { id: string } }>('addFellowMember', {
    params: { id: organization.id },
    body: { userId: fellow.user.id },
  })
  return { tenant, owner, fellow, id: organization.id, memberId: member.id }
}

type World = Awaited<ReturnType<typeof createWorld>>

const role = (service: TestService, { tenant }: World, permissions: string[], more: object = {}) =>
  createRole(service, tenant.id, { permissions, ...more })

const createGroup = (service: TestService, { id }: World, body: object) =>
  service.ok<OrganizationGroup>('createOrganizationGroup', {
    params: { organizationId: id },
    body: { name: unique(), ...body },
  })

const readPermissions = async ({ browser }: Person, id: string) => {
  const { permissions } = await browser.ok<{ permissions: string[] }>('getOwnOrganization', { params: { id } })
  const { jwt } = await browser.ok<{ jwt: string }>('createOwnToken', { body: { orgId: id } })
  const payload = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as {
    readonly claims: { readonly orgPermissions: string[] }
  }
  assert.deepEqual(payload.claims.orgPermissions, permissions)
  return permissions
}

describeService('a group of an organization', (service) => {
  it('gives its members its role beside their own, at once, and takes it when they leave or it is deleted', async () => {
    const world = await createWorld(service())
    const { fellow, id, memberId, tenant } = world
    const own = await role(service(), world, ['own', 'shared'])
    await service().ok('updateOrganizationMember', { params: { id: memberId }, body: { roleId: own.id } })
    const extra = await role(service(), world, ['shared', 'given'])
    const first = await createGroup(service(), world, { name: 'Engineering', roleId: extra.id })
    const params = { organizationId: id, id: first.id }
    assert.deepEqual(await readPermissions(fellow, id), ['own', 'shared'])
    await service().ok('addMemberToGroup', { params, body: { memberId } })
    await service().ok('addMemberToGroup', { params, body: { memberId } })
    assert.deepEqual(await readPermissions(fellow, id), ['own', 'shared', 'given'])
    const { data } = await service().ok<Rows<OrganizationMember>>('listMembersOfGroup', { params })
    assert.deepEqual(
      data.map((each) => each.id),
      [memberId],
    )
    await service().ok('updateOrganizationGroup', { params, body: { roleId: null } })
    assert.deepEqual(await readPermissions(fellow, id), ['own', 'shared'])
    await service().ok('updateOrganizationGroup', { params, body: { roleId: extra.id } })
    await service().ok('removeMemberFromGroup', { params: { ...params, memberId } })
    assert.deepEqual(await readPermissions(fellow, id), ['own', 'shared'])
    await service().ok('addMemberToGroup', { params, body: { memberId } })
    const inUse = await service().call('deleteRole', { params: { id: extra.id } })
    assert.equal(inUse.status, 409)
    await service().ok('deleteOrganizationGroup', { params })
    assert.deepEqual(await readPermissions(fellow, id), ['own', 'shared'])
    const types = (await storedEvents(service(), tenant.id)).map(({ type }) => type)
    assert.deepEqual(
      types.filter((type) => type.startsWith('organization_group')).map((type) => type.split('.')[1]),
      ['created', 'member_added', 'updated', 'updated', 'member_removed', 'member_added', 'deleted'],
    )
  })

  it('has a name of its own in the organization, whatever its case, and there are at most a hundred', async () => {
    const world = await createWorld(service())
    await createGroup(service(), world, { name: 'Engineering' })
    const body = { name: 'ENGINEERING' }
    const answer = await service().call('createOrganizationGroup', { params: { organizationId: world.id }, body })
    assert.equal(answer.status, 409)
    for (let n = 1; n < 100; n++) await createGroup(service(), world, {})
    const more = { params: { organizationId: world.id }, body: { name: unique() } }
    const { body: refused } = await service().call('createOrganizationGroup', more)
    assert.equal((refused as { code: string }).code, 'group_limit_reached')
  })

  // Guards: group-roles
  it('gives nobody more than the member who manages it may give', async () => {
    const world = await createWorld(service())
    const { owner, fellow, id, memberId } = world
    const manager = await role(service(), world, ['org:groups:manage'])
    await service().ok('updateOrganizationMember', { params: { id: memberId }, body: { roleId: manager.id } })
    const strong = await role(service(), world, ['org:delete'])
    const byTenant = await role(service(), world, [], { assignableBy: 'tenant' })
    const groups = await Promise.all(
      [strong, byTenant].map(({ id: roleId }) => createGroup(service(), world, { roleId })),
    )
    const { browser } = fellow
    const { group: harmless } = await browser.ok<{ group: OrganizationGroup }>('createOwnOrganizationGroup', {
      params: { id },
      body: { name: 'Harmless' },
    })
    for (const [n, { id: groupId }] of groups.entries()) {
      const params = { id, groupId }
      const roleId = [strong, byTenant][n]?.id
      await browser.refused('createOwnOrganizationGroup', 'forbidden', { params: { id }, body: { name: 'x', roleId } })
      const own = { id, groupId: harmless.id }
      await browser.refused('updateOwnOrganizationGroup', 'forbidden', { params: own, body: { roleId } })
      await browser.refused('updateOwnOrganizationGroup', 'forbidden', { params, body: { roleId: null } })
      await browser.refused('addFellowToGroup', 'forbidden', { params, body: { memberId } })
      await browser.refused('deleteOwnOrganizationGroup', 'forbidden', { params })
    }
    assert.deepEqual(await readPermissions(fellow, id), ['org:groups:manage'])
    await owner.browser.ok('addFellowToGroup', { params: { id, groupId: groups[0]?.id ?? '' }, body: { memberId } })
    assert.deepEqual(await readPermissions(fellow, id), ['org:groups:manage', 'org:delete'])
  })

  it('is of no use to those who may not manage groups, and to members of other organizations', async () => {
    const world = await createWorld(service())
    const { id, memberId, fellow, owner } = world
    const group = await createGroup(service(), world, {})
    await fellow.browser.refused('listOwnOrganizationGroups', 'forbidden', { params: { id } })
    await fellow.browser.refused('addFellowToGroup', 'forbidden', {
      params: { id, groupId: group.id },
      body: { memberId },
    })
    const elsewhere = await createWorld(service())
    await elsewhere.owner.browser.refused('listOwnOrganizationGroups', 'not_found', { params: { id } })
    const crossed = { id: elsewhere.id, groupId: group.id }
    await elsewhere.owner.browser.refused('getOwnOrganizationGroup', 'not_found', { params: crossed })
    // Of the same tenant and the same owner, but of another organization.
    const { organization } = await owner.browser.ok<{ organization: { id: string } }>('createOwnOrganization', {
      body: { name: 'Sales' },
    })
    const other = { id: organization.id, groupId: group.id }
    await owner.browser.refused('addFellowToGroup', 'not_found', { params: other, body: { memberId } })
    const own = await createGroup(service(), { ...world, id: organization.id }, {})
    const params = { id: organization.id, groupId: own.id }
    await owner.browser.refused('addFellowToGroup', 'not_found', { params, body: { memberId } })
  })

  it('can follow a group of the directory, whose active members it has then', async () => {
    const world = await createWorld(service())
    const { id, memberId, owner } = world
    const { id: connectionId } = await createConnection(service(), id)
    const directory = await openDirectory(service(), connectionId)
    const [ada, bob] = [await directory.createUser(), await directory.createUser()]
    const scimGroup = await directory.createGroup('Engineering', [ada.id, bob.id])
    const extra = await role(service(), world, ['given'])
    const group = await createGroup(service(), world, { roleId: extra.id, scimGroupId: scimGroup.id })
    const params = { organizationId: id, id: group.id }
    const names = async () => {
      const { data } = await service().ok<Rows<OrganizationMember>>('listMembersOfGroup', { params })
      return data.length
    }
    assert.equal(await names(), 2)
    await directory.patch(`/Users/${bob.id}`, [{ op: 'replace', value: { active: false } }])
    assert.equal(await names(), 1)
    const refused = { params: { id, groupId: group.id }, body: { memberId } }
    await owner.browser.refused('addFellowToGroup', 'managed_by_directory', refused)
    await directory.call('DELETE', `/Groups/${scimGroup.id}`)
    assert.equal((await service().call('getOrganizationGroup', { params })).status, 404)
    const theirs = await createWorld(service())
    const { id: foreign } = await createConnection(service(), theirs.id)
    const strange = await (await openDirectory(service(), foreign)).createGroup('Strangers')
    const body = { name: unique(), scimGroupId: strange.id }
    assert.equal(
      (await service().call('createOrganizationGroup', { params: { organizationId: id }, body })).status,
      400,
    )
  })
})
