import assert from 'node:assert/strict'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newEmptyPostgresqlDatabase } from '../../../../test/harness/databases/databases.ts'
import { freePort } from '../../../../test/harness/free-port.ts'
import { inTime } from '../../../../test/harness/in-time.ts'
import { proxyTo } from '../../../../test/nodes/database-proxy.ts'
import { counterShards } from '../counters.ts'
import { DatabaseUnavailable, type Transaction } from '../database.ts'
import { openDatabase, type OpenDatabase } from '../open.ts'
import { sql } from '../sql.ts'

const move = (id: string, by: number) => sql`UPDATE accounts SET amount = amount + ${by} WHERE id = ${id}`

describe('PostgreSQL', () => {
  let server: Awaited<ReturnType<typeof newEmptyPostgresqlDatabase>>
  let database: OpenDatabase
  before(async () => {
    server = await newEmptyPostgresqlDatabase()
    database = await openDatabase(server.options, [])
    await database.transaction(async (tx) => {
      await tx.run(sql`CREATE TABLE accounts (id TEXT PRIMARY KEY, amount BIGINT NOT NULL)`)
    })
  })
  beforeEach(async () => {
    await database.write(() => [sql`DELETE FROM accounts`])
    await database.write(() => [sql`INSERT INTO accounts VALUES ('a', 0), ('b', 0)`])
  })
  after(async () => {
    await database.close()
    await server.remove()
  })

  const amounts = async () =>
    (await database.all<{ amount: number }>(sql`SELECT amount FROM accounts ORDER BY id`)).map(({ amount }) => amount)

  it('runs the victim of a deadlock again', async () => {
    const tries: string[] = []
    const { promise: bothHold, resolve } = Promise.withResolvers<void>()
    let holding = 0
    const transfer = (from: string, to: string) =>
      database.transaction(async (tx) => {
        tries.push(from)
        await tx.run(move(from, -1))
        if (++holding === 2) resolve()
        await bothHold
        await tx.run(move(to, 1))
      })
    await Promise.all([transfer('a', 'b'), transfer('b', 'a')])
    assert.equal(tries.length, 3)
    assert.deepEqual(await amounts(), [0, 0])
  })

  it('runs a transaction that cannot be serialised again', async () => {
    let tries = 0
    await database.transaction(async (tx) => {
      tries++
      await tx.run(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`)
      const row = await tx.first<{ amount: number }>(sql`SELECT amount FROM accounts WHERE id = ${'a'}`)
      if (tries === 1) await database.write(() => [move('a', 10)])
      await tx.run(sql`UPDATE accounts SET amount = ${(row?.amount ?? 0) + 1} WHERE id = ${'a'}`)
    })
    assert.equal(tries, 2)
    assert.deepEqual(await amounts(), [11, 0])
  })

  it('gives up with 503’s error when a transaction collides every time', async () => {
    let tries = 0
    const colliding = database.transaction(async (tx) => {
      tries++
      await tx.run(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`)
      await tx.all(sql`SELECT amount FROM accounts`)
      await database.write(() => [move('a', 10)])
      await tx.run(move('a', 1))
    })
    await assert.rejects(colliding, DatabaseUnavailable)
    assert.equal(tries, 6)
    assert.deepEqual(await amounts(), [60, 0])
  })

  it('gives connections that are in use at the same time different shards', async () => {
    // Ten writers at once: the other connections are left to reads.
    const large = await openDatabase({ ...server.options, poolSize: 13 }, [])
    const { promise: all, resolve } = Promise.withResolvers<void>()
    const shards: number[] = []
    await Promise.all(
      Array.from({ length: 10 }, () =>
        large.transaction(async (tx) => {
          shards.push(tx.shard)
          if (shards.length === 10) resolve()
          await all
        }),
      ),
    )
    await large.close()
    assert.equal(new Set(shards).size, 10)
    assert.ok(shards.every((shard) => Number.isInteger(shard) && shard >= 0 && shard < counterShards))
  })

  it('does not wait for ever for a lock, a slow statement or a free connection', async () => {
    const small = await openDatabase({ ...server.options, poolSize: 1 }, [])
    try {
      await database.transaction(async (tx) => {
        await tx.run(move('a', 1))
        await assert.rejects(
          small.write(() => [move('a', 1)]),
          DatabaseUnavailable,
        )
      })
      // PostgreSQL ends the first after five seconds; the other waits two for the connection that the first has. On a busy machine the order of
      // events that are a few milliseconds apart would be open.
      const results = await Promise.allSettled([small.first(sql`SELECT pg_sleep(30)`), small.first(sql`SELECT 1`)])
      for (const result of results) {
        assert.equal(result.status, 'rejected')
        assert.ok(result.reason instanceof DatabaseUnavailable)
      }
      assert.deepEqual(await amounts(), [1, 0])
    } finally {
      await small.close()
    }
  })

  it('rejects when a statement fails that was not awaited', async () => {
    const careless = database.transaction(async (tx) => {
      await tx.run(move('a', 1))
      void tx.run(sql`INSERT INTO accounts VALUES ('b', 0)`).catch(() => undefined)
    })
    await assert.rejects(careless, { constraint: 'accounts_pkey' })
    assert.deepEqual(await amounts(), [0, 0])
  })

  it('closes even while a connection is being opened that is no longer needed', async () => {
    const closing = await openDatabase(server.options, [])
    const look = () => closing.all(sql`SELECT 1 AS one`)
    await look()
    // Callers without a free connection take turns on the first, which is faster than opening another.
    await Promise.all(Array.from({ length: 4 }, look))
    await closing.close()
  })

  it('re-throws class 22 errors as they are, and the connection stays usable', async () => {
    await assert.rejects(database.first(sql`SELECT id FROM accounts WHERE id = ${'\0'}`), { code: '22021' })
    await assert.rejects(
      database.transaction((tx) => tx.all(sql`SELECT amount FROM accounts WHERE amount = ${'junk'}`)),
      { code: '22P02' },
    )
    assert.deepEqual(await amounts(), [0, 0])
  })

  it('is unavailable for writes while the server’s disk is full, answers reads, and takes writes once there is room', async () => {
    // The server’s own error for a full disk, over a connection that stays open.
    await database.write(() => [
      sql`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$`,
    ])
    await database.write(() => [
      sql`CREATE TRIGGER full_disk BEFORE UPDATE ON accounts FOR EACH ROW EXECUTE FUNCTION refuse()`,
    ])
    await assert.rejects(
      database.write(() => [move('a', 1)]),
      DatabaseUnavailable,
    )
    await assert.rejects(
      database.transaction((tx) => tx.run(move('b', 1))),
      DatabaseUnavailable,
    )
    assert.deepEqual(await amounts(), [0, 0])
    await database.write(() => [sql`DROP TRIGGER full_disk ON accounts`])
    await database.write(() => [move('a', 1)])
    assert.deepEqual(await amounts(), [1, 0])
  })

  it('loses a transaction whose connection is ended, and works on another', async () => {
    const cut = database.transaction(async (tx) => {
      await tx.run(move('a', 1))
      const row = await tx.first<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`)
      await database.first(sql`SELECT pg_terminate_backend(${row?.pid ?? 0}::int)`)
      await tx.run(move('b', 1))
    })
    await assert.rejects(cut, DatabaseUnavailable)
    assert.deepEqual(await amounts(), [0, 0])
  })

  it('waits for the disk at every commit but that of a provisional write', async () => {
    // The setting as it is when the transaction commits, where the server reads it.
    await database.transaction(async (tx) => {
      await tx.run(sql`CREATE TABLE commits (id BIGSERIAL, waits TEXT NOT NULL)`)
      await tx.run(sql`CREATE FUNCTION note_commit() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO commits (waits) VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$`)
      await tx.run(sql`CREATE CONSTRAINT TRIGGER noted AFTER UPDATE ON accounts DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION note_commit()`)
      // The servers of tests have it off.
      await tx.run(
        sql`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = on', current_database()); END $$`,
      )
    })
    const durable = await openDatabase(server.options, [])
    try {
      assert.equal(await durable.write(() => [move('a', 1)], { isProvisional: true }), 1)
      assert.equal(await durable.write(() => [move('a', 1), move('b', 1)], { isProvisional: true }), 1)
      assert.equal(await durable.write(() => [move('a', 1)]), 1)
      await durable.transaction(async (tx) => {
        await tx.run(move('a', 1))
      })
      const noted = await durable.all<{ waits: string }>(sql`SELECT waits FROM commits ORDER BY id`)
      assert.deepEqual(
        noted.map(({ waits }) => waits),
        ['off', 'off', 'off', 'on', 'on'],
      )
    } finally {
      await durable.close()
      await database.transaction(async (tx) => {
        await tx.run(sql`DROP TRIGGER noted ON accounts`)
      })
    }
  })

  it('recovers when a prepared statement’s columns change', async () => {
    const single = await openDatabase({ ...server.options, poolSize: 1 }, [])
    const select = () => single.all(sql`SELECT * FROM changing`)
    await single.transaction((tx) => tx.run(sql`CREATE TABLE changing (id TEXT)`))
    await select()
    await single.transaction((tx) => tx.run(sql`ALTER TABLE changing ADD COLUMN name TEXT`))
    await assert.rejects(select(), { code: '0A000' })
    assert.deepEqual(await select(), [])
    await single.close()
  })

  it('hears notifications, also after its connection was cut', async () => {
    const heard: string[] = []
    let reconnected = 0
    assert.ok(database.listen)
    const listening = await database.listen(
      'changes',
      (payload) => heard.push(payload),
      () => reconnected++,
    )
    const notify = (payload: string) => database.first(sql`SELECT pg_notify('changes', ${payload})`)
    await notify('one')
    await until(() => heard.length === 1)
    await database.all(sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'LISTEN changes'`)
    await until(() => reconnected === 1)
    await notify('two')
    await until(() => heard.length === 2)
    await listening.stop()
    assert.deepEqual(heard, ['one', 'two'])
  })
})

describe('PostgreSQL when it is away', () => {
  it('is unavailable, for every verb', async () => {
    const port = await freePort()
    const database = await openDatabase({ kind: 'postgresql', url: `postgresql://nobody@127.0.0.1:${port}/none` }, [])
    await assert.rejects(database.first(sql`SELECT 1`), DatabaseUnavailable)
    await assert.rejects(
      database.write(() => [sql`DELETE FROM accounts`]),
      DatabaseUnavailable,
    )
    await assert.rejects(
      database.transaction(async () => 1),
      DatabaseUnavailable,
    )
    await assert.rejects(database.check(), DatabaseUnavailable)
    await assert.rejects(database.migrate(), DatabaseUnavailable)
    await assert.rejects(async () => database.listen?.('changes', () => undefined), DatabaseUnavailable)
    await database.close()
    await assert.rejects(database.first(sql`SELECT 1`), DatabaseUnavailable)
  })

  const unavailableMsMax = 6000
  it('is unavailable within seconds when a server accepts and never answers', async () => {
    const sockets = new Set<Socket>()
    const silent = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1')
    await new Promise((resolve) => silent.once('listening', resolve))
    const { port } = silent.address() as AddressInfo
    const database = await openDatabase({ kind: 'postgresql', url: `postgresql://nobody@127.0.0.1:${port}/none` }, [])
    try {
      await inTime(unavailableMsMax, async () => {
        const startedAt = performance.now()
        await assert.rejects(database.first(sql`SELECT 1`), DatabaseUnavailable)
        assert.ok(performance.now() - startedAt < unavailableMsMax)
      })
    } finally {
      await database.close()
      for (const socket of sockets) socket.destroy()
      silent.close()
    }
  })

  it('works on the connections it has where the server has no more, and opens others once there are', async () => {
    const server = await newEmptyPostgresqlDatabase()
    const proxy = await crowdedProxy(server.options.url, 2)
    const database = await openDatabase({ kind: 'postgresql', url: proxy.url, poolSize: 8 }, [])
    const backends = async () => {
      const statement = sql`SELECT pg_backend_pid() AS pid, pg_sleep(0.05)`
      const rows = await Promise.all(Array.from({ length: 24 }, () => database.first<{ pid: number }>(statement)))
      return new Set(rows.map((row) => row?.pid)).size
    }
    try {
      await database.first(sql`SELECT 1`)
      assert.equal(await backends(), 2)
      const refused = proxy.refused()
      assert.ok(refused > 0 && refused < 16, `${refused} connections were asked for in vain`)
      proxy.allow(100)
      await until(async () => (await backends()) === 8)
    } finally {
      await database.close()
      await proxy.close()
      await server.remove()
    }
  })

  it('is unavailable where the server has no connection at all', async () => {
    const server = await newEmptyPostgresqlDatabase()
    const proxy = await crowdedProxy(server.options.url, 0)
    const database = await openDatabase({ kind: 'postgresql', url: proxy.url }, [])
    try {
      await assert.rejects(database.first(sql`SELECT 1`), DatabaseUnavailable)
    } finally {
      await database.close()
      await proxy.close()
      await server.remove()
    }
  })

  for (const isLast of [false, true]) {
    const which = isLast ? 'whose last statements and COMMIT were' : 'whose COMMIT was'
    it(`rejects, and does not repeat, a transaction ${which} not answered`, async () => {
      const server = await newEmptyPostgresqlDatabase()
      const direct = await openDatabase(server.options, [])
      await direct.transaction((tx) => tx.run(sql`CREATE TABLE accounts (id TEXT PRIMARY KEY)`))
      const proxy = await cuttingProxy(server.options.url, 'COMMIT\0')
      const database = await openDatabase({ kind: 'postgresql', url: proxy.url }, [])
      let tries = 0
      const body = async (tx: Transaction) => {
        const insertion = sql`INSERT INTO accounts VALUES (${`try ${++tries}`})`
        if (isLast) tx.runLast([insertion])
        else await tx.run(insertion)
      }
      try {
        await assert.rejects(database.transaction(body), (error) => {
          assert.ok(error instanceof DatabaseUnavailable)
          assert.match(error.message, /may have taken effect/)
          return true
        })
        assert.equal(tries, 1)
        await until(async () => (await direct.all(sql`SELECT id FROM accounts`)).length === 1)
      } finally {
        await database.close()
        await direct.close()
        await proxy.close()
        await server.remove()
      }
    })
  }
})

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < 200; waited++) {
    if (await condition()) return
    await sleep(25)
  }
  assert.fail('it did not happen within five seconds')
}

/** Passes bytes on to the server, and disconnects the client once it has sent `word`, which the server still receives. */
function cuttingProxy(serverUrl: string, word: string) {
  return proxyTo(serverUrl, (client, connectUpstream) => {
    const upstream = connectUpstream()
    client.on('data', (chunk) => {
      upstream.write(chunk, () => {
        if (!chunk.includes(word)) return
        client.destroy()
        upstream.end()
      })
    })
  })
}

/** Passes on up to this many connections at once, and refuses others like a server that has reached its maximum. */
async function crowdedProxy(serverUrl: string, allowed: number) {
  const fields = ['SFATAL', 'VFATAL', 'C53300', 'Msorry, too many clients already', '']
  const body = Buffer.from(`${fields.join('\0')}\0`)
  const refusal = Buffer.concat([Buffer.from('E\0\0\0\0'), body])
  refusal.writeInt32BE(body.length + 4, 1)
  let open = 0
  let max = allowed
  let refused = 0
  const proxy = await proxyTo(serverUrl, (client, connectUpstream) => {
    if (open >= max) {
      refused++
      client.once('data', () => client.end(refusal))
      return
    }
    open++
    client.once('close', () => open--)
    const upstream = connectUpstream()
    client.on('data', (chunk) => upstream.write(chunk))
    client.once('end', () => upstream.end())
  })
  return { ...proxy, refused: () => refused, allow: (count: number) => (max = count) }
}
