// Webhooks of the service as it is run, stopped and killed: each event is delivered, at least once, with one id.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { engines } from '../harness/databases/databases.ts'
import { inTime } from '../harness/in-time.ts'
import { WebhookReceiver, answer } from '../harness/outside/webhook-receiver.ts'
import { rawSql } from './raw-sql.ts'
import { type Deployment, type ServiceProcess, newDeployment, request, startService, until } from './service-process.ts'

const userCount = 40
const kills = 3
/** On a machine that stands still, calls without an answer time out before the kill, and the second time they are repeated after five minutes. */
const deliveredMsMax = 420_000
const stopMsMax = 10_000
/** How many requests to one receiver a node has under way at once. */
const underWayMax = 5
const receivers: WebhookReceiver[] = []
after(async () => {
  for (const receiver of receivers) await receiver.stop()
})

async function subscribe({ api }: ServiceProcess): Promise<{ tenantId: string; receiver: WebhookReceiver }> {
  const receiver = await WebhookReceiver.start()
  receivers.push(receiver)
  const { body: tenant } = await request(`${api}/tenants`, { json: { name: 'Acme', environment: 'staging' } })
  const tenantId = String(tenant['id'])
  const { status } = await request(`${api}/webhooks`, {
    json: { tenantId, url: receiver.url, events: ['user.created'] },
  })
  assert.equal(status, 200)
  return { tenantId, receiver }
}

async function createUsers({ api }: ServiceProcess, tenantId: string): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < userCount; index++) {
    const { body } = await request(`${api}/auth/users`, { json: { tenantId, username: `user${index}` } })
    ids.push(String(body['id']))
  }
  return ids
}

const attemptsBy = async (deployment: Deployment) =>
  new Map(
    (await rawSql(deployment, 'SELECT event_id, status, attempts FROM webhook_deliveries')).map((row) => [
      String(row['event_id']),
      { isSuccess: row['status'] === 'succeeded', count: Number(row['attempts']) },
    ]),
  )

/**
 * Checks that no more calls were under way at the kill than a node may make at once: calls that were received, but whose result is not
 * recorded. Those that the service repeats because their time was over are recorded as failed. Returns the ids recorded as delivered.
 */
async function assertUnderWay(deployment: Deployment, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const attempts = await attemptsBy(deployment)
  const underWay = new Set(ids.filter((id) => (attempts.get(id)?.count ?? 0) === 0))
  assert.ok(underWay.size <= underWayMax, `${underWay.size} were under way`)
  return new Set([...attempts].filter(([, { isSuccess }]) => isSuccess).map(([id]) => id))
}

const subjectsOf = (receiver: WebhookReceiver) =>
  receiver.received.map(({ body }) => (JSON.parse(body) as { data: { subject: { id: string } } }).data.subject.id)

for (const engine of engines) {
  describe(`webhooks over a crash (${engine})`, () => {
    it('loses none of the events from before kill -9, whether delivered, under way or not yet processed', async () => {
      const deployment = await newDeployment(engine)
      const first = await startService(deployment.env)
      const { tenantId, receiver } = await subscribe(first)
      receiver.behaviour = () => undefined
      const ids = await createUsers(first, tenantId)
      await until('some are under way', 60_000, () => (receiver.received.length >= 5 ? true : undefined))
      // On PostgreSQL another node is there already: it takes the work over once the leases of the killed one have run out.
      const other = engine === 'postgresql' ? await startService(deployment.env) : undefined
      first.kill('SIGKILL')
      await first.exit()
      const before = [...receiver.received]
      await assertUnderWay(deployment, receiver.ids)

      receiver.behaviour = answer(200)
      const second = other ?? (await startService(deployment.env))
      await until('all are delivered', deliveredMsMax, () =>
        new Set(subjectsOf(receiver).slice(before.length)).size === userCount ? true : undefined,
      )
      assert.deepEqual(new Set(subjectsOf(receiver)), new Set(ids))
      assert.equal(new Set(receiver.ids).size, userCount, 'one id for each event, however often it came')
      for (const { headers, body } of before) {
        const again = receiver.received.findLast((each) => each.headers['webhook-id'] === headers['webhook-id'])
        assert.equal(again?.body, body)
      }
      second.kill('SIGTERM')
      assert.equal((await second.exit()).code, 0)
    })

    it('repeats no more than was under way at each of several kills, while the receiver answers at once', async () => {
      const deployment = await newDeployment(engine)
      const { env } = deployment
      let service = await startService(env)
      const { tenantId, receiver } = await subscribe(service)
      receiver.behaviour = (response) => void setTimeout(() => response.writeHead(204).end(), 20)
      await createUsers(service, tenantId)
      /** How many calls had been received when an event was known to be recorded as delivered. */
      const finished = new Map<string, number>()
      for (let kill = 1; kill <= kills; kill++) {
        const enough = Math.floor((userCount * kill) / (kills + 1))
        await until('some more are delivered', 60_000, () => new Set(receiver.ids).size >= enough || undefined)
        service.kill('SIGKILL')
        await service.exit()
        const before = receiver.ids
        const delivered = await assertUnderWay(deployment, before)
        for (const id of delivered) finished.set(id, before.length)
        service = await startService(env)
      }
      await until('all are delivered', deliveredMsMax, () => new Set(receiver.ids).size === userCount || undefined)
      assert.equal(new Set(receiver.ids).size, userCount)
      for (const [id, count] of finished)
        assert.ok(!receiver.ids.slice(count).includes(id), 'what is recorded as delivered is not repeated')
      service.kill('SIGTERM')
      assert.equal((await service.exit()).code, 0)
    })

    it('stops soon and cleanly while a receiver hangs and a stream is open', () =>
      inTime(stopMsMax, async (begin) => {
        const { env } = await newDeployment(engine)
        const service = await startService(env)
        const { tenantId, receiver } = await subscribe(service)
        receiver.behaviour = () => undefined
        await createUsers(service, tenantId)
        await until('some are under way', 60_000, () => (receiver.received.length >= 5 ? true : undefined))
        const stream = await fetch(`${service.api}/tenants/${tenantId}/events/stream`)
        assert.equal(stream.status, 200)
        begin()
        const startedAt = performance.now()
        service.kill('SIGTERM')
        await stream.text().catch(() => '')
        assert.equal((await service.exit()).code, 0)
        assert.ok(performance.now() - startedAt < stopMsMax)
        assert.deepEqual(
          service.log().filter(({ level }) => level !== 'info'),
          [],
        )
      }))
  })
}
