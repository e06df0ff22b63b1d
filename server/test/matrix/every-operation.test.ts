// The generated matrix of rules that apply to every operation of the contract.
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { type Endpoint, type EndpointId, type ErrorBody, endpoints } from '@bailiwick/contract'
import { assertWritesNothing } from '../harness/databases/table-dump.ts'
import { worthlessHeaders } from '../harness/people/credentials.ts'
import { describeService, describeServiceOnce, operatorKey } from '../harness/service.ts'
import { endpointIds, endsItsWorld, requests } from './requests.ts'
import { type World, createWorld } from './world.ts'

describeService('every operation, called correctly', (service) => {
  let operatorWorld: World
  let ownWorld: World
  before(async () => {
    operatorWorld = await createWorld(service())
    ownWorld = await createWorld(service())
  })

  const worldFor = async (id: EndpointId, shared: World) => (endsItsWorld(id) ? createWorld(service()) : shared)

  for (const id of endpointIds) {
    const { permission } = endpoints[id]
    it(`${id} answers ${permission === 'console-user' ? 'a console user' : 'the operator'} with 200 and the declared shape`, async () => {
      const world = await worldFor(id, operatorWorld)
      const token = permission === 'console-user' ? world.consoleToken : operatorKey
      const { status, text, body, headers } = await service().call(id, { ...requests[id].valid(world), token })
      assert.equal(status, 200, text)
      assert.notEqual(body, undefined)
      const endpoint: Endpoint = endpoints[id]
      if (endpoint.responseType === 'image/*') assert.match(String(headers['content-type']), /^image\/[a-z]+$/)
      else if (endpoint.responseType === 'application/octet-stream') {
        assert.equal(headers['content-type'], endpoint.responseType)
      } else assert.equal(headers['content-type'], `${endpoint.responseType ?? 'application/json'}; charset=utf-8`)
      assert.equal(headers['cache-control'], 'no-store')
      assert.equal(headers['x-content-type-options'], 'nosniff')
    })

    if (permission === 'create-tenant' || permission === 'operator' || permission === 'console-user') {
      it(`${id} refuses a tenant's key with 403 forbidden and writes nothing`, async () => {
        const request = { ...requests[id].valid(ownWorld), token: ownWorld.secretKey }
        await assertWritesNothing(service().deps.db, () => service().refused(id, 'forbidden', request))
      })
      if (permission !== 'console-user') continue
      it(`${id} refuses the operator with 403 forbidden and writes nothing`, async () => {
        const request = requests[id].valid(ownWorld)
        await assertWritesNothing(service().deps.db, () => service().refused(id, 'forbidden', request))
      })
    } else {
      it(`${id} answers the tenant's own key with 200 and the declared shape`, async () => {
        const world = await worldFor(id, ownWorld)
        const request = { ...requests[id].valid(world), token: world.secretKey }
        const { status, text, body } = await service().call(id, request)
        assert.equal(status, 200, text)
        assert.notEqual(body, null)
      })
    }
  }
})

describeServiceOnce('every operation, called without a valid credential', (service) => {
  let world: World
  let credentials: Record<string, Readonly<Record<string, string>>>
  before(async () => {
    world = await createWorld(service())
    credentials = await worthlessHeaders(service())
  })

  for (const id of endpointIds) {
    if (endpoints[id].permission === 'public') {
      it(`${id} requires no credential`, async () => {
        for (const headers of Object.values(credentials)) {
          assert.equal((await service().call(id, { ...requests[id].valid(world), token: null, headers })).status, 200)
        }
      })
      continue
    }
    // Guards: ids-as-credentials
    it(`${id} refuses with 401 unauthenticated, and writes nothing`, async () => {
      const request = requests[id].valid(world)
      await assertWritesNothing(service().deps.db, async () => {
        for (const [what, headers] of Object.entries(credentials)) {
          const answer = await service().call<ErrorBody>(id, { ...request, token: null, headers })
          assert.equal(answer.body.code, 'unauthenticated', `${what}: ${answer.text}`)
          assert.match(
            String(answer.headers['www-authenticate']),
            /^Bearer resource_metadata="https?:\/\/[^"]+"$/,
            what,
          )
        }
      })
    })

    if ('body' in endpoints[id] && !('bodyType' in endpoints[id])) {
      it(`${id} does not read the body of a stranger`, async () => {
        const headers = { 'content-type': 'application/json' }
        const params = { ...requests[id].valid(world), body: '{"' }
        await service().refused(id, 'unauthenticated', { ...params, token: null, headers })
        await service().refused(id, 'malformed_json', { ...params, token: operatorKey, headers })
      })
    }
  }
})
