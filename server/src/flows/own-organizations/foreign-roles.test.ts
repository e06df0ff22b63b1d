// Every way in which a role can be given, with roles that belong elsewhere: to another organization, to another tenant, or to an organization
// where the tenant as a whole is meant.
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { Organization, OrganizationMember } from '@bailiwick/contract'
import { createConnection, createRole, createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { type Person, signedInPerson } from '../../../test/harness/people/people.ts'
import { openDirectory } from '../../../test/harness/people/scim.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'

const permission = 'orders:read'

/** A tenant with two organizations, each with a role of its own, a member without a role, and what else can have a role. */
async function createHome(service: TestService) {
  const { tenant } = await createTenant(service)
  await service.ok('putAuthTenant', {
    params: { id: tenant.id },
    body: { organizationRolesEnabled: true, organizationRolePermissions: [permission] },
  })
  const { data } = await service.ok<{ data: { id: string; name: string }[] }>('listRoles', {
    params: { tenantId: tenant.id },
  })
  const adminId = data.find(({ name }) => name === 'admin')?.id ?? ''
  await service.ok('updateRole', {
    params: { id: adminId },
    body: { permissions: ['org:members:manage', 'org:invitations:manage', 'org:groups:manage', permission] },
  })
  const owner = await signedInPerson(service, tenant)
  const here = await createPlace(service, tenant.id, owner)
  const there = await createPlace(service, tenant.id, owner)
  const tenantRole = await createRole(service, tenant.id, { permissions: [permission] })
  return { tenantId: tenant.id, tenant, owner, here, there, tenantRoleId: tenantRole.id }
}

async function createPlace(service: TestService, tenantId: string, { browser }: Person) {
  const { organization } = await browser.ok<{ organization: Organization }>('createOwnOrganization', {
    body: { name: unique() },
  })
  const organizationId = organization.id
  const newId = async (id: 'createOrganizationRole' | 'createOrganizationGroup', body: object = {}) =>
    (await service.ok<{ id: string }>(id, { params: { organizationId }, body: { name: unique(), ...body } })).id
  const user = await createUser(service, tenantId)
  const member = await service.ok<OrganizationMember>('createOrganizationMember', {
    body: { organizationId, userId: user.id },
  })
  const invitation = await service.ok<{ id: string }>('createOrganizationInvitation', {
    body: { organizationId, email: `${unique()}@example.com` },
  })
  const { id: connectionId } = await createConnection(service, organizationId)
  const scimGroup = await (await openDirectory(service, connectionId)).createGroup(unique())
  return {
    organizationId,
    roleId: await newId('createOrganizationRole', { permissions: [permission] }),
    groupId: await newId('createOrganizationGroup'),
    memberId: member.id,
    invitationId: invitation.id,
    connectionId,
    scimGroupId: scimGroup.id,
  }
}

type Home = Awaited<ReturnType<typeof createHome>>

interface Way {
  /** Where the answer says that the role is unknown. */
  readonly at: string
  readonly give: (service: TestService, home: Home, roleId: string) => Promise<{ status: number; body: unknown }>
}

const email = () => `${unique()}@example.com`

/** Ways to give a role in the organization `here`. */
const inOrganization: Readonly<Record<string, Way>> = {
  'a new member': {
    at: '/roleId',
    async give(service, { tenantId, here: { organizationId } }, roleId) {
      const { id: userId } = await createUser(service, tenantId)
      return service.call('createOrganizationMember', { body: { organizationId, userId, roleId } })
    },
  },
  'a member': {
    at: '/roleId',
    give: (service, { here }, roleId) =>
      service.call('updateOrganizationMember', { params: { id: here.memberId }, body: { roleId } }),
  },
  'a member that another adds': {
    at: '/roleId',
    async give(service, { tenantId, owner, here: { organizationId: id } }, roleId) {
      const { id: userId } = await createUser(service, tenantId)
      return owner.browser.call('addFellowMember', { params: { id }, body: { userId, roleId } })
    },
  },
  'a member that another changes': {
    at: '/roleId',
    give: (_, { owner, here: { organizationId: id, memberId } }, roleId) =>
      owner.browser.call('updateFellowMember', { params: { id, memberId }, body: { roleId } }),
  },
  'a new invitation': {
    at: '/roleId',
    give: (service, { here: { organizationId } }, roleId) =>
      service.call('createOrganizationInvitation', { body: { organizationId, email: email(), roleId } }),
  },
  'an invitation': {
    at: '/roleId',
    give: (service, { here: { invitationId: id } }, roleId) =>
      service.call('updateOrganizationInvitation', { params: { id }, body: { roleId } }),
  },
  'an invitation that a member sends': {
    at: '/roleId',
    give: (_, { owner, here: { organizationId: id } }, roleId) =>
      owner.browser.call('sendInvitation', { params: { id }, body: { email: email(), roleId } }),
  },
  'an invitation that a member changes': {
    at: '/roleId',
    give: (_, { owner, here: { organizationId: id, invitationId } }, roleId) =>
      owner.browser.call('updateSentInvitation', { params: { id, invitationId }, body: { roleId } }),
  },
  'a new group': {
    at: '/roleId',
    give: (service, { here: { organizationId } }, roleId) =>
      service.call('createOrganizationGroup', { params: { organizationId }, body: { name: unique(), roleId } }),
  },
  'a group': {
    at: '/roleId',
    give: (service, { here: { organizationId, groupId: id } }, roleId) =>
      service.call('updateOrganizationGroup', { params: { organizationId, id }, body: { roleId } }),
  },
  'a group that a member makes': {
    at: '/roleId',
    give: (_, { owner, here: { organizationId: id } }, roleId) =>
      owner.browser.call('createOwnOrganizationGroup', { params: { id }, body: { name: unique(), roleId } }),
  },
  'a group that a member changes': {
    at: '/roleId',
    give: (_, { owner, here: { organizationId: id, groupId } }, roleId) =>
      owner.browser.call('updateOwnOrganizationGroup', { params: { id, groupId }, body: { roleId } }),
  },
  'a rule for groups of a directory': {
    at: '/rules/0/roleId',
    give: (service, { here: { connectionId: id, scimGroupId: groupId } }, roleId) =>
      service.call('updateGroupRules', { params: { id }, body: { rules: [{ groupId, roleId }] } }),
  },
  'the preview of such a rule': {
    at: '/rules/0/roleId',
    give: (service, { here: { connectionId: id, scimGroupId: groupId } }, roleId) =>
      service.call('previewGroupRules', { params: { id }, body: { rules: [{ groupId, roleId }] } }),
  },
  'a rule of a connection': {
    at: '/roleRules/0/roleId',
    give: (service, { here: { connectionId: id } }, roleId) =>
      service.call('updateConnection', {
        params: { id },
        body: { roleRules: [{ claim: 'groups', value: 'staff', roleId }] },
      }),
  },
}

/** Ways to give a role in the tenant as a whole. */
const inTenant: Readonly<Record<string, Way>> = {
  'a new user': {
    at: '/roleId',
    give: (service, { tenantId }, roleId) => service.call('createUser', { body: { tenantId, email: email(), roleId } }),
  },
  'a user': {
    at: '/roleId',
    give: (service, { owner }, roleId) =>
      service.call('updateUser', { params: { id: owner.user.id }, body: { roleId } }),
  },
  'users by a hook': {
    at: '/roleIds/0',
    give: (service, { tenantId }, roleId) =>
      service.call('createHook', {
        body: {
          tenantId,
          point: 'user.before_create',
          url: 'https://hooks.example',
          roleIds: [roleId],
          enabled: false,
        },
      }),
  },
}

const issuesIn = ({ body }: { readonly body: unknown }) =>
  ((body as { readonly issues?: { path: string; code: string }[] }).issues ?? []).map(
    ({ path, code }) => `${path} ${code}`,
  )

describeService('the role that is given', (service) => {
  let home: Home
  let foreign: Home
  before(async () => {
    home = await createHome(service())
    foreign = await createHome(service())
  })

  for (const [what, { at, give }] of Object.entries(inOrganization)) {
    // Guards: own-roles
    it(`to ${what} is of the tenant or of this organization`, async () => {
      const elsewhere = [home.there.roleId, foreign.here.roleId, foreign.tenantRoleId]
      for (const roleId of elsewhere) {
        const answer = await give(service(), home, roleId)
        assert.deepEqual([answer.status, issuesIn(answer)], [400, [`${at} unknown_reference`]])
      }
      for (const roleId of [home.tenantRoleId, home.here.roleId]) {
        const answer = await give(service(), home, roleId)
        assert.equal(answer.status, 200, JSON.stringify(answer.body))
      }
    })
  }

  for (const [what, { at, give }] of Object.entries(inTenant)) {
    // Guards: own-roles
    it(`to ${what} is of the tenant, and not of an organization`, async () => {
      for (const roleId of [home.here.roleId, foreign.here.roleId, foreign.tenantRoleId]) {
        const answer = await give(service(), home, roleId)
        assert.deepEqual([answer.status, issuesIn(answer)], [400, [`${at} unknown_reference`]])
      }
      assert.equal((await give(service(), home, home.tenantRoleId)).status, 200)
    })
  }

  // Guards: own-roles
  it('is not found by its name when users are imported, if it is of an organization', async () => {
    const { tenantId, here } = home
    const name = unique()
    const params = { organizationId: here.organizationId, id: here.roleId }
    await service().ok('updateOrganizationRole', { params, body: { name } })
    const { text } = await service().call('importUsers', {
      query: { tenantId },
      body: [{ email: email(), roleName: name }],
    })
    assert.match(text, /"path":"\/roleName"/)
  })

  // Guards: own-roles
  it('gives nothing where it does not belong, if it came there nevertheless', async () => {
    const { db } = service().deps
    const { tenant, tenantId, here, there } = home
    const person = await signedInPerson(service(), tenant)
    const member = await service().ok<OrganizationMember>('createOrganizationMember', {
      body: { organizationId: here.organizationId, userId: person.user.id },
    })
    const inGroup = { params: { organizationId: here.organizationId, id: here.groupId }, body: { memberId: member.id } }
    await service().ok('updateOrganizationGroup', { ...inGroup, body: { roleId: null } })
    await service().ok('addMemberToGroup', inGroup)
    const readAll = async () => {
      const params = { id: here.organizationId }
      const { permissions } = await person.browser.ok<{ permissions: string[] }>('getOwnOrganization', { params })
      const { jwt } = await person.browser.ok<{ jwt: string }>('createOwnToken', {
        body: { orgId: here.organizationId },
      })
      const { claims } = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as {
        readonly claims: { readonly orgPermissions: string[]; readonly permissions: string[] }
      }
      return [permissions, claims.orgPermissions, claims.permissions]
    }
    await db.write(() => [
      sql`UPDATE organization_members SET role_id = ${there.roleId} WHERE tenant_id = ${tenantId} AND id = ${member.id}`,
      sql`UPDATE organization_groups SET role_id = ${there.roleId} WHERE tenant_id = ${tenantId} AND id = ${here.groupId}`,
      sql`UPDATE users SET role_id = ${here.roleId} WHERE tenant_id = ${tenantId} AND id = ${person.user.id}`,
    ])
    assert.deepEqual(await readAll(), [[], [], []])
    await db.write(() => [
      sql`UPDATE organization_members SET role_id = ${here.roleId} WHERE tenant_id = ${tenantId} AND id = ${member.id}`,
    ])
    assert.deepEqual(await readAll(), [[permission], [permission], []])
  })
})
