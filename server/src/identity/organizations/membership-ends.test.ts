import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type {
  EvaluationAnswer,
  FellowMember,
  OrganizationMember,
  OwnOrganization,
  SentInvitation,
  UserApiKeyCheck,
  UserApiKeyWithKey,
} from '@bailiwick/contract'
import { decodeJwt } from 'jose'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { storedCounter, storedEvents } from '../../../test/harness/databases/stored.ts'
import { createResource, createRole, createUser, unique } from '../../../test/harness/factories.ts'
import { invitationTokenTo } from '../../../test/harness/messages.ts'
import { startServiceWithClock } from '../../../test/harness/people/sessions.ts'
import { signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import type { TestService } from '../../../test/harness/service.ts'
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
})
