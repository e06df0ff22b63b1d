// How many tenants a console user may have created.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Tenant } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { rowCounts, newRows, statusCounts } from '../../../test/harness/databases/stored.ts'
import { unique } from '../../../test/harness/factories.ts'
import { addMember, signInConsoleUser } from '../../../test/harness/people/sessions.ts'
import { type TestService, describeService, testEnv } from '../../../test/harness/service.ts'
import { describeOnTwoNodes } from '../../../test/nodes/two-nodes.ts'

const body = () => ({ name: `Acme ${unique()}`.slice(0, 32), environment: 'production' })

const create = (service: TestService, token: string) => service.ok<Tenant>('createTenant', { body: body(), token })

async function createMany(service: TestService, token: string, count: number) {
  const tenants: Tenant[] = []
  for (let n = 0; n < count; n++) tenants.push(await create(service, token))
  return tenants
}

const limited = async (service: TestService, token: string, max: number) => {
  const before = await rowCounts(service)
  const { message } = await service.refused('createTenant', 'tenant_limit_reached', { body: body(), token })
  assert.ok(message.includes(` ${max} `), message)
  assert.deepEqual(await newRows(service, before), {})
}

describeService('the tenants that a console user has created', (service) => {
  // Guards: tenant-limit
  it('are limited to ten by default', async () => {
    const { token } = await signInConsoleUser(service())
    await createMany(service(), token, 10)
    await limited(service(), token, 10)
    const another = await signInConsoleUser(service())
    await create(service(), another.token)
  })

  it('are unlimited for the operator', async () => {
    for (let n = 0; n < 11; n++) await service().ok('createTenant', { body: body() })
  })
})

describeService(
  'a limit of two tenants for a console user',
  (service) => {
    it('counts tenants that the user has created, but not those in which others have made the user a member', async () => {
      const user = await signInConsoleUser(service())
      for (let n = 0; n < 3; n++) {
        const { id } = await service().ok<Tenant>('createTenant', { body: body() })
        await addMember(service(), id, user, 'roleAdmin')
      }
      await createMany(service(), user.token, 2)
      await limited(service(), user.token, 2)
    })

    // Guards: tenant-limit
    it('has room again for a deleted tenant, which cannot be restored until there is room', async () => {
      const user = await signInConsoleUser(service())
      const [first, second] = await createMany(service(), user.token, 2)
      assert.ok(first !== undefined && second !== undefined)
      await service().ok('deleteTenant', { params: { id: first.id }, token: user.token })
      const third = await create(service(), user.token)
      const restore = { params: { id: first.id }, token: user.token }
      await service().refused('restoreTenant', 'tenant_limit_reached', restore)
      await service().ok('deleteTenant', { params: { id: third.id }, token: user.token })
      await service().ok('restoreTenant', restore)
      await limited(service(), user.token, 2)
    })

    // Guards: tenant-limit
    it('counts for the creator when another administrator restores a tenant, and not when the operator does', async () => {
      const user = await signInConsoleUser(service())
      const accomplice = await signInConsoleUser(service())
      const [first, second] = await createMany(service(), user.token, 2)
      assert.ok(first !== undefined && second !== undefined)
      for (const { id } of [first, second]) {
        await addMember(service(), id, accomplice, 'roleAdmin')
        await service().ok('deleteTenant', { params: { id }, token: user.token })
      }
      await createMany(service(), user.token, 2)
      const restore = { params: { id: first.id } }
      await service().refused('restoreTenant', 'tenant_limit_reached', { ...restore, token: accomplice.token })
      await service().ok('restoreTenant', restore)
      await limited(service(), user.token, 2)
    })
  },
  { ...testEnv, BAILIWICK_TENANTS_PER_USER_MAX: '2' },
)

describeService(
  'a limit of 0 tenants for a console user',
  (service) => {
    it('is none', async () => {
      const { token } = await signInConsoleUser(service())
      await createMany(service(), token, 12)
    })
  },
  { ...testEnv, BAILIWICK_TENANTS_PER_USER_MAX: '0' },
)

describeOnTwoNodes(
  'the limit of tenants of a console user',
  (nodes) => {
    // Guards: tenant-limit
    it('applies to tenants that are created at two nodes at once', async () => {
      const { token } = await signInConsoleUser(nodes().one)
      const answers = await atOnce(12, (n) => nodes().inTurn(n).call('createTenant', { body: body(), token }))
      assert.deepEqual(statusCounts(answers), { 200: 3, 409: 9 })
    })

    // Guards: tenant-limit
    it('applies to tenants that are created and restored at two nodes at once', async () => {
      const { token } = await signInConsoleUser(nodes().one)
      const tenants = await createMany(nodes().one, token, 3)
      for (const { id } of tenants) await nodes().one.ok('deleteTenant', { params: { id }, token })
      const answers = await atOnce(9, (n) => {
        const tenant = tenants[n]
        return tenant === undefined
          ? nodes().inTurn(n).call('createTenant', { body: body(), token })
          : nodes()
              .inTurn(n)
              .call('restoreTenant', { params: { id: tenant.id }, token })
      })
      assert.deepEqual(statusCounts(answers), { 200: 3, 409: 6 })
      assert.equal((await nodes().other.ok<Tenant[]>('listTenants', { token })).length, 3)
    })
  },
  { ...testEnv, BAILIWICK_TENANTS_PER_USER_MAX: '3' },
)
