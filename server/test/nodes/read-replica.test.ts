// Lists are read from a standby. Both servers are real and belong to this test: replay is paused, and the standby is killed and promoted.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { Secret } from '../../src/platform/crypto/secret.ts'
import { openDatabase, openStandby } from '../../src/platform/db/open.ts'
import { ReadReplica, type ReplicaState, withReplica } from '../../src/platform/db/postgresql/read-replica.ts'
import { checkReplica } from '../../src/service/checks/replica.ts'
import { type TestService, startTestService, testEnv } from '../harness/service.ts'
import { type PostgresPair, askServer, startPostgresPair } from './postgres-pair.ts'

const waitMsMax = 60_000

interface Node {
  readonly service: TestService
  readonly replica: ReadReplica
}

describe('a replica of PostgreSQL', () => {
  let pair: PostgresPair
  let nodes: readonly Node[] = []
  let tenantId: string
  const ends: (() => unknown)[] = []

  async function startNode(): Promise<Node> {
    const database = await openDatabase({ kind: 'postgresql', url: pair.primary.url, poolSize: 4 })
    ends.push(() => database.close())
    await database.migrate()
    const replica = new ReadReplica(database, await openStandby(pair.standby.url, 4), pino({ level: 'silent' }))
    const service = await startTestService(database, testEnv, () => ({ db: withReplica(database, replica) }))
    ends.push(
      () => service.app.close(),
      () => replica.close(),
    )
    await replica.start()
    return { service, replica }
  }

  before(async () => {
    pair = await startPostgresPair()
    ends.push(() => pair.stop())
    nodes = [await startNode(), await startNode()]
    const tenant = await nodes[0]?.service.ok<{ id: string }>('createTenant', {
      body: { name: 'Listed', environment: 'staging' },
    })
    tenantId = tenant?.id ?? ''
  })
  after(async () => {
    for (const end of ends.toReversed()) await end()
  })

  async function untilEachIs(state: ReplicaState) {
    const deadline = performance.now() + waitMsMax
    while (nodes.some(({ replica }) => replica.state !== state)) {
      assert.ok(performance.now() < deadline, `waited in vain until the replica is ${state}`)
      await sleep(20)
    }
  }

  let users = 0
  /** Creates a user at one node and finds it at once in the lists of both. */
  async function createAndList(at: number) {
    const email = `user${++users}@example.com`
    await nodes[at]?.service.ok('createUser', { body: { tenantId, email } })
    for (const { service } of nodes) {
      const { data } = await service.ok<{ data: { primaryEmail: string }[] }>('listUsers', { query: { tenantId } })
      assert.equal(data.length, users)
      assert.ok(JSON.stringify(data[0]).includes(email))
      assert.equal((await service.ok<unknown[]>('exportUsers', { query: { tenantId } })).length, users)
    }
  }

  const totals = () =>
    nodes.map(({ replica: { reads } }) => ({ fromReplica: reads.replica, fromPrimary: reads.behind + reads.away }))

  async function finding() {
    const opened = await openDatabase({ kind: 'postgresql', url: pair.primary.url, poolSize: 1 })
    ends.push(() => opened.close())
    return checkReplica(opened, { databaseReplicaUrl: new Secret(pair.standby.url) })
  }

  /** Lists go to the standby again, at the latest after the next looks at it. */
  async function assertReplicaIsUsed() {
    await untilEachIs('usable')
    const deadline = performance.now() + waitMsMax
    const earlier = totals()
    while (totals().some(({ fromReplica }, index) => fromReplica === earlier[index]?.fromReplica)) {
      assert.ok(performance.now() < deadline, 'the replica is never used')
      await createAndList(0)
    }
  }

  it('answers lists and exports with what was written before, but nothing else', async () => {
    await assertReplicaIsUsed()
    assert.equal((await finding()).status, 'ok')
    const earlier = totals()
    const { body } = (await nodes[0]?.service.call('createUser', { body: { tenantId } })) ?? {}
    users++
    await nodes[0]?.service.ok('getUser', { params: { id: String(body?.['id']) } })
    assert.deepEqual(totals(), earlier)
  })

  it('hides no acknowledged change on either node while its replay is paused', async () => {
    await untilEachIs('usable')
    await askServer(pair.standby.url, 'SELECT pg_wal_replay_pause()')
    for (let paused = false; !paused; await sleep(10)) {
      const [row] = await askServer(pair.standby.url, 'SELECT pg_get_wal_replay_pause_state() AS state')
      paused = row?.['state'] === 'paused'
    }
    const earlier = totals()
    for (const at of [0, 1, 0]) await createAndList(at)
    await untilEachIs('behind')
    for (const [index, { fromPrimary }] of totals().entries())
      assert.ok(fromPrimary > (earlier[index]?.fromPrimary ?? 0))
    const { status, detail } = await finding()
    assert.equal(status, 'warn')
    assert.match(detail, /^it lacks \d+ bytes/)
    await askServer(pair.standby.url, 'SELECT pg_wal_replay_resume()')
    await assertReplicaIsUsed()
  })

  it('fails no list when it is killed, and is used again once it is back', async () => {
    await untilEachIs('usable')
    await pair.standby.kill()
    await createAndList(1)
    await untilEachIs('away')
    await createAndList(0)
    assert.match((await finding()).detail, /^it cannot be used: /)
    await pair.standby.restart()
    await assertReplicaIsUsed()
  })

  it('is not used once it has been promoted, since it is then another database', async () => {
    await untilEachIs('usable')
    await pair.standby.promote()
    await createAndList(0)
    await untilEachIs('away')
    await createAndList(1)
  })
})
