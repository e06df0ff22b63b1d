// The database becomes unreachable during a request. Regression: if two queries ran at the same time, the second one failed when nobody
// awaited it any more, which ended the whole process.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type EndpointId, type ErrorBody, endpoints } from '@bailiwick/contract'
import { describeOnEachEngine } from '../harness/databases/databases.ts'
import { FailingDatabase } from '../harness/databases/failing-database.ts'
import { type CallOptions, type TestService, operatorKey, startTestService, testEnv } from '../harness/service.ts'
import { endpointIds, endsItsWorld, requests } from './requests.ts'
import { type World, createWorld } from './world.ts'

/** More statements than any operation runs. */
const statementsMax = 60

const brokeOff = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'LIGHT_ECONNRESET'

describeOnEachEngine('an operation whose database goes away, at whichever statement', (open) => {
  let failing: FailingDatabase
  let service: TestService
  let shared: World

  before(async () => {
    failing = new FailingDatabase((await open()).database)
    service = await startTestService(failing.database, testEnv)
    shared = await createWorld(service)
  })
  after(() => service.app.close())

  /** Whether the answer reports an outage. */
  async function isUnavailable(id: EndpointId, request: CallOptions, repeats: boolean): Promise<boolean> {
    const { method } = endpoints[id]
    try {
      const { status, body, text } = await service.call<ErrorBody>(id, request)
      // In the previous run only the answer was lost, not the effect.
      if (status === 200 || (repeats && method !== 'GET' && (status === 404 || status === 409))) return false
      assert.equal(body.code, 'unavailable', text)
      return true
    } catch (error) {
      // The part of a stream that was sent cannot be taken back.
      if (brokeOff(error)) return true
      throw error
    }
  }

  async function assertOutlasts(id: EndpointId, requestOf: (world: World) => CallOptions) {
    const world = endsItsWorld(id) ? await createWorld(service) : shared
    const token = endpoints[id].permission === 'console-user' ? world.consoleToken : operatorKey
    for (let n = 1; n <= statementsMax; n++) {
      let isOver = false
      await failing.goneFrom(n, async () => {
        isOver = !(await isUnavailable(id, { ...requestOf(world), token }, n > 1))
      })
      if (isOver) return
    }
    assert.fail(`${id} does not end`)
  }

  for (const id of endpointIds) {
    it(`${id} is answered with 503 unavailable, and the process continues`, async () => {
      await assertOutlasts(id, requests[id].valid)
    })
  }

  it('listUsers likewise without a search, if rows and their number are read at once', async () => {
    for (const narrowed of [{}, { status: 'active' }]) {
      await assertOutlasts('listUsers', (world) => ({ query: { tenantId: world.tenantId, ...narrowed } }))
    }
  })
})
