import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type OwnTenant, type RoleFlag, roleFlags } from '@bailiwick/contract'
import { createApiKey, createTenant, unique } from '../../../test/harness/factories.ts'
import { addMember, flagsOf, signInConsoleUser } from '../../../test/harness/people/sessions.ts'
import { describeService, operatorKey } from '../../../test/harness/service.ts'

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

  it('finds tenants by a part of their name or slug, and by environment', async () => {
    const caller = await signInConsoleUser(service())
    const word = unique()
    const { tenant: one } = await createTenant(service(), { name: `A ${word}`, environment: 'staging' })
    const { tenant: other } = await createTenant(service(), { slug: `s-${word}`, environment: 'production' })
    const { tenant: foreign } = await createTenant(service(), { name: `B ${word}` })
    for (const { id } of [one, other]) await addMember(service(), id, caller, 'roleViewConfig')
    const find = async (query: Record<string, string>, token: string | null = caller.token) => {
      const { data, meta } = await service().ok<Page>('listOwnTenants', { token, query })
      assert.equal(meta.total, data.length)
      return data.map(({ id }) => id)
    }
    assert.deepEqual(await find({ query: word.toUpperCase() }), [other.id, one.id])
    assert.deepEqual(await find({ query: word, environment: 'staging' }), [one.id])
    assert.deepEqual(await find({ query: `${word}x` }), [])
    assert.deepEqual(await find({ query: word }, operatorKey), [foreign.id, other.id, one.id])
  })

  it('gives the operator all flags in every tenant, a secret key in its own, and an API key those of its scopes', async () => {
    const { tenant, secretKey } = await createTenant(service())
    const list = async (token: string) => (await service().ok<Page>('listOwnTenants', { token })).data
    const all = await list(operatorKey)
    assert.deepEqual([all[0]?.id, heldIn(all[0])], [tenant.id, [...roleFlags]])
    assert.deepEqual(
      (await list(secretKey)).map((own) => [own.id, heldIn(own)]),
      [[tenant.id, [...roleFlags]]],
    )
    const keys = [
      [['users:write'], ['roleEditUsers', 'roleViewUsers']],
      [['config:read'], []],
      [
        ['config:read', 'media:read', 'billing:write'],
        ['roleViewConfig', 'roleViewBilling', 'roleEditBilling'],
      ],
      [['admin'], [...roleFlags]],
    ] as const
    for (const [scopes, flags] of keys) {
      const { key } = await createApiKey(service(), tenant.id, [...scopes])
      assert.deepEqual(
        (await list(key)).map((own) => [own.id, heldIn(own)]),
        [[tenant.id, [...flags]]],
      )
    }
    await service().refused('listOwnTenants', 'unauthenticated', { token: null })
  })
})
