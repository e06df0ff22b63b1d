// The matrix of a deleted tenant: as long as it is kept it can be restored, by users with every right in it, and nothing else.
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { type ErrorBody, endpoints } from '@bailiwick/contract'
import { assertWritesNothing } from '../harness/databases/table-dump.ts'
import { signInConsoleUser, useSession } from '../harness/people/sessions.ts'
import { describeService, operatorKey } from '../harness/service.ts'
import { endpointIds, requests } from './requests.ts'
import { type World, createWorld } from './world.ts'

/** Operations that name no tenant, and the one that exists for deleted tenants. */
const unaffected = [
  'listTenants',
  'listOwnTenants',
  'createTenant',
  'getMeta',
  'createConsoleUser',
  'restoreTenant',
  'getDeploymentHealth',
  'getDeploymentJobs',
  'retryDeploymentJobs',
  'importTenant',
]

describeService('a deleted tenant', (service) => {
  let world: World
  let administrator: string
  before(async () => {
    world = await createWorld(service())
    const { token, email } = await signInConsoleUser(service())
    administrator = token
    await service().ok('createTenantMember', { body: { tenantId: world.tenantId, email, roleAdmin: true } })
    await useSession(service(), administrator)
    await service().ok('getUser', { params: { id: world.userId }, token: administrator })
    await service().ok('deleteTenant', { params: { id: world.tenantId } })
  })

  for (const id of endpointIds) {
    if (unaffected.includes(id) || endpoints[id].permission === 'console-user') continue
    // Guards: other-tenants-records
    it(`does not exist for ${id}, which changes nothing`, async () => {
      // The use of a session is recorded once a minute: now, and so not below.
      await useSession(service(), administrator)
      const isLookUp = id === 'getTenantByPublicKey' || id === 'getTenantBySlug'
      await assertWritesNothing(service().deps.db, async () => {
        const isOperators = endpoints[id].permission === 'operator'
        for (const token of isOperators ? [operatorKey] : [operatorKey, administrator]) {
          const { status, body } = await service().call(id, { ...requests[id].valid(world), token })
          if (isLookUp) assert.deepEqual([status, body], [200, null])
          else assert.deepEqual([status, (body as ErrorBody).code], [404, 'not_found'])
        }
      })
    })
  }
})
