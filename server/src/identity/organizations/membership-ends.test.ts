import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type {
  EvaluationAnswer,
  FellowMember,
  MemberOfGroup,
  OrganizationGroup,
  OrganizationMember,
  OwnOrganization,
  Profile,
  SentInvitation,
  TenantMember,
  UserApiKeyCheck,
  UserApiKeyWithKey,
  UserDetails,
} from '@bailiwick/contract'
import { decodeJwt } from 'jose'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { storedCounter, storedEvents } from '../../../test/harness/databases/stored.ts'
import { createResource, createRole, createUser, unique } from '../../../test/harness/factories.ts'
import { invitationTokenTo } from '../../../test/harness/messages.ts'
import { signInConsoleUser, startServiceWithClock } from '../../../test/harness/people/sessions.ts'
import { signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import type { TestService } from '../../../test/harness/service.ts'
import { endExpiredGroupMembers } from '../organization-groups/group-members.ts'
import { endExpiredRoles } from '../people/user-changes.ts'
import { endExpiredTenantMembers } from '../tenant-members/member-changes.ts'
import { endExpiredMemberships } from './membership-ends.ts'

const minute = 60_000

describeOnEachEngine('memberships and roles with an end', (open) => {
  let service: TestService
  let advance: (ms: number) => void
  before(async () => {
    ;({ service, advance } = await startServiceWithClock((await open()).database))
  })
  after(() => service.app.close())

  const inMs = (ms: number) => new Date(service.deps.clock.nowMs() + ms).toISOString()
  const endAll = async () => {
    while (await endExpiredMemberships(service.deps));
  }

  /** An organization with a manager, and a member with a role and a key. */
  async function world(ends: object = {}) {
    const tenant = await tenantWith(service, { organizationsEnabled: true, userApiKeysEnabled: true })
    await createResource(service, tenant.id, { scopes: [{ name: 'reports:read' }] })
    const manager = await signedInUser(service, tenant)
    const { organization } = await manager.browser.ok<{ organization: OwnOrganization }>('createOwnOrganization', {
      body: { name: 'Research' },
    })
    const role = await createRole(service, tenant.id, { permissions: ['reports:read', 'org:groups:manage'] })
    const person = await signedInUser(service, tenant)
    const organizationId = organization.id
    const body = { organizationId, userId: person.user.id, roleId: role.id, ...ends }
    const member = await service.ok<OrganizationMember>('createOrganizationMember', { body })
    const claims = async () => {
      const { jwt } = await person.browser.ok<{ jwt: string }>('createOwnToken', { body: {} })
      const { exp = 0, claims: said } = decodeJwt(jwt)
      return { exp, ...(said as { orgId: string | null; orgPermissions: string[] }) }
    }
    const may = async (name: string) => {
      const question = { action: { name }, resource: { type: 'organization', id: organizationId } }
      const answer = await service.ok<EvaluationAnswer>('evaluate', {
        query: { tenantId: tenant.id },
        body: { subject: { type: 'user', id: person.user.id }, ...question },
      })
      return answer.decision
    }
    const events = async (type: string) =>
      (await storedEvents(service, tenant.id, `organization_membership.${type}`)).map(({ subject_id: id }) => id)
    return { tenant, manager, organization, organizationId, role, person, member, claims, may, events }
  }

  // Guards: membership-ends
  it('give no rights from that moment, before anything has removed them', async () => {
    const { tenant, manager, organizationId, person, member, claims, may, events } = await world({
      expiresAt: inMs(5 * minute),
    })
    const params = { id: organizationId }
    await person.browser.ok('setActiveOrganization', { body: { organizationId } })
    const { apiKey } = await person.browser.ok<{ apiKey: UserApiKeyWithKey }>('createOwnApiKey', {
      body: { name: 'Script', scopes: ['reports:read'], organizationId },
    })
    const check = () =>
      service.ok<UserApiKeyCheck>('verifyUserApiKey', { body: { tenantId: tenant.id, key: apiKey.key } })
    assert.equal((await claims()).orgId, organizationId)
    assert.deepEqual([await may('org:groups:manage'), (await check()).valid], [true, true])

    advance(4 * minute + 30_000)
    const { exp } = await claims()
    assert.ok(exp * 1000 <= Date.parse(member.expiresAt ?? ''), 'a token does not outlive the membership')
    advance(minute)
    assert.equal((await claims()).orgId, null)
    assert.deepEqual([await may('org:groups:manage'), (await check()).valid], [false, false])
    await person.browser.refused('getOwnOrganization', 'not_found', { params })
    assert.deepEqual((await person.browser.ok<{ organizations: unknown[] }>('listOwnOrganizations')).organizations, [])
    await service.refused('updateOrganizationMember', 'not_found', { params: { id: member.id }, body: {} })

    await Promise.all([endAll(), endAll()])
    assert.deepEqual(await events('expired'), [member.id])
    assert.equal(await storedCounter(service, tenant.id, `organization_members:${organizationId}`), 1)
    await service.refused('getOrganizationMember', 'not_found', { params: { id: member.id } })
    await manager.browser.ok('addFellowMember', { params, body: { userId: person.user.id } })
  })

  it('make room for a new membership at the moment they end', async () => {
    for (const organizationMembershipLimit of [0, 5]) {
      const { tenant, organizationId, person, member, events } = await world({ expiresAt: inMs(minute) })
      await service.ok('putAuthTenant', { params: { id: tenant.id }, body: { organizationMembershipLimit } })
      const body = { organizationId, userId: person.user.id }
      await service.refused('createOrganizationMember', 'member_exists', { body })
      advance(2 * minute)
      assert.equal((await service.ok<OrganizationMember>('createOrganizationMember', { body })).expiresAt, null)
      assert.deepEqual(await events('expired'), [member.id])
      assert.equal(await storedCounter(service, tenant.id, `organization_members:${organizationId}`), 2)
    }
  })

  // Guards: membership-ends
  it('lose the role alone if only the role has an end', async () => {
    const { organizationId, role, member, person, claims, may, events } = await world({ roleExpiresAt: inMs(minute) })
    await person.browser.ok('setActiveOrganization', { body: { organizationId } })
    assert.equal(await may('org:groups:manage'), true)
    advance(2 * minute)
    assert.equal(await may('org:groups:manage'), false)
    const { orgId, orgPermissions } = await claims()
    assert.deepEqual([orgId, orgPermissions], [organizationId, []])
    await endAll()
    const params = { id: member.id }
    const left = await service.ok<OrganizationMember>('getOrganizationMember', { params })
    assert.deepEqual([left.roleId, left.roleExpiresAt], [null, null])
    assert.deepEqual(await events('role_expired'), [member.id])
    const end = { roleId: role.id, roleExpiresAt: inMs(minute) }
    await service.ok('updateOrganizationMember', { params, body: end })
    const prolonged = await service.ok<OrganizationMember>('updateOrganizationMember', {
      params,
      body: { roleExpiresAt: null },
    })
    assert.deepEqual([prolonged.roleId, prolonged.roleExpiresAt], [role.id, null])
    advance(2 * minute)
    await endAll()
    assert.equal(await may('org:groups:manage'), true)
  })

  it('follow the invitation that says how long the membership lasts', async () => {
    const { tenant, manager, organizationId } = await world()
    const params = { id: organizationId }
    const invited = await signedInUser(service, tenant)
    const body = { email: invited.email, membershipLifetime: 60 }
    const { invitation } = await manager.browser.ok<{ invitation: SentInvitation }>('sendInvitation', { params, body })
    assert.equal(invitation.membershipLifetime, 60)
    const changed = await manager.browser.ok<{ invitation: SentInvitation }>('updateSentInvitation', {
      params: { id: organizationId, invitationId: invitation.id },
      body: { membershipLifetime: 600 },
    })
    assert.equal(changed.invitation.membershipLifetime, 600)
    advance(minute)
    const token = await invitationTokenTo(service.deps, invited.email)
    const joinedAt = service.deps.clock.nowMs()
    await invited.browser.ok('acceptInvitation', { params: { token } })
    const { members } = await manager.browser.ok<{ members: FellowMember[] }>('listFellowMembers', { params })
    const end = Date.parse(members.find(({ userId }) => userId === invited.user.id)?.expiresAt ?? '')
    assert.ok(end >= joinedAt + 600_000 && end <= service.deps.clock.nowMs() + 600_000)
  })

  it('refuse an end that is not in the future, and one of a role that the member does not have', async () => {
    const { organizationId, tenant, member } = await world()
    const user = await createUser(service, tenant.id, { email: `${unique()}@example.com` })
    const refused = async (operation: string, call: object, path: string) => {
      const answer = await service.refused(operation as 'createOrganizationMember', 'validation_failed', call)
      const { issues = [] } = answer as { issues?: readonly { path: string }[] }
      assert.deepEqual(
        issues.map((issue) => issue.path),
        [path],
      )
    }
    const body = { organizationId, userId: user.id }
    await refused('createOrganizationMember', { body: { ...body, expiresAt: inMs(-minute) } }, '/expiresAt')
    await refused('createOrganizationMember', { body: { ...body, roleExpiresAt: inMs(minute) } }, '/roleExpiresAt')
    const past = { params: { id: member.id }, body: { roleExpiresAt: inMs(-1) } }
    await refused('updateOrganizationMember', past, '/roleExpiresAt')
  })

  // Guards: membership-ends
  it('never leave an organization without anybody who can manage it', async () => {
    const { manager, organizationId, member } = await world()
    const { members } = await manager.browser.ok<{ members: FellowMember[] }>('listFellowMembers', {
      params: { id: organizationId },
    })
    const own = members.find(({ userId }) => userId === manager.user.id)
    const roleId = own?.roleId
    const params = { id: own?.id ?? '' }
    const fellow = { id: organizationId, memberId: own?.id ?? '' }
    for (const body of [{ expiresAt: inMs(minute) }, { roleExpiresAt: inMs(minute) }]) {
      await service.refused('updateOrganizationMember', 'last_manager', { params, body })
      await manager.browser.refused('updateFellowMember', 'last_manager', { params: fellow, body })
    }
    // Somebody whose role ends is nobody to rely on.
    const other = { params: { id: member.id }, body: { roleId, roleExpiresAt: inMs(minute) } }
    await service.ok('updateOrganizationMember', other)
    await service.refused('updateOrganizationMember', 'last_manager', { params, body: { expiresAt: inMs(minute) } })
    await manager.browser.refused('leaveOrganization', 'last_manager', { params: { id: organizationId } })
    await service.ok('updateOrganizationMember', { params: other.params, body: { roleExpiresAt: null } })
    await service.ok('updateOrganizationMember', { params, body: { expiresAt: inMs(minute) } })
  })

  // Guards: membership-ends
  it('leave a group at its own time, and the role of the group with it', async () => {
    const { tenant, organizationId, person, member, claims, may } = await world({ roleId: null })
    await person.browser.ok('setActiveOrganization', { body: { organizationId } })
    const role = await createRole(service, tenant.id, { permissions: ['articles:write'] })
    const group = await service.ok<OrganizationGroup>('createOrganizationGroup', {
      params: { organizationId },
      body: { name: 'Editors', roleId: role.id },
    })
    const params = { organizationId, id: group.id }
    const add = (body: object) =>
      service.ok<MemberOfGroup>('addMemberToGroup', { params, body: { memberId: member.id, ...body } })
    const list = async () => (await service.ok<{ data: MemberOfGroup[] }>('listMembersOfGroup', { params })).data
    const said = async (type: string) => (await storedEvents(service, tenant.id, `organization_group.${type}`)).length
    await service.refused('addMemberToGroup', 'validation_failed', {
      params,
      body: { memberId: member.id, expiresAt: inMs(-1) },
    })
    assert.notEqual((await add({ expiresAt: inMs(minute) })).groupExpiresAt, null)
    const end = inMs(2 * minute)
    await add({ expiresAt: end })
    assert.deepEqual(
      (await list()).map(({ groupExpiresAt }) => groupExpiresAt?.slice(0, 23)),
      [end.slice(0, 23)],
    )
    advance(minute + 30_000)
    const { exp, orgPermissions } = await claims()
    assert.deepEqual([orgPermissions, await may('articles:write')], [['articles:write'], true])
    assert.ok(exp * 1000 <= Date.parse(end), 'a token does not outlive what a group gives')

    advance(minute)
    assert.deepEqual([(await claims()).orgPermissions, await may('articles:write'), await list()], [[], false, []])
    await Promise.all([endExpiredGroupMembers(service.deps), endExpiredGroupMembers(service.deps)])
    assert.deepEqual(
      [await said('member_added'), await said('member_updated'), await said('member_expired')],
      [1, 1, 1],
    )
    await add({ expiresAt: inMs(minute) })
    advance(2 * minute)
    assert.equal((await add({})).groupExpiresAt, null)
    assert.deepEqual([await may('articles:write'), await said('member_expired')], [true, 2])
  })

  // Guards: membership-ends
  it('end a role in the tenant for tokens, keys, questions, the profile and lists', async () => {
    const tenant = await tenantWith(service, { userApiKeysEnabled: true })
    await createResource(service, tenant.id, { scopes: [{ name: 'reports:read' }] })
    const role = await createRole(service, tenant.id, { permissions: ['reports:read'] })
    const person = await signedInUser(service, tenant)
    const params = { id: person.user.id }
    const change = (body: object) => service.ok<UserDetails>('updateUser', { params, body })
    const end = inMs(5 * minute)
    assert.equal((await change({ roleId: role.id, roleExpiresAt: end })).roleExpiresAt?.slice(0, 23), end.slice(0, 23))
    const { apiKey } = await person.browser.ok<{ apiKey: UserApiKeyWithKey }>('createOwnApiKey', {
      body: { name: 'Script', scopes: ['reports:read'] },
    })
    const answers = async () => {
      const { jwt } = await person.browser.ok<{ jwt: string }>('createOwnToken', { body: {} })
      const { claims, exp = 0 } = decodeJwt<{ claims: { role: string | null; permissions: string[] } }>(jwt)
      const check = await service.ok<UserApiKeyCheck>('verifyUserApiKey', {
        body: { tenantId: tenant.id, key: apiKey.key },
      })
      const question = { action: { name: 'read' }, resource: { type: 'reports' } }
      const answer = await service.ok<EvaluationAnswer>('evaluate', {
        query: { tenantId: tenant.id },
        body: { subject: { type: 'user', id: person.user.id }, ...question },
      })
      const { user } = await person.browser.ok<{ user: Profile }>('getProfile')
      const query = { tenantId: tenant.id, roleId: role.id }
      const { data } = await service.ok<{ data: UserDetails[] }>('listUsers', { query })
      const { roleId } = (await service.ok<{ data: UserDetails }>('getUser', { params })).data
      const [permission = null] = claims.permissions
      const [scope = null] = check.scopes
      return { exp, found: [claims.role, permission, scope, answer.decision, user.role?.id, data.length, roleId] }
    }
    advance(4 * minute + 30_000)
    const { exp, found } = await answers()
    assert.deepEqual(found, [role.name, 'reports:read', 'reports:read', true, role.id, 1, role.id])
    assert.ok(exp * 1000 <= Date.parse(end), 'a token does not outlive the role')

    advance(minute)
    assert.deepEqual((await answers()).found, [null, null, null, false, undefined, 0, null])
    await Promise.all([endExpiredRoles(service.deps), endExpiredRoles(service.deps)])
    const expired = await storedEvents(service, tenant.id, 'user.role_expired')
    assert.deepEqual(
      expired.map(({ data }) => data),
      [{ roleId: role.id }],
    )
    assert.equal(await storedCounter(service, tenant.id, `role_users:${role.id}`), 0)

    await service.refused('updateUser', 'validation_failed', { params, body: { roleExpiresAt: inMs(minute) } })
    const created = { tenantId: tenant.id, email: `${unique()}@example.com`, roleId: role.id }
    await service.refused('createUser', 'validation_failed', { body: { ...created, roleExpiresAt: inMs(-minute) } })
    const { id } = await createUser(service, tenant.id, { ...created, roleExpiresAt: inMs(minute) })
    const kept = await service.ok<UserDetails>('updateUser', { params: { id }, body: { name: 'Ada' } })
    const next = await createRole(service, tenant.id)
    const other = await service.ok<UserDetails>('updateUser', { params: { id }, body: { roleId: next.id } })
    assert.deepEqual([kept.roleExpiresAt === null, other.roleExpiresAt], [false, null])
  })

  // Guards: membership-ends
  it('end the rights of an administrator, though the session is in memory', async () => {
    const { id: tenantId } = await tenantWith(service)
    const { email, token } = await signInConsoleUser(service)
    const add = (body: object) =>
      service.call<TenantMember>('createTenantMember', { body: { tenantId, email, ...body } })
    const { body: member } = await add({ roleAdmin: true, expiresAt: inMs(5 * minute) })
    const look = async () => (await service.call('listUsers', { query: { tenantId }, token })).status
    assert.equal(await look(), 200)
    advance(6 * minute)
    assert.equal(await look(), 404)
    const { data } = await service.ok<{ data: unknown[] }>('listOwnTenants', { token })
    assert.deepEqual(data, [])
    await Promise.all([endExpiredTenantMembers(service.deps), endExpiredTenantMembers(service.deps)])
    const expired = await storedEvents(service, tenantId, 'tenant_membership.expired')
    assert.deepEqual(
      expired.map(({ subject_id: id }) => id),
      [member.id],
    )
    assert.equal((await add({ roleAdmin: true, expiresAt: inMs(minute) })).status, 200)
    advance(2 * minute)
    const { body: alone } = await add({ roleAdmin: true })
    const body = { roleAdmin: true, expiresAt: inMs(minute) }
    const another = (more: object) => ({ tenantId, email: `${unique()}@console.example`, roleAdmin: true, ...more })
    // Somebody whose rights end is nobody to rely on.
    await service.ok('createTenantMember', { body: another({ expiresAt: inMs(60 * minute) }) })
    await service.refused('updateTenantMember', 'last_admin', { params: { id: alone.id }, body })
    await service.ok('createTenantMember', { body: another({}) })
    await service.ok('updateTenantMember', { params: { id: alone.id }, body })
    assert.equal(await look(), 200)
  })
})
