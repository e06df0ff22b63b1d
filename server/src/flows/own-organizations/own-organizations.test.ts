import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { FellowMember, OwnOrganization, Role } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import type { Browser } from '../../../test/harness/browser/frontend.ts'
import { createRole, createUser, unique } from '../../../test/harness/factories.ts'
import { signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'

type Shown = { organization: OwnOrganization; roles: { id: string; name: string }[] }
type Tenant = Awaited<ReturnType<typeof tenantWith>>

const create = async (browser: Browser, body: object = {}) =>
  (await browser.ok<Shown>('createOwnOrganization', { body: { name: unique(), ...body } })).organization
const membersOf = async (browser: Browser, id: string) =>
  (await browser.ok<{ members: FellowMember[] }>('listFellowMembers', { params: { id } })).members
const roleIdOf = async (service: TestService, tenantId: string, name: string) => {
  const { data } = await service.ok<{ data: Role[] }>('listRoles', { params: { tenantId } })
  return data.find((role) => role.name === name)?.id
}

describeService("end users' organizations", (service) => {
  /** The creator of an organization, and another member who has a role with these permissions. */
  async function withFellow(tenant: Tenant, permissions: string[]) {
    const admin = await signedInUser(service(), tenant)
    const fellow = await signedInUser(service(), tenant)
    const { id } = await create(admin.browser)
    const role = await createRole(service(), tenant.id, { permissions })
    const { member } = await service()
      .ok<{ id: string }>('createOrganizationMember', {
        body: { organizationId: id, userId: fellow.user.id, roleId: role.id },
      })
      .then((created) => ({ member: created }))
    return { admin, fellow, id, role, memberId: member.id }
  }

  it('are created by users, who then administer them', async () => {
    const tenant = await tenantWith(service())
    const { browser, user } = await signedInUser(service(), tenant)
    const made = await create(browser, { slug: `s${unique()}` })
    assert.deepEqual([made.role?.name, made._count.members], ['admin', 1])
    const params = { id: made.id }
    const { organization, roles } = await browser.ok<Shown>('getOwnOrganization', { params })
    assert.equal(organization.id, made.id)
    assert.deepEqual(
      // Nobody can give a permission that they do not have; `admin` has all that `member` has.
      roles.map(({ name }) => name).toSorted(),
      ['admin', 'member'],
    )
    const changed = await browser.ok<Shown>('updateOwnOrganization', { params, body: { name: 'Physics' } })
    assert.equal(changed.organization.name, 'Physics')
    const [member] = await membersOf(browser, made.id)
    assert.equal(member?.userId, user.id)
    await create(browser)
    const { organizations } = await browser.ok<{ organizations: OwnOrganization[] }>('listOwnOrganizations')
    assert.equal(organizations.length, 2)
    assert.equal(organizations[1]?.id, made.id)
    await browser.ok('deleteOwnOrganization', { params })
    await browser.refused('getOwnOrganization', 'not_found', { params })
  })

  it('are not found by users who are not members, in any operation', async () => {
    const tenant = await tenantWith(service())
    const { admin, id, memberId } = await withFellow(tenant, [])
    const { browser } = await signedInUser(service(), tenant)
    const own = await create(browser)
    const params = { id }
    await browser.refused('getOwnOrganization', 'not_found', { params })
    await browser.refused('updateOwnOrganization', 'not_found', { params, body: { name: 'Mine' } })
    await browser.refused('deleteOwnOrganization', 'not_found', { params })
    await browser.refused('listFellowMembers', 'not_found', { params })
    await browser.refused('listSentInvitations', 'not_found', { params })
    for (const organizationId of [id, own.id]) {
      const member = { params: { id: organizationId, memberId } }
      await browser.refused('updateFellowMember', 'not_found', { ...member, body: { roleId: null } })
      await browser.refused('removeFellowMember', 'not_found', member)
    }
    assert.equal((await membersOf(admin.browser, id)).length, 2)
  })

  it('are administered by the permissions of the role there, one by one', async () => {
    const tenant = await tenantWith(service())
    const { admin, fellow, id, role, memberId } = await withFellow(tenant, ['org:read'])
    const params = { id }
    const someone = await createUser(service(), tenant.id)
    const [own] = (await membersOf(admin.browser, id)).filter(({ userId }) => userId === admin.user.id)
    const asks = {
      'org:manage': ['updateOwnOrganization', { params, body: { name: 'Other' } }],
      'org:delete': ['deleteOwnOrganization', { params }],
      'org:members:manage': ['addFellowMember', { params, body: { userId: someone.id } }],
      'org:invitations:manage': ['sendInvitation', { params, body: { email: `${unique()}@example.com` } }],
    } as const
    for (const [operation, options] of Object.values(asks))
      await fellow.browser.refused(operation, 'forbidden', options)
    await fellow.browser.refused('updateFellowMember', 'forbidden', {
      params: { id, memberId },
      body: { roleId: own?.roleId },
    })
    await fellow.browser.refused('removeFellowMember', 'forbidden', { params: { id, memberId: own?.id ?? '' } })
    await membersOf(fellow.browser, id)
    for (const permission of ['org:manage', 'org:members:manage', 'org:invitations:manage', 'org:delete'] as const) {
      await service().ok('updateRole', { params: { id: role.id }, body: { permissions: [permission] } })
      const [operation, options] = asks[permission]
      await fellow.browser.ok(operation, options)
    }
  })

  it('do not let members assign or remove a role with permissions that they do not have', async () => {
    const tenant = await tenantWith(service())
    const { admin, fellow, id, role, memberId } = await withFellow(tenant, [
      'org:members:manage',
      'org:invitations:manage',
    ])
    const [boss] = (await membersOf(admin.browser, id)).filter(({ userId }) => userId === admin.user.id)
    const adminRole = await roleIdOf(service(), tenant.id, 'admin')
    const someone = await createUser(service(), tenant.id)
    const { browser } = fellow
    const params = { id }
    await browser.refused('addFellowMember', 'forbidden', { params, body: { userId: someone.id, roleId: adminRole } })
    const email = `${unique()}@example.com`
    await browser.refused('sendInvitation', 'forbidden', { params, body: { email, roleId: adminRole } })
    await browser.refused('updateFellowMember', 'forbidden', { params: { id, memberId }, body: { roleId: adminRole } })
    const ofBoss = { params: { id, memberId: boss?.id ?? '' } }
    await browser.refused('updateFellowMember', 'forbidden', { ...ofBoss, body: { roleId: null } })
    await browser.refused('removeFellowMember', 'forbidden', ofBoss)
    await browser.ok('addFellowMember', { params, body: { userId: someone.id, roleId: role.id } })
    const other = await tenantWith(service())
    const foreign = await createRole(service(), other.id)
    await browser.refused('updateFellowMember', 'validation_failed', {
      params: { id, memberId },
      body: { roleId: foreign.id },
    })
  })

  it('let a role say who can assign it: managers of the organization, or no member', async () => {
    const tenant = await tenantWith(service())
    const { fellow, id } = await withFellow(tenant, ['org:members:manage', 'org:invitations:manage'])
    const { browser } = fellow
    const params = { id }
    const permissions = ['invoices:read']
    const byManagers = await createRole(service(), tenant.id, { permissions, assignableBy: 'organization_managers' })
    const byTenant = await createRole(service(), tenant.id, { permissions: [], assignableBy: 'tenant' })
    const { roles } = await browser.ok<{ roles: { id: string }[] }>('getOwnOrganization', { params })
    const ids = roles.map((role) => role.id)
    assert.deepEqual([ids.includes(byManagers.id), ids.includes(byTenant.id)], [true, false])

    const someone = await createUser(service(), tenant.id)
    const add = { params, body: { userId: someone.id, roleId: byTenant.id } }
    await browser.refused('addFellowMember', 'forbidden', add)
    const { member } = await browser.ok<{ member: { id: string } }>('addFellowMember', {
      params,
      body: { userId: someone.id, roleId: byManagers.id },
    })
    const ofMember = { params: { id, memberId: member.id } }
    await browser.refused('updateFellowMember', 'forbidden', { ...ofMember, body: { roleId: byTenant.id } })
    await browser.ok('updateFellowMember', { ...ofMember, body: { roleId: null } })
    await browser.ok('updateFellowMember', { ...ofMember, body: { roleId: byManagers.id } })
    await browser.ok('removeFellowMember', ofMember)
    await service().ok('updateRole', { params: { id: byManagers.id }, body: { assignableBy: 'covering_role' } })
    await browser.refused('sendInvitation', 'forbidden', {
      params,
      body: { email: `${unique()}@example.com`, roleId: byManagers.id },
    })
  })

  it('let whoever manages invitations withdraw and resend one with any role', async () => {
    const tenant = await tenantWith(service())
    const { fellow, id } = await withFellow(tenant, ['org:invitations:manage'])
    const role = await createRole(service(), tenant.id, { permissions: ['invoices:read'], assignableBy: 'tenant' })
    const { id: invitationId } = await service().ok<{ id: string }>('createOrganizationInvitation', {
      body: { organizationId: id, email: `${unique()}@example.com`, roleId: role.id },
    })
    await fellow.browser.ok('resendInvitation', { params: { id, invitationId } })
    await fellow.browser.ok('revokeInvitation', { params: { id, invitationId } })
  })

  // Guards: limits-in-database
  it('keep one member who may manage the members, also if all leave at once', async () => {
    const tenant = await tenantWith(service())
    const admin = await signedInUser(service(), tenant)
    const { id } = await create(admin.browser)
    const adminRole = await roleIdOf(service(), tenant.id, 'admin')
    const others = await Promise.all(Array.from({ length: 9 }, () => signedInUser(service(), tenant)))
    for (const { user } of others) {
      await admin.browser.ok('addFellowMember', { params: { id }, body: { userId: user.id, roleId: adminRole } })
    }
    const memberships = await membersOf(admin.browser, id)
    assert.equal(memberships.length, 10)
    const answers = await atOnce(10, (n) => {
      const { user, browser } = [admin, ...others][n] ?? admin
      const memberId = memberships.find(({ userId }) => userId === user.id)?.id ?? ''
      return browser.call('removeFellowMember', { params: { id, memberId } })
    })
    const stayed = answers.filter(({ body }) => body.code === 'last_manager')
    assert.equal(stayed.length, 1, answers.map(({ text }) => text).join('\n'))
    const { meta } = await service().ok<{ meta: { total: number } }>('listOrganizationMembers', {
      params: { organizationId: id },
    })
    assert.equal(meta.total, 1)
  })

  it('are off, and cannot be deleted by members, if the tenant says so', async () => {
    const tenant = await tenantWith(service(), { organizationAdminDeletingEnabled: false })
    const { browser } = await signedInUser(service(), tenant)
    const { id } = await create(browser)
    const params = { id }
    await browser.refused('deleteOwnOrganization', 'forbidden', { params })
    await service().ok('putAuthTenant', { params: { id: tenant.id }, body: { organizationsEnabled: false } })
    await browser.refused('createOwnOrganization', 'forbidden', { body: { name: 'Research' } })
    await browser.refused('listOwnOrganizations', 'forbidden')
    await browser.refused('getOwnOrganization', 'forbidden', { params })
    await browser.refused('declineInvitation', 'forbidden', { params: { token: 'oi_1' } })
    const on = { organizationsEnabled: true, organizationAdminDeletingEnabled: true }
    await service().ok('putAuthTenant', { params: { id: tenant.id }, body: on })
    await browser.ok('deleteOwnOrganization', { params })
  })
})
