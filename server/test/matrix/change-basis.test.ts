// Changes that say what they are based on, on every operation of the contract that can answer 409 changed_meanwhile.
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { type Endpoint, type ErrorBody, type TenantMember, endpoints } from '@bailiwick/contract'
import { assertWritesNothing } from '../harness/databases/table-dump.ts'
import { type CallOptions, type TestService, describeService } from '../harness/service.ts'
import { endpointIds, requests } from './requests.ts'
import { type World, createWorld } from './world.ts'

const changes = endpointIds.filter((id) => (endpoints[id] as Endpoint).errors.includes('changed_meanwhile'))

/** Reads what a change is about: by GET at the same path, or from a list where there is no such operation. */
function present(service: TestService, world: World, id: (typeof changes)[number]): Promise<unknown> {
  const { params } = requests[id].valid(world) as CallOptions
  const { path } = endpoints[id]
  const reader = endpointIds.find((each) => endpoints[each].method === 'GET' && endpoints[each].path === path)
  if (reader !== undefined) return service.ok(reader, { ...(params && { params }) })
  assert.equal(id, 'updateTenantMember')
  return memberOf(service, world, String(params?.['id']))
}

async function memberOf(service: TestService, { tenantId }: World, id: string) {
  const { data } = await service.ok<{ data: TenantMember[] }>('listTenantMembers', { params: { tenantId } })
  return data.find((member) => member.id === id)
}

describeService('a change that names what it is based on', (service) => {
  let world: World
  before(async () => {
    world = await createWorld(service())
  })

  it('is possible for records and versioned documents alike', () => {
    assert.equal(changes.length, 17)
  })

  for (const id of changes) {
    const isDocument = 'ifVersion' in ((endpoints[id] as Endpoint).query?.properties ?? {})
    const stale = isDocument ? { ifVersion: '999999' } : { ifUpdatedAt: '2020-01-01T00:00:00.000000Z' }

    it(`is refused with the present record where ${id} would overwrite another change, and writes nothing`, async () => {
      const valid = requests[id].valid(world) as CallOptions
      let answer: ErrorBody | undefined
      await assertWritesNothing(service().deps.db, async () => {
        answer = await service().refused(id, 'changed_meanwhile', { ...valid, query: { ...valid.query, ...stale } })
      })
      assert.ok(answer?.current !== undefined)
      assert.deepEqual(answer.current, await present(service(), world, id))
    })
  }

  it('is made where the record is as it was read, once: the second change of two is refused', async () => {
    const params = { id: world.roleId }
    const { updatedAt: ifUpdatedAt } = await service().ok<{ updatedAt: string }>('getRole', { params })
    const change = (name: string) =>
      service().call<ErrorBody>('updateRole', { params, query: { ifUpdatedAt }, body: { name } })
    const answers = await Promise.all([change('First editor'), change('Second editor')])
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((one, other) => one - other),
      [200, 409],
    )
  })

  it('is made where a document has no newer version, once', async () => {
    const params = { id: world.tenantId }
    const { version } = await service().ok<{ version: number }>('getPages', { params })
    const change = (termsUri: string) =>
      service().call('putPages', { params, query: { ifVersion: String(version) }, body: { termsUri } })
    const answers = await Promise.all([change('https://a.example/'), change('https://b.example/')])
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((one, other) => one - other),
      [200, 409],
    )
  })
})
