// Mass assignment: a body may contain no property that it does not declare, not even one that some answer shows, and nothing is written.
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import {
  type Endpoint,
  type ErrorBody,
  type FrontendEndpoint,
  type FrontendEndpointId,
  endpoints,
  frontendEndpoints,
} from '@bailiwick/contract'
import { assertWritesNothing } from '../harness/databases/table-dump.ts'
import { createTenant } from '../harness/factories.ts'
import { describeServiceOnce } from '../harness/service.ts'
import { type FrontendWorld, createFrontendWorld, pathNames } from './frontend-world.ts'
import { endpointIds, requests, tokenFor } from './requests.ts'
import { type World, createWorld } from './world.ts'

/** The names of all properties that a schema describes, at any depth. */
function namesIn(schema: unknown, found: Set<string>): Set<string> {
  if (typeof schema !== 'object' || schema === null) return found
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties') for (const name of Object.keys(value as object)) found.add(name)
    namesIn(value, found)
  }
  return found
}

const readable = new Set<string>()
for (const { response } of [...Object.values(endpoints), ...Object.values(frontendEndpoints)])
  namesIn(response, readable)
/** Names that no answer shows, but that rows have, or other services accepted. */
const guessed = [
  'tenant_id',
  'user_id',
  'role_id',
  'is_admin',
  'isAdmin',
  'admin',
  'verified',
  'emailVerified',
  'owner',
]
const names = [...readable, ...guessed]

const readProperties = ({ body }: Endpoint) => Object.keys((body as { properties?: object } | null)?.properties ?? {})

/** An error lists no more than this. */
const issuesMax = 100

/** The body with every further name that exists, divided into as many bodies as the list of issues requires. */
function* stuffed(endpoint: Endpoint, body: object) {
  const declared = new Set(readProperties(endpoint))
  const extra = names.filter((name) => !declared.has(name))
  for (let from = 0; from < extra.length; from += issuesMax) {
    const some = extra.slice(from, from + issuesMax)
    yield { extra: some, body: { ...Object.fromEntries(some.map((name) => [name, 'c12345678'])), ...body } }
  }
}

function assertAllRefused({ issues }: ErrorBody, extra: readonly string[], what: string) {
  assert.deepEqual(issues?.map(({ path }) => path).toSorted(), extra.map((name) => `/${name}`).toSorted(), what)
}

describeServiceOnce('properties that a body does not declare', (service) => {
  let world: World
  let own: FrontendWorld
  before(async () => {
    world = await createWorld(service())
    own = await createFrontendWorld(service(), (await createTenant(service())).tenant)
  })

  it('are many, and include those that decide about rights', () => {
    assert.ok(names.length > 150)
    for (const name of ['id', 'tenantId', 'userId', 'roleId', 'status', 'verifiedAt', 'permissions', 'privateMeta']) {
      assert.ok(names.includes(name), name)
    }
  })

  // Guards: declared-properties
  it('are refused one by one by every operation of the management interface, which then writes nothing', async () => {
    await assertWritesNothing(service().deps.db, async () => {
      for (const id of endpointIds) {
        const endpoint: Endpoint = endpoints[id]
        if (endpoint.body === undefined || endpoint.bodyType !== undefined) continue
        const valid = requests[id].valid(world)
        const token = tokenFor(id, world)
        for (const { extra, body } of stuffed(endpoint, (valid as { body: object }).body)) {
          const error = await service().refused(id, 'validation_failed', { ...valid, body, token })
          assertAllRefused(error, extra, id)
        }
      }
    })
  })

  // Guards: declared-properties
  it('are refused one by one by every operation of the frontend interface, which then writes nothing', async () => {
    await assertWritesNothing(service().deps.db, async () => {
      for (const endpoint of Object.values(frontendEndpoints) as FrontendEndpoint[]) {
        if (endpoint.body === undefined) continue
        const id = endpoint.id as FrontendEndpointId
        const params = pathNames[id]?.(own)
        for (const { extra, body } of stuffed(endpoint, (endpoint.example as { body: object }).body)) {
          const answer = await own.person.browser.refused(id, 'validation_failed', { body, ...(params && { params }) })
          assertAllRefused(answer.body as ErrorBody, extra, id)
        }
      }
    })
  })
})
