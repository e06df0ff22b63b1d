import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { OwnOrganization } from '@bailiwick/contract'
import { unique } from '../../../test/harness/factories.ts'
import { browserOf, signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { describeService } from '../../../test/harness/service.ts'

describeService('erasing the own account', (service) => {
  async function managed(auth: object = {}) {
    const tenant = await tenantWith(service(), auth)
    const manager = await signedInUser(service(), tenant)
    const body = { name: `Research ${unique()}` }
    const { organization } = await manager.browser.ok<{ organization: OwnOrganization }>('createOwnOrganization', {
      body,
    })
    return { tenant, manager, organization }
  }
  const join = async ({ tenant, organization }: Awaited<ReturnType<typeof managed>>, roleId: string | null = null) => {
    const other = await signedInUser(service(), tenant)
    const body = { organizationId: organization.id, userId: other.user.id, roleId }
    return { ...other, member: await service().ok<{ id: string }>('createOrganizationMember', { body }) }
  }

  it('is refused to the only user who may manage the other members of an organization, which is named', async () => {
    const scene = await managed()
    const { manager, organization } = scene
    const other = await join(scene)
    const answer = await manager.browser.refused('deleteOwnUser', 'last_manager')
    const { message } = answer.body as { message: string }
    assert.ok(message.includes(organization.name) && message.includes(organization.id), message)
    await manager.browser.ok('getProfile')
    // Anybody who may manage the members, and is not suspended, can take over.
    const roleId = organization.role?.id
    await service().ok('updateOrganizationMember', { params: { id: other.member.id }, body: { roleId } })
    await service().ok('suspendUser', { params: { id: other.user.id } })
    await manager.browser.refused('deleteOwnUser', 'last_manager')
    await service().ok('unsuspendUser', { params: { id: other.user.id } })
    await manager.browser.ok('deleteOwnUser')
    const { browser } = await browserOf(service(), scene.tenant, other.user.id)
    await browser.ok('deleteOwnOrganization', { params: { id: organization.id } })
    await browser.ok('deleteOwnUser')
  })

  it('is not refused to others, nor if the organization has no other member', async () => {
    const scene = await managed()
    const other = await join(scene)
    await other.browser.ok('deleteOwnUser')
    await scene.manager.browser.ok('deleteOwnUser')
    const left = await service().ok<{ _count: { members: number } }>('getOrganization', {
      params: { id: scene.organization.id },
    })
    assert.equal(left._count.members, 0)
  })

  it('is not refused if the tenant has organizations off, and never to the tenant itself', async () => {
    const off = await managed()
    await join(off)
    await service().ok('putAuthTenant', { params: { id: off.tenant.id }, body: { organizationsEnabled: false } })
    await off.manager.browser.ok('deleteOwnUser')
    const on = await managed()
    await join(on)
    await service().ok('deleteUser', { params: { id: on.manager.user.id } })
  })
})
