// Groups of a directory, and the roles that they give by the rules of the tenant.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { GroupRulesPreview, OrganizationMember, ScimGroup } from '@bailiwick/contract'
import { storedEvents } from '../../../test/harness/databases/stored.ts'
import { createRole } from '../../../test/harness/factories.ts'
import { type ScimBody, type ScimWorld, groupUrn, person, scimWorld } from '../../../test/harness/people/scim.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'
import { followRules } from './rules/group-rules.ts'

const readRoles = async (service: TestService, { organizationId }: ScimWorld) => {
  const list = await service.ok<{ data: OrganizationMember[] }>('listOrganizationMembers', {
    params: { organizationId },
  })
  return new Map(list.data.map(({ user, role }) => [user.identifier, role?.id ?? null]))
}

const memberIds = ({ members }: ScimBody) =>
  ((members ?? []) as { value: string }[]).map(({ value }) => value).toSorted()

/** Runs the job that gives present members their roles, as a node does in the background. */
async function followNow({ deps }: TestService, { tenant, connectionId }: ScimWorld, formerRoleIds: readonly string[]) {
  const payload = { connectionId, formerRoleIds, from: 1 }
  const job = { tenantId: tenant.id as never, kind: 'scim.group_rules', key: 'x', payload }
  assert.equal(await followRules(deps, job, new AbortController().signal), 'done')
}

describeService('groups of a directory', (service) => {
  it('have the members that the directory adds and removes, in its dialects', async () => {
    const { directory, domain, connectionId } = await scimWorld(service())
    const [a, b, c] = [
      await directory.createUser(person(domain)),
      await directory.createUser(person(domain)),
      await directory.createUser(person(domain)),
    ]
    const group = await directory.createGroup('Engineering', [a.id])
    const path = `/Groups/${group.id}`
    const now = async () => memberIds(await directory.ok(200, 'GET', path))
    const patch = async (...operations: object[]) => {
      assert.equal((await directory.patch(path, operations)).status, 200)
      return now()
    }
    const values = (...ids: string[]) => ids.map((value) => ({ value }))
    const sorted = (...users: ScimBody[]) => users.map(({ id }) => id).toSorted()
    assert.deepEqual(await patch({ op: 'Add', path: 'members', value: values(b.id, c.id) }), sorted(a, b, c))
    assert.deepEqual(await patch({ op: 'Remove', path: 'members', value: values(b.id) }), sorted(a, c))
    assert.deepEqual(await patch({ op: 'remove', path: `members[value eq "${a.id}"]` }), sorted(c))
    assert.deepEqual(await patch({ op: 'replace', path: 'members', value: values(a.id, b.id) }), sorted(a, b))
    assert.deepEqual(await patch({ op: 'replace', value: { id: group.id, displayName: 'Builders' } }), sorted(a, b))
    const put = await directory.ok(200, 'PUT', path, { schemas: [groupUrn], displayName: 'B', members: values(c.id) })
    assert.deepEqual([memberIds(put), put['displayName']], [[c.id], 'B'])
    const unknown = await directory.patch(path, [{ op: 'add', path: 'members', value: values('nobody') }])
    assert.deepEqual([unknown.status, unknown.body.scimType], [400, 'invalidValue'])
    assert.deepEqual(await patch({ op: 'remove', path: 'members' }), [])
    const { data } = await service().ok<{ data: ScimGroup[] }>('listScimGroups', { params: { id: connectionId } })
    assert.deepEqual(
      data.map(({ id, displayName }) => [id, displayName]),
      [[group.id, 'B']],
    )
    await directory.ok(204, 'DELETE', path)
    assert.equal((await directory.call('GET', path)).status, 404)
    assert.equal((await directory.ok(200, 'GET', '/Groups')).totalResults, 0)
  })

  it('give the role of the first rule that matches, also to present members, and take it again', async () => {
    const world = await scimWorld(service())
    const { directory, domain, tenant, connectionId } = world
    const [ada, bo, cy] = [person(domain), person(domain), person(domain)]
    const ids = [
      (await directory.createUser(ada)).id,
      (await directory.createUser(bo)).id,
      (await directory.createUser(cy)).id,
    ]
    const [admins, staff] = [
      await directory.createGroup('Admins', ids.slice(0, 1)),
      await directory.createGroup('Staff', ids),
    ]
    const [admin, member, byHand] = [
      await createRole(service(), tenant.id, { permissions: [] }),
      await createRole(service(), tenant.id, { permissions: [] }),
      await createRole(service(), tenant.id, { permissions: [] }),
    ]
    const list = await service().ok<{ data: OrganizationMember[] }>('listOrganizationMembers', {
      params: { organizationId: world.organizationId },
    })
    const third = list.data.find(({ user }) => user.identifier === cy.userName)
    await service().ok('updateOrganizationMember', { params: { id: third?.id ?? '' }, body: { roleId: byHand.id } })
    const params = { id: connectionId }
    const body = {
      rules: [
        { groupId: admins.id, roleId: admin.id },
        { groupId: staff.id, roleId: member.id },
      ],
    }
    const preview = await service().ok<GroupRulesPreview>('previewGroupRules', { params, body })
    assert.deepEqual([preview.examined, preview.isComplete, preview.changed], [3, true, 2])
    assert.deepEqual([...(await readRoles(service(), world)).values()].filter(Boolean), [byHand.id])
    await service().ok('updateGroupRules', { params, body })
    await followNow(service(), world, [])
    const roles = await readRoles(service(), world)
    assert.deepEqual(
      [ada, bo, cy].map(({ userName }) => roles.get(userName)),
      [admin.id, member.id, byHand.id],
    )
    await directory.patch(`/Groups/${admins.id}`, [{ op: 'remove', path: 'members' }])
    assert.equal((await readRoles(service(), world)).get(ada.userName), member.id)
    await directory.patch(`/Groups/${staff.id}`, [{ op: 'remove', path: `members[value eq "${ids[0]}"]` }])
    assert.equal((await readRoles(service(), world)).get(ada.userName), null)
    const late = person(domain)
    const { id } = await directory.createUser(late)
    await directory.patch(`/Groups/${admins.id}`, [{ op: 'add', path: 'members', value: [{ value: id }] }])
    assert.equal((await readRoles(service(), world)).get(late.userName), admin.id)
    await directory.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: false }])
    await directory.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: true }])
    assert.equal((await readRoles(service(), world)).get(late.userName), admin.id)
    const managed = (
      await service().ok<{ data: OrganizationMember[] }>('listOrganizationMembers', {
        params: { organizationId: world.organizationId },
      })
    ).data.find(({ user }) => user.identifier === late.userName)
    await service().refused('updateOrganizationMember', 'managed_by_directory', {
      params: { id: managed?.id ?? '' },
      body: { roleId: byHand.id },
    })
    await service().ok('updateGroupRules', { params, body: { rules: [] } })
    await followNow(service(), world, [admin.id, member.id])
    assert.deepEqual([...(await readRoles(service(), world)).values()].filter(Boolean), [byHand.id])
    const types = (await storedEvents(service(), tenant.id)).map(({ type }) => type)
    assert.equal(types.filter((type) => type === 'connection.group_rules_updated').length, 2)
  })
})
