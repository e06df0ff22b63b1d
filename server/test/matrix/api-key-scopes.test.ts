// The generated matrix of an API key's rights: each scope alone, on every operation of the contract. The rights of each scope are listed
// here by hand, so that the contract cannot change them unnoticed.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  type EndpointId,
  type ErrorBody,
  type Scope,
  type TenantPermission,
  endpoints,
  permissionFlags,
  scopes,
} from '@bailiwick/contract'
import { useApiKey } from '../harness/api-keys.ts'
import { assertWritesNothing } from '../harness/databases/table-dump.ts'
import { createApiKey } from '../harness/factories.ts'
import { type CallOptions, type TestService, describeService, describeServiceOnce } from '../harness/service.ts'
import { endpointIds, endsItsWorld, requests } from './requests.ts'
import { type World, createWorld, namesOfNothing } from './world.ts'

const allowedBy: Readonly<Record<TenantPermission, readonly Scope[]>> = {
  'users:read': ['users:read', 'users:write'],
  'users:write': ['users:write'],
  'organizations:read': ['organizations:read', 'organizations:write'],
  'organizations:write': ['organizations:write'],
  'config:read': ['config:read', 'config:write'],
  'config:write': ['config:write'],
  'billing:read': ['billing:read', 'billing:write'],
  'billing:write': ['billing:write'],
  'media:read': ['media:read', 'media:write'],
  'media:write': ['media:write'],
  'events:read': ['events:read'],
  'provider-tokens:use': ['provider-tokens:use'],
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
const mayCall = (scope: Scope, id: EndpointId) =>
  scope === 'admin' || (allowedBy[permissionOf(id)].includes(scope) && !takesUsersWrite.includes(id))

async function worldOfKey(service: TestService, ...given: readonly Scope[]) {
  const world = await createWorld(service)
  return { world, token: (await createApiKey(service, world.tenantId, given)).key }
}

const codeOf = (body: unknown) => (body as ErrorBody | null)?.code

describeServiceOnce('an API key', (service) => {
  for (const scope of scopes) {
    describe(`with ${scope} alone`, () => {
      let world: World
      let token: string
      before(async () => {
        ;({ world, token } = await worldOfKey(service(), scope))
      })

      const requestOf = async (id: EndpointId): Promise<CallOptions> => {
        if (!endsItsWorld(id)) return { ...requests[id].valid(world), token }
        const own = await worldOfKey(service(), scope)
        return { ...requests[id].valid(own.world), token: own.token }
      }

      for (const id of inTenant.filter((each) => mayCall(scope, each))) {
        it(`may ${id}`, async () => {
          const { status, text } = await service().call(id, await requestOf(id))
          assert.equal(status, 200, text)
        })
      }

      // Guards: own-rights
      it('may run no other operation, and writes nothing by trying', async () => {
        await useApiKey(service(), token)
        await assertWritesNothing(service().deps.db, async () => {
          for (const id of endpointIds) {
            const { permission } = endpoints[id]
            const isOfNoTenant = ['create-tenant', 'operator', 'console-user'].includes(permission)
            if (!isOfNoTenant && (!(permission in permissionFlags) || mayCall(scope, id))) continue
            await service().refused(id, 'forbidden', { ...requests[id].valid(world), token })
          }
        })
      })
    })
  }
})

describeService('an API key with every scope', (service) => {
  let own: World
  let other: World
  let token: string
  before(async () => {
    ;({ world: own, token } = await worldOfKey(service(), ...scopes))
    other = await createWorld(service())
  })

  for (const id of inTenant) {
    it(`finds nothing of another tenant by ${id}, as if it did not exist`, async () => {
      const absent = requests[id].foreign(own, namesOfNothing())
      await useApiKey(service(), token)
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

  it('lists only its own tenant', async () => {
    const listed = await service().ok<{ id: string }[]>('listTenants', { token })
    assert.deepEqual(
      listed.map((tenant) => tenant.id),
      [own.tenantId],
    )
  })
})
