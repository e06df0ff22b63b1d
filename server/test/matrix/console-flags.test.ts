// The generated matrix of a console user's rights: each member flag alone, on every operation of the contract. The rights of each flag are
// listed here by hand, so that the contract cannot change them unnoticed.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  type EndpointId,
  type ErrorBody,
  type RoleFlag,
  type TenantPermission,
  endpoints,
  permissionFlags,
  roleFlags,
} from '@bailiwick/contract'
import { assertWritesNothing } from '../harness/databases/table-dump.ts'
import { addMember, signInConsoleUser, useSession } from '../harness/people/sessions.ts'
import { type CallOptions, type TestService, describeService, describeServiceOnce } from '../harness/service.ts'
import { endpointIds, endsItsWorld, requests } from './requests.ts'
import { type World, createWorld, namesOfNothing } from './world.ts'

const allowedBy: Readonly<Record<TenantPermission, readonly RoleFlag[]>> = {
  'users:read': ['roleEditUsers', 'roleViewUsers'],
  'users:write': ['roleEditUsers'],
  'organizations:read': ['roleEditOrganizations', 'roleViewOrganizations'],
  'organizations:write': ['roleEditOrganizations'],
  'config:read': ['roleEditConfig', 'roleViewConfig'],
  'config:write': ['roleEditConfig'],
  'billing:read': ['roleEditBilling', 'roleViewBilling'],
  'billing:write': ['roleEditBilling'],
  'media:read': ['roleEditConfig', 'roleViewConfig'],
  'media:write': ['roleEditConfig'],
  'events:read': [],
  'provider-tokens:use': [],
  admin: [],
}

const inTenant = endpointIds.filter((id) => endpoints[id].permission in permissionFlags)
const permissionOf = (id: EndpointId) => endpoints[id].permission as TenantPermission
/** Operations whose request here decides about codes, links or addresses of users: a provider that is trusted, templates with codes, connections. */
const takesUsersWrite: readonly EndpointId[] = [
  'createCustomProvider',
  'cloneAllTemplates',
  'createConnection',
  'updateConnection',
  'deleteConnection',
  'createSetupLink',
  'testConnection',
  'createScimToken',
  'deleteScimToken',
  'updateGroupRules',
]
const mayCall = (flag: RoleFlag, id: EndpointId) =>
  flag === 'roleAdmin' ||
  (allowedBy[permissionOf(id)].includes(flag) &&
    (!takesUsersWrite.includes(id) || allowedBy['users:write'].includes(flag)))

/** The calling member, in a world of their own. */
async function worldOfMember(service: TestService, ...flags: readonly RoleFlag[]) {
  const world = await createWorld(service)
  const member = await signInConsoleUser(service)
  await addMember(service, world.tenantId, member, ...flags)
  return { world, token: member.token }
}

const codeOf = (body: unknown) => (body as ErrorBody | null)?.code

describeServiceOnce('a console user', (service) => {
  for (const flag of roleFlags) {
    describe(`with ${flag} alone`, () => {
      let world: World
      let token: string
      before(async () => {
        ;({ world, token } = await worldOfMember(service(), flag))
      })

      const requestOf = async (id: EndpointId): Promise<CallOptions> => {
        if (!endsItsWorld(id)) return { ...requests[id].valid(world), token }
        const own = await worldOfMember(service(), flag)
        return { ...requests[id].valid(own.world), token: own.token }
      }

      for (const id of inTenant.filter((each) => mayCall(flag, each))) {
        it(`may ${id}`, async () => {
          const { status, text } = await service().call(id, await requestOf(id))
          assert.equal(status, 200, text)
        })
      }

      // Guards: own-rights
      it('may run no other operation, and writes nothing by trying', async () => {
        await useSession(service(), token)
        await assertWritesNothing(service().deps.db, async () => {
          for (const id of inTenant.filter((each) => !mayCall(flag, each))) {
            await service().refused(id, 'forbidden', { ...requests[id].valid(world), token })
          }
        })
      })
    })
  }
})

describeService('a console user with every flag in one tenant', (service) => {
  let own: World
  let other: World
  let token: string
  before(async () => {
    ;({ world: own, token } = await worldOfMember(service(), ...roleFlags))
    other = await createWorld(service())
  })

  for (const id of inTenant) {
    it(`finds nothing of another tenant by ${id}, as if it did not exist`, async () => {
      const absent = requests[id].foreign(own, namesOfNothing())
      await useSession(service(), token)
      await assertWritesNothing(service().deps.db, async () => {
        for (const [index, { request, answer, naming }] of requests[id].foreign(own, other).entries()) {
          const theirs = await service().call(id, { ...(request as CallOptions), token })
          const nobodys = await service().call(id, { ...(absent[index]?.request as CallOptions), token })
          assert.deepEqual([theirs.status, codeOf(theirs.body)], [nobodys.status, codeOf(nobodys.body)], naming)
          if (answer === 'not_found') assert.deepEqual([theirs.status, codeOf(theirs.body)], [404, 'not_found'], naming)
        }
      })
    })
  }

  // Guards: agreed-membership
  it('may not run what only the operator may, and writes nothing by trying', async () => {
    await useSession(service(), token)
    await assertWritesNothing(service().deps.db, async () => {
      for (const id of endpointIds.filter((each) => endpoints[each].permission === 'operator')) {
        await service().refused(id, 'forbidden', { ...requests[id].valid(own), token })
      }
    })
  })

  it('lists only that tenant', async () => {
    const listed = await service().ok<{ id: string }[]>('listTenants', { token })
    assert.deepEqual(
      listed.map((tenant) => tenant.id),
      [own.tenantId],
    )
  })
})

describeService('a console user without a flag', (service) => {
  it('can do nothing in the tenant, but learns that it exists', async () => {
    const { world, token } = await worldOfMember(service())
    for (const id of inTenant) await service().refused(id, 'forbidden', { ...requests[id].valid(world), token })
  })

  it('finds and lists nothing without any membership, and may create a tenant', async () => {
    const world = await createWorld(service())
    const { token } = await signInConsoleUser(service())
    for (const id of inTenant) {
      const [answer] = requests[id].foreign(world, world)
      const { status, text, body } = await service().call(id, { ...requests[id].valid(world), token })
      if (answer?.answer === 'null') assert.deepEqual([status, text], [200, 'null'])
      else assert.deepEqual([status, codeOf(body)], [404, 'not_found'], `${id}: ${text}`)
    }
    assert.deepEqual(await service().ok('listTenants', { token }), [])
    await service().ok('createTenant', { ...requests.createTenant.valid(world), token })
  })
})
