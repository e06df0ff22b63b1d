// The generated isolation matrix: for a tenant's key nothing of another tenant exists.
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { type ErrorBody, endpoints } from '@bailiwick/contract'
import { assertWritesNothing } from '../harness/databases/table-dump.ts'
import { useSession } from '../harness/people/sessions.ts'
import { type Answer, type CallOptions, describeService } from '../harness/service.ts'
import type { ForeignAnswer } from './request-kinds.ts'
import { endpointIds, endsItsWorld, requests, tokenFor } from './requests.ts'
import { type Names, type World, createWorld, namesOfNothing } from './world.ts'

/** Operations that name no record, or that only the operator may run: nothing is foreign to the operator. */
const namingNothing = [
  'listTenants',
  'createTenant',
  'getMeta',
  'whoAmI',
  'listOwnTenants',
  'listOwnInvitations',
  'createTenantMember',
  'putTenantLimits',
  'createConsoleUser',
  'getDeploymentHealth',
  'getDeploymentJobs',
  'retryDeploymentJobs',
  'exportTenant',
  'importTenant',
]

const varyingHeaders = ['x-request-id', 'content-length', 'date']

/** Everything by which a caller can distinguish two answers. */
function visible({ status, headers, text, body }: Answer) {
  const requestId = (body as ErrorBody | null)?.requestId
  const shown = requestId === undefined ? text : text.replace(requestId, '')
  return { status, text: shown, headers: Object.entries(headers).filter(([name]) => !varyingHeaders.includes(name)) }
}

function assertAnswer(expected: ForeignAnswer, answer: Answer) {
  if (expected === 'null') return assert.deepEqual([answer.status, answer.text], [200, 'null'])
  const { code, issues } = answer.body as ErrorBody
  if (expected === 'not_found') return assert.deepEqual([answer.status, code], [404, 'not_found'])
  const paths = issues?.map((issue) => issue.path)
  assert.deepEqual([answer.status, code, paths], [400, 'validation_failed', [expected.issueAt]])
}

interface AnyForeignRequest {
  readonly naming: string
  readonly request: CallOptions
  readonly answer: ForeignAnswer
}

describeService("another tenant's records", (service) => {
  let own: World
  let other: World
  let asking: World
  before(async () => {
    own = await createWorld(service())
    other = await createWorld(service())
    asking = await createWorld(service())
  })

  for (const id of endpointIds) {
    const foreign = (names: Names): readonly AnyForeignRequest[] => requests[id].foreign(own, names)

    // Guards: other-tenants-records
    it(`${id} answers for them exactly as for missing ones, and changes nothing`, async () => {
      const cases = foreign(other)
      assert.equal(cases.length === 0, namingNothing.includes(id), 'an operation that names records has foreign cases')
      const absent = foreign(namesOfNothing())
      // The use of a session is recorded once a minute: now, and so not below.
      if (endpoints[id].permission === 'console-user') await useSession(service(), own.consoleToken)
      await assertWritesNothing(service().deps.db, async () => {
        for (const [index, { naming, request, answer }] of cases.entries()) {
          const token = tokenFor(id, own)
          const theirs = await service().call(id, { ...request, token })
          assertAnswer(answer, theirs)
          const nobodys = await service().call(id, { ...absent[index]?.request, token })
          assert.deepEqual(visible(theirs), visible(nobodys), naming)
        }
      })
    })

    it(`${id} shows none of them among the caller's own`, async () => {
      if (['create-tenant', 'operator'].includes(endpoints[id].permission)) return
      const world = endsItsWorld(id) ? await createWorld(service()) : asking
      const { status, text } = await service().call(id, { ...requests[id].valid(world), token: tokenFor(id, world) })
      assert.equal(status, 200)
      const { tenant: _tenant, secretKey, consoleEmail: _email, consoleToken: _token, ...names } = other
      for (const value of [...Object.values(names), secretKey]) assert.ok(!text.includes(value), value)
    })
  }

  it('a tenant lists only itself', async () => {
    const listed = await service().ok<{ id: string }[]>('listTenants', { token: own.secretKey })
    assert.deepEqual(
      listed.map((tenant) => tenant.id),
      [own.tenantId],
    )
    const named = await service().ok('listTenants', { token: own.secretKey, query: { query: other.slug } })
    assert.deepEqual(named, [])
  })
})
