// Two tenants can have a record with the same id, because an import keeps the ids it is given.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { RoleFlag, User } from '@bailiwick/contract'
import { createTenant, unique } from '../../../test/harness/factories.ts'
import { addMember, signInConsoleUser } from '../../../test/harness/people/sessions.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'

const nameOf = async (service: TestService, id: string, token: string) =>
  (await service.ok<{ data: User }>('getUser', { params: { id }, token })).data.name

describeService('a record that is named by its id alone', (service) => {
  /** Tenants that each have a user with the same id, named after the tenant. */
  async function tenantsWithSameUser(count: number) {
    const id = `c${unique()}`
    const tenants = []
    for (let n = 0; n < count; n++) {
      const { tenant } = await createTenant(service())
      await service().ok('importUsers', { query: { tenantId: tenant.id }, body: [{ id, name: tenant.name }] })
      tenants.push(tenant)
    }
    return { id, tenants }
  }

  const memberOf = async (...memberships: readonly (readonly [{ readonly id: string }, ...RoleFlag[]])[]) => {
    const member = await signInConsoleUser(service())
    for (const [tenant, ...flags] of memberships) await addMember(service(), tenant.id, member, ...flags)
    return member.token
  }

  // Guards: colliding-ids
  it('is found in the tenant where the caller holds the permission, whatever another tenant has under its id', async () => {
    const { id, tenants } = await tenantsWithSameUser(2)
    const [own, hostile] = tenants
    assert.ok(own !== undefined && hostile !== undefined)
    for (const others of [[], ['roleViewConfig'], ['roleEditOrganizations', 'roleEditBilling']] as const) {
      const token = await memberOf([own, 'roleEditUsers'], [hostile, ...others])
      assert.equal(await nameOf(service(), id, token), own.name)
      await service().ok('updateUser', { params: { id }, body: { publicMeta: { by: 'me' } }, token })
      const reversed = await memberOf([hostile, ...others], [own, 'roleEditUsers'])
      assert.equal(await nameOf(service(), id, reversed), own.name)
    }
  })

  it('is found by the permission that the operation needs, which can be another one for reading than for writing', async () => {
    const { id, tenants } = await tenantsWithSameUser(2)
    const [own, other] = tenants
    assert.ok(own !== undefined && other !== undefined)
    const token = await memberOf([own, 'roleEditUsers'], [other, 'roleViewUsers'])
    await service().refused('getUser', 'ambiguous_id', { params: { id }, token })
    const changed = await service().ok<User>('updateUser', { params: { id }, body: { name: 'Ada' }, token })
    assert.equal(changed.tenantId, own.id)
  })

  // Guards: colliding-ids
  it('is ambiguous only among tenants in which the caller holds the permission', async () => {
    const { id, tenants } = await tenantsWithSameUser(3)
    const [one, two] = tenants
    assert.ok(one !== undefined && two !== undefined)
    const token = await memberOf([one, 'roleViewUsers'], [two, 'roleViewUsers'])
    await service().refused('getUser', 'ambiguous_id', { params: { id }, token })
  })

  it('is forbidden where the caller is a member without the permission, and absent where it is no member', async () => {
    const { id, tenants } = await tenantsWithSameUser(2)
    const [known] = tenants
    assert.ok(known !== undefined)
    await service().refused('getUser', 'forbidden', { params: { id }, token: await memberOf([known]) })
    await service().refused('getUser', 'not_found', { params: { id }, token: await memberOf() })
  })

  // Guards: colliding-ids
  it('cannot be hidden by any number of tenants that have its id too', async () => {
    const { id, tenants } = await tenantsWithSameUser(110)
    const own = tenants.at(-1)
    assert.ok(own !== undefined)
    const token = await memberOf([own, 'roleViewUsers'])
    assert.equal(await nameOf(service(), id, token), own.name)
  })
})
