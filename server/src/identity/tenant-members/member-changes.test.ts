import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type TenantInvitation, type TenantMember, roleFlags } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { statusCounts, storedCounter, storedEvents } from '../../../test/harness/databases/stored.ts'
import { createTenant, unique } from '../../../test/harness/factories.ts'
import { flagsOf, signInConsoleUser } from '../../../test/harness/people/sessions.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'
import { newId } from '../../platform/ids.ts'

const add = (service: TestService, tenantId: string, flags: object = {}) =>
  service.ok<TenantMember>('createTenantMember', { body: { tenantId, email: `${unique()}@console.example`, ...flags } })
const admin = { roleAdmin: true }
const setFlags = (service: TestService, { id }: { id: string }, body: object = {}) =>
  service.call<TenantMember>('updateTenantMember', { params: { id }, body })
const remove = (service: TestService, { id }: { id: string }) => service.call('deleteTenantMember', { params: { id } })
const shown = (of: TenantMember | TenantInvitation) => roleFlags.filter((flag) => of[flag])

async function admins(service: TestService, tenantId: string) {
  const { data } = await service.ok<{ data: TenantMember[] }>('listTenantMembers', { params: { tenantId } })
  return data.filter((member) => member.roleAdmin)
}

describeService('PATCH /tenants/members/{id}', (service) => {
  it('sets all nine flags, and those left out to false', async () => {
    const { tenant, secretKey } = await createTenant(service())
    const member = await add(service(), tenant.id, { roleEditConfig: true })
    for (const flag of roleFlags.filter((each) => each !== 'roleAdmin')) {
      const changed = await service().ok<TenantMember>('updateTenantMember', {
        params: { id: member.id },
        body: { [flag]: true },
        token: secretKey,
      })
      assert.deepEqual(shown(changed), [flag])
      assert.equal(changed.userId, member.userId)
      assert.ok(changed.updatedAt > member.updatedAt)
    }
    const [event] = await storedEvents(service(), tenant.id, 'tenant_membership.updated')
    assert.deepEqual(event?.data, {
      userId: member.userId,
      before: flagsOf('roleEditConfig'),
      after: flagsOf('roleEditOrganizations'),
      expiresAt: null,
    })
  })

  it('refuses a value that is not a flag', async () => {
    const { tenant } = await createTenant(service())
    const { id } = await add(service(), tenant.id)
    for (const body of [{ roleOwner: true }, { roleAdmin: 1 }, { userId: newId() }]) {
      await service().refused('updateTenantMember', 'validation_failed', { params: { id }, body })
    }
  })

  it('refuses to demote or remove the last administrator', async () => {
    const { tenant } = await createTenant(service())
    const [one, other] = [await add(service(), tenant.id, admin), await add(service(), tenant.id, admin)]
    assert.equal((await setFlags(service(), one)).status, 200)
    await service().refused('updateTenantMember', 'last_admin', {
      params: { id: other.id },
      body: { roleEditUsers: true },
    })
    await service().refused('deleteTenantMember', 'last_admin', { params: { id: other.id } })
    assert.equal((await setFlags(service(), other, { roleAdmin: true, roleViewUsers: true })).status, 200)
    assert.equal((await remove(service(), one)).status, 200)
    assert.deepEqual(
      (await admins(service(), tenant.id)).map(({ id }) => id),
      [other.id],
    )
  })

  // Guards: limits-in-database
  it('keeps one of two administrators if fifty requests at once take the right from both', async () => {
    for (let round = 0; round < 4; round++) {
      const { tenant } = await createTenant(service())
      const pair = [await add(service(), tenant.id, admin), await add(service(), tenant.id, admin)]
      const answers = await atOnce<unknown>(50, (n) => {
        const member = pair[n % 2] as (typeof pair)[number]
        return n % 4 < 2 ? setFlags(service(), member) : remove(service(), member)
      })
      assert.equal((await admins(service(), tenant.id)).length, 1)
      const counts = statusCounts(answers)
      assert.ok((counts[409] ?? 0) > 0)
      assert.deepEqual(
        Object.keys(counts).filter((status) => !['200', '404', '409'].includes(status)),
        [],
      )
    }
  })

  // Guards: limits-in-database
  it('keeps one if an administrator is demoted while the user of the other one is erased', async () => {
    for (let round = 0; round < 8; round++) {
      const { tenant } = await createTenant(service())
      const pair = [await add(service(), tenant.id, admin), await add(service(), tenant.id, admin)] as const
      const answers = await Promise.all([
        setFlags(service(), pair[0]),
        service().call('deleteUser', { params: { id: pair[1].userId } }),
      ])
      assert.deepEqual(statusCounts(answers), { 200: 1, 409: 1 })
      assert.equal((await admins(service(), tenant.id)).length, 1)
    }
  })

  it('lets a tenant that never had an administrator stay without one', async () => {
    const { tenant } = await createTenant(service())
    const [one, other] = [await add(service(), tenant.id, { roleViewUsers: true }), await add(service(), tenant.id)]
    assert.equal((await setFlags(service(), one)).status, 200)
    for (const member of [one, other]) assert.equal((await remove(service(), member)).status, 200)
    assert.equal(await storedCounter(service(), tenant.id, 'members'), 0)
  })
})

describeService('DELETE /tenants/members/{id}', (service) => {
  it('removes the member, who remains a console user', async () => {
    const { tenant, secretKey } = await createTenant(service())
    const user = await signInConsoleUser(service())
    const { id } = await service().ok<TenantMember>('createTenantMember', {
      body: { tenantId: tenant.id, email: user.email, roleAdmin: true },
    })
    await add(service(), tenant.id, admin)
    assert.equal(await service().ok('deleteTenantMember', { params: { id }, token: secretKey }), true)
    await service().refused('deleteTenantMember', 'not_found', { params: { id } })
    await service().refused('listRoles', 'not_found', { params: { tenantId: tenant.id }, token: user.token })
    await service().ok('whoAmI', { token: user.token })
    assert.equal(await storedCounter(service(), tenant.id, 'members'), 1)
    const [event] = await storedEvents(service(), tenant.id, 'tenant_membership.deleted')
    assert.deepEqual([event?.subject_id, event?.data['userId']], [id, user.user.id])
  })

  it('lowers the count once if fifty requests remove a member', async () => {
    const { tenant } = await createTenant(service())
    const member = await add(service(), tenant.id)
    const answers = await atOnce(50, () => remove(service(), member))
    assert.deepEqual(statusCounts(answers), { 200: 1, 404: 49 })
    assert.equal(await storedCounter(service(), tenant.id, 'members'), 0)
  })
})

describeService('PATCH and DELETE /tenants/invitations/{id}', (service) => {
  const invite = (tenantId: string, flags: object = {}) =>
    service().ok<TenantInvitation>('inviteTenantMember', {
      body: { tenantId, email: `${unique()}@console.example`, ...flags },
    })

  it('sets all nine flags, and those left out to false', async () => {
    const { tenant, secretKey } = await createTenant(service())
    const invitation = await invite(tenant.id, { roleAdmin: true, roleViewUsers: true })
    const changed = await service().ok<TenantInvitation>('updateTenantInvitation', {
      params: { id: invitation.id },
      body: { roleViewConfig: true },
      token: secretKey,
    })
    assert.deepEqual(shown(changed), ['roleViewConfig'])
    assert.deepEqual([changed.email, changed.tenant.id], [invitation.email, tenant.id])
    const [event] = await storedEvents(service(), tenant.id, 'tenant_invitation.updated')
    assert.deepEqual(event?.data, {
      before: flagsOf('roleAdmin', 'roleViewUsers'),
      after: flagsOf('roleViewConfig'),
      rightsExpireAt: null,
    })
    assert.ok(!JSON.stringify(event).includes(invitation.email))
  })

  it('revokes it, so that the address can be invited again', async () => {
    const { tenant } = await createTenant(service())
    const { id, email } = await invite(tenant.id)
    const body = { tenantId: tenant.id, email }
    await service().refused('inviteTenantMember', 'invitation_exists', { body })
    assert.equal(await service().ok('deleteTenantInvitation', { params: { id } }), true)
    await service().refused('deleteTenantInvitation', 'not_found', { params: { id } })
    assert.equal(await storedCounter(service(), tenant.id, 'invitations'), 0)
    await service().ok('inviteTenantMember', { body })
    assert.equal(await storedCounter(service(), tenant.id, 'invitations'), 1)
  })
})
