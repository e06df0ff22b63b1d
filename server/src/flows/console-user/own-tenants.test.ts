import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type OwnTenant, type RoleFlag, roleFlags } from '@bailiwick/contract'
import { createTenant } from '../../../test/harness/factories.ts'
import { describeService } from '../../../test/harness/service.ts'
import { addMember, flagsOf, signInConsoleUser } from '../../../test/harness/sessions.ts'

interface Page {
  readonly data: readonly OwnTenant[]
  readonly meta: { readonly total: number; readonly next: string | null; readonly prev: string | null }
}

const heldIn = (tenant: OwnTenant | undefined) => roleFlags.filter((flag) => tenant?.[flag] === true)

describeService('GET /user/tenants', (service) => {
  it("lists the caller's tenants, newest first, with the caller's own flags in each", async () => {
    const [caller, other] = [await signInConsoleUser(service()), await signInConsoleUser(service())]
    const expected: { id: string; flags: readonly RoleFlag[] }[] = []
    for (const flags of [['roleAdmin'], ['roleViewUsers', 'roleEditBilling'], []] as const) {
      const { tenant } = await createTenant(service())
      await addMember(service(), tenant.id, caller, ...flags)
      await addMember(service(), tenant.id, other, 'roleViewConfig')
      expected.unshift({ id: tenant.id, flags })
    }
    const { tenant: foreign } = await createTenant(service())
    await addMember(service(), foreign.id, other, 'roleAdmin')
    const { data, meta } = await service().ok<Page>('listOwnTenants', { token: caller.token })
    assert.deepEqual(
      data.map((tenant) => ({ id: tenant.id, flags: heldIn(tenant) })),
      expected,
    )
    assert.deepEqual([meta.total, meta.next, meta.prev], [3, null, null])
    const second = await service().ok<Page>('listOwnTenants', {
      token: caller.token,
      query: { perPage: '1', cursor: data[1]?.createdAt ?? '' },
    })
    assert.deepEqual([second.data[0]?.id, second.meta.total], [expected[1]?.id, 3])
    assert.deepEqual([second.meta.prev, second.meta.next], [data[0]?.createdAt, data[2]?.createdAt])
  })

  it('shows a change of the flags, and no tenant that was deleted or left', async () => {
    const caller = await signInConsoleUser(service())
    const tenants = [await createTenant(service()), await createTenant(service()), await createTenant(service())]
    const members = []
    for (const { tenant } of tenants) members.push(await addMember(service(), tenant.id, caller, 'roleViewUsers'))
    const list = async () => (await service().ok<Page>('listOwnTenants', { token: caller.token })).data
    assert.equal((await list()).length, 3)
    await service().ok('updateTenantMember', {
      params: { id: members[0]?.id ?? '' },
      body: flagsOf('roleEditConfig'),
    })
    await addMember(service(), tenants[1]?.tenant.id ?? '', await signInConsoleUser(service()), 'roleAdmin')
    await service().ok('deleteTenantMember', { params: { id: members[1]?.id ?? '' } })
    await service().ok('deleteTenant', { params: { id: tenants[2]?.tenant.id ?? '' } })
    const left = await list()
    assert.deepEqual(
      left.map((tenant) => [tenant.id, heldIn(tenant)]),
      [[tenants[0]?.tenant.id, ['roleEditConfig']]],
    )
  })

  it('is for console users alone', async () => {
    const { secretKey } = await createTenant(service())
    await service().refused('listOwnTenants', 'forbidden', { token: secretKey })
    await service().refused('listOwnTenants', 'unauthenticated', { token: null })
  })
})
