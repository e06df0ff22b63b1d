// A coordinator and two workers: what is committed on several servers, shards that move while they are used, and servers that are killed.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client } from 'pg'
import { type PrivateCitus, addCitus, startPrivateCitus } from '../../../scripts/private-citus.ts'
import { createClock } from '../../src/platform/clock.ts'
import { createPersonalSealer } from '../../src/platform/crypto/personal.ts'
import { type OpenDatabase, openDatabase } from '../../src/platform/db/open.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { eventStatement } from '../../src/platform/events/append.ts'
import { cursorOf, feedEnd, readFeed } from '../../src/platform/events/feed.ts'
import { sealAll } from '../../src/platform/events/sealer.ts'
import { verifyEventLog } from '../../src/platform/events/verify.ts'
import { type TenantId, newId } from '../../src/platform/ids.ts'
import { checkSharding } from '../../src/service/checks/sharding.ts'
import { shardedTables } from '../../src/service/deployment/layout.ts'
import { createTenant } from '../harness/factories.ts'
import { type TestService, startTestService } from '../harness/service.ts'
import { startLoad } from './load.ts'

const clock = createClock()
const personal = createPersonalSealer([{ id: 'test', key: new Uint8Array(32) }])
const actor = { type: 'system', id: null, ip: null, ua: null } as const

describe('a database on two workers', () => {
  let cluster: PrivateCitus
  let db: OpenDatabase
  let service: TestService
  const clients: Client[] = []

  const connect = async (url: string) => {
    const client = new Client(url)
    client.on('error', () => undefined)
    await client.connect()
    clients.push(client)
    return client
  }
  const ask = async (client: Client, statement: string, values: readonly unknown[] = []) =>
    (await client.query<Record<string, string>>(statement, [...values])).rows

  before(async () => {
    cluster = await startPrivateCitus({ workerCount: 2, shards: 4 })
    await addCitus(cluster.url, { workers: cluster.workers })
    db = await openDatabase({ kind: 'postgresql', url: cluster.url })
    await db.migrate()
    await db.distribute?.(shardedTables())
    service = await startTestService(db)
  })
  after(async () => {
    for (const client of clients) await client.end().catch(() => undefined)
    await service.app.close()
    await db.close()
    await cluster.stop()
  })

  const write = (tenantId: TenantId, subjectId: string) =>
    db.write(() => [eventStatement(clock, personal, { tenantId, type: 'user.unlocked', actor, subjectId, data: {} })])

  /** Returns the shard of a tenant's events and a connection to its worker. */
  async function findShard(client: Client, tenantId: string) {
    const [row] = await ask(
      client,
      `SELECT s.shardid, n.nodename, n.groupid FROM pg_dist_placement s JOIN pg_dist_node n USING (groupid)
        WHERE s.shardid = get_shard_id_for_distribution_column('events', $1::text)`,
      [tenantId],
    )
    const worker = cluster.workers.find(({ url }) => new URL(url).searchParams.get('host') === row?.['nodename'])
    return { shard: row?.['shardid'] ?? '', groupId: row?.['groupid'] ?? '', worker: await connect(worker?.url ?? '') }
  }

  it('gives readers of the log an event in its place that was left uncommitted on its worker', async () => {
    const coordinator = await connect(cluster.url)
    const tenantId = newId<'TenantId'>()
    const { shard, groupId, worker } = await findShard(coordinator, tenantId)
    const start = await feedEnd(db)
    const gid = `citus_0_1_${2n ** 60n}_1`
    // What Citus leaves when the worker is lost between the two phases of a commit.
    await coordinator.query('BEGIN')
    const [own] = await ask(coordinator, 'SELECT pg_current_xact_id()::text AS id')
    await coordinator.query('INSERT INTO pg_dist_transaction (groupid, gid) VALUES ($1, $2)', [groupId, gid])
    await worker.query('BEGIN')
    await worker.query(
      `INSERT INTO events_${shard} (position, transaction_id, tenant_id, id, type, actor_type, subject_type, subject_id, data, created_at)
        OVERRIDING SYSTEM VALUE VALUES (999999, $1::text::xid8, $2, $3, 'user.unlocked', 'system', 'user', 'held', '{}', $4)`,
      [own?.['id'], tenantId, newId(), clock.next()],
    )
    await worker.query(`PREPARE TRANSACTION '${gid}'`)
    await coordinator.query('COMMIT')
    await write(tenantId, 'later')
    const seen: string[] = []
    for (let cursor = start, tries = 0; tries < 20 && seen.length < 2; tries++) {
      const rows = await readFeed(db, cursor, 10)
      for (const row of rows) if (row.tenant_id === tenantId) seen.push(row.subject_id)
      cursor = cursorOf(rows.at(-1) ?? { transaction_id: cursor.transactionId, position: cursor.position })
    }
    assert.deepEqual(seen, ['held', 'later'])
  })

  it('writes several servers at once or not at all', async () => {
    const tenants = [newId<'TenantId'>(), newId<'TenantId'>(), newId<'TenantId'>(), newId<'TenantId'>()]
    const rows = () =>
      db.all<{ tenant_id: string }>(
        sql`SELECT tenant_id FROM counters WHERE name = 'of a test' ORDER BY tenant_id LIMIT 100`,
      )
    const add = (fails: boolean) =>
      db.transaction(async (tx) => {
        for (const tenantId of tenants) await tx.run(sql`INSERT INTO counters VALUES (${tenantId}, 'of a test', 0, 1)`)
        await tx.run(sql`INSERT INTO cache_invalidations (tenant_id) VALUES (${tenants[0] ?? ''})`)
        await tx.run(sql`INSERT INTO deployment (name, value) VALUES ('of a test', 'one')`)
        if (fails) throw new Error('after all of it')
      })
    await assert.rejects(add(true), /after all of it/)
    assert.deepEqual(await rows(), [])
    await add(false)
    assert.equal((await rows()).length, tenants.length)
    await assert.rejects(add(false), /refused the row/)
  })

  /** Fails on a tenant whose users, their events and their counter differ, and on a user that was acknowledged and is gone. */
  async function assertWholeAndKept(created: ReadonlyMap<string, string>) {
    for (const [tenantId, users] of Map.groupBy(created, ([, each]) => each)) {
      const row = await db.first<Record<string, number>>(sql`SELECT
        (SELECT count(*) FROM users WHERE tenant_id = ${tenantId}) AS users,
        (SELECT count(*) FROM events WHERE tenant_id = ${tenantId} AND type = 'user.created') AS events,
        (SELECT CAST(SUM(value) AS BIGINT) FROM counters WHERE tenant_id = ${tenantId} AND name = 'users') AS counted`)
      assert.deepEqual([row?.['events'], row?.['counted']], [row?.['users'], row?.['users']])
      for (const [id] of users) {
        const found = await db.first(sql`SELECT 1 AS one FROM users WHERE tenant_id = ${tenantId} AND id = ${id}`)
        assert.ok(found !== undefined, `the user ${id} is gone`)
      }
      await sealAll(service.deps)
      assert.deepEqual((await verifyEventLog(service.deps, tenantId as TenantId)).problems, [])
    }
  }

  it('loses nothing, and answers 503 at worst, while a tenant gets a shard of its own, and that moves to the other worker', async () => {
    const coordinator = await connect(cluster.url)
    const tenants = [await createTenant(service), await createTenant(service), await createTenant(service)]
    const ids = tenants.map(({ tenant }) => tenant.id)
    const load = startLoad(service, ids)
    await load.until(60)
    const [isolated] = await ask(
      coordinator,
      `SELECT isolate_tenant_to_new_shard('users', $1::text, 'CASCADE', shard_transfer_mode => 'block_writes') AS shard`,
      [ids[0]],
    )
    const [from] = await ask(
      coordinator,
      `SELECT n.nodename FROM pg_dist_placement p JOIN pg_dist_node n USING (groupid) WHERE p.shardid = $1`,
      [isolated?.['shard']],
    )
    const other = cluster.workers.find(({ url }) => new URL(url).searchParams.get('host') !== from?.['nodename'])
    await ask(
      coordinator,
      `SELECT citus_move_shard_placement($1, $2, 5432, $3, 5432, shard_transfer_mode => 'force_logical')`,
      [isolated?.['shard'], from?.['nodename'], new URL(other?.url ?? '').searchParams.get('host')],
    )
    await load.until(load.created.size + 60)
    await load.stop()
    assert.deepEqual(load.failures, [])
    await assertWholeAndKept(load.created)
  })

  it('loses nothing that was acknowledged when a worker, and then the coordinator, is killed', async () => {
    const ids = [await createTenant(service), await createTenant(service), await createTenant(service)].map(
      ({ tenant }) => tenant.id,
    )
    const load = startLoad(service, ids)
    await load.until(60)
    for (const server of [cluster.workers[0], cluster.coordinator]) {
      await server?.kill()
      await load.untilUnavailable(10)
      await server?.restart()
      await load.until(load.created.size + 60)
    }
    await load.stop()
    assert.deepEqual(load.failures, [])
    await assertWholeAndKept(load.created)
  })

  it('is checked by doctor: tables in their places, workers that answer, errors in the log, and a right that spares events a wait', async () => {
    const coordinator = await connect(cluster.url)
    assert.equal((await checkSharding(db)).status, 'ok')
    await ask(coordinator, 'CREATE ROLE another LOGIN')
    await ask(coordinator, 'GRANT SELECT ON deployment TO another')
    const url = new URL(cluster.url)
    url.username = 'another'
    const other = await openDatabase({ kind: 'postgresql', url: url.href })
    try {
      const { status, hint } = await checkSharding(other)
      assert.deepEqual(
        [status, hint],
        ['warn', 'on the coordinator, GRANT EXECUTE ON FUNCTION recover_prepared_transactions() TO another'],
      )
      await ask(coordinator, 'GRANT EXECUTE ON FUNCTION recover_prepared_transactions() TO another')
      assert.equal((await checkSharding(other)).status, 'ok')
    } finally {
      await other.close()
    }
    await ask(coordinator, `ALTER ROLE another SET log_min_messages = 'fatal'`)
    const quiet = await openDatabase({ kind: 'postgresql', url: url.href })
    const unlogged = await checkSharding(quiet)
    await quiet.close()
    assert.match(`${unlogged.status} ${unlogged.hint}`, /^warn .* log_min_messages/)
    await cluster.workers[0]?.kill()
    const lost = await checkSharding(db)
    await cluster.workers[0]?.restart()
    assert.match(`${lost.status} ${lost.detail}`, /^fail not reached: /)
    // The coordinator's process for the other connection has lost its own to the worker, and only finds out by using it.
    const later = await connect(cluster.url)
    await ask(later, `INSERT INTO deployment (name, value) VALUES ('sharding.foreign_keys', '[]')`)
    assert.equal((await checkSharding(db)).hint, 'stop all nodes and run bailiwick distribute')
    await ask(later, `DELETE FROM deployment WHERE name = 'sharding.foreign_keys'`)
  })
})
