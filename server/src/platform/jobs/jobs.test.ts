import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { createClock } from '../clock.ts'
import { type OpenDatabase, openDatabase } from '../db/open.ts'
import { sql } from '../db/sql.ts'
import { newId } from '../ids.ts'
import { Meter } from '../telemetry/meter.ts'
import { type Job, type JobHandler, JobRefused, jobStatement } from './jobs.ts'
import { createJobRunner, startJobs } from './runner.ts'

const tenantId = newId<'TenantId'>()
const log = pino({ level: 'silent' })
const hourMs = 60 * 60 * 1000

interface StoredJob {
  readonly key: string
  readonly attempts: number
  readonly last_error: string | null
  readonly dead_at: string | null
  readonly run_at: string
}

describeOnEachEngine('jobs', (open) => {
  let db: OpenDatabase
  let other: OpenDatabase
  let aheadMs = 0
  const clock = createClock(() => Date.now() + aheadMs)
  before(async () => {
    const opened = await open()
    db = opened.database
    // On PostgreSQL a second connection pool stands for another node; SQLite has one process.
    other = opened.engine === 'sqlite' ? db : await openDatabase(opened.options)
  })

  const kindOf = () => `test.${newId()}`
  const add = (kind: string, key?: string, payload?: unknown) =>
    db.write(() => [jobStatement(clock, { tenantId, kind, payload, ...(key === undefined ? {} : { key }) })])
  const stored = (kind: string) =>
    db.all<StoredJob>(sql`SELECT key, attempts, last_error, dead_at, run_at FROM jobs WHERE kind = ${kind} LIMIT 100`)
  /** A runner for this kind only, which leaves the other tests' jobs alone. */
  const runnerOf = (kind: string, run: JobHandler['run'], options: { failuresMax?: number; leaseMs?: number } = {}) => {
    const { leaseMs, ...handler } = options
    const deps = { db, clock, log, meter: new Meter() }
    return createJobRunner(deps, { [kind]: { run, ...handler } }, leaseMs === undefined ? {} : { leaseMs })
  }
  const runAll = async (runner: ReturnType<typeof createJobRunner>) => {
    while ((await runner.claim()) > 0) await runner.idle()
  }

  it('run once with their payload, and are gone when they are done', async () => {
    const kind = kindOf()
    const ran: Job[] = []
    await add(kind, 'one', { to: 'a' })
    await runAll(
      runnerOf(kind, async (job) => {
        ran.push(job)
        return 'done'
      }),
    )
    assert.deepEqual(ran, [{ tenantId, kind, key: 'one', payload: { to: 'a' } }])
    assert.deepEqual(await stored(kind), [])
  })

  it('do not exist if their transaction is rolled back', async () => {
    const kind = kindOf()
    const writing = db.transaction(async (tx) => {
      await tx.run(jobStatement(clock, { tenantId, kind }))
      throw new Error('rolled back')
    })
    await assert.rejects(writing, /rolled back/)
    assert.deepEqual(await stored(kind), [])
  })

  it('are tried again after failures, with growing delays, and set aside with the reason after the last one', async () => {
    const kind = kindOf()
    let runs = 0
    const runner = runnerOf(
      kind,
      async () => {
        runs++
        throw new Error(`no luck ${runs}`)
      },
      { failuresMax: 3 },
    )
    await add(kind)
    let waitedMs = 0
    for (let failures = 1; failures < 3; failures++) {
      const at = Date.now() + aheadMs
      await runAll(runner)
      assert.equal(runs, failures, 'it does not run again before its time')
      const [job] = await stored(kind)
      assert.equal(job?.attempts, failures)
      assert.equal(job?.last_error, `no luck ${failures}`)
      const waitMs = Date.parse(job?.run_at ?? '') - at
      assert.ok(waitMs > waitedMs, 'longer than before')
      waitedMs = waitMs / 3
      aheadMs += hourMs
    }
    await runAll(runner)
    aheadMs += 1000 * hourMs
    await runAll(runner)
    const [dead] = await stored(kind)
    assert.equal(runs, 3)
    assert.notEqual(dead?.dead_at, null)
    assert.equal(dead?.last_error, 'no luck 3')
  })

  it('are set aside at once if they are refused or have no handler', async () => {
    const kind = kindOf()
    await add(kind)
    await runAll(runnerOf(kind, () => Promise.reject(new JobRefused('makes no sense'))))
    assert.equal((await stored(kind))[0]?.last_error, 'makes no sense')
    const unknown = kindOf()
    await add(unknown)
    await runAll(runnerOf(kind, async () => 'done'))
    assert.match((await stored(unknown))[0]?.last_error ?? '', /nothing here does jobs of kind/)
  })

  it('with the same key are one job, which the second request brings forward', async () => {
    const kind = kindOf()
    let runs = 0
    const later = clock.now()
    const runner = runnerOf(kind, async () => {
      runs++
      return runs === 1 ? { againAt: `9${later.slice(1)}` as typeof later } : 'done'
    })
    await add(kind, 'one')
    await runAll(runner)
    assert.equal(runs, 1)
    await add(kind, 'one')
    assert.equal((await stored(kind)).length, 1)
    await runAll(runner)
    assert.equal(runs, 2)
  })

  it('run once more if they are requested while they run, so that nothing written meanwhile is overlooked', async () => {
    const kind = kindOf()
    let runs = 0
    const runner = runnerOf(kind, async () => {
      runs++
      if (runs === 1) await add(kind, 'one')
      return 'done'
    })
    await add(kind, 'one')
    await runAll(runner)
    assert.equal(runs, 2)
    assert.deepEqual(await stored(kind), [])
  })

  it('are all run by two nodes, and never by both at the same time', async () => {
    const kind = kindOf()
    const runs = new Map<string, number>()
    const run = async (job: Job) => {
      runs.set(job.key, (runs.get(job.key) ?? 0) + 1)
      return 'done' as const
    }
    for (let index = 0; index < 60; index++) await add(kind, `job ${index}`)
    const runners = [db, other].map((each) =>
      createJobRunner({ db: each, clock, log, meter: new Meter() }, { [kind]: { run } }),
    )
    await Promise.all(runners.map(runAll))
    await Promise.all(runners.map(runAll))
    assert.equal(runs.size, 60)
    assert.deepEqual(new Set(runs.values()), new Set([1]))
  })

  it('of a dead node are taken over once their lease is over, and the dead node can no longer end them', async () => {
    const kind = kindOf()
    let finish: (() => void) | undefined
    const stuck = runnerOf(
      kind,
      () =>
        new Promise((resolve) => {
          finish = () => resolve('done')
        }),
      { leaseMs: hourMs / 12 },
    )
    await add(kind, 'one')
    assert.equal(await stuck.claim(), 1)
    let runs = 0
    const heir = runnerOf(kind, async () => {
      runs++
      return { againAt: `9${clock.now().slice(1)}` as ReturnType<typeof clock.now> }
    })
    await runAll(heir)
    assert.equal(runs, 0, 'the lease holds')
    aheadMs += 11 * hourMs
    await runAll(heir)
    assert.equal(runs, 1)
    finish?.()
    await stuck.idle()
    assert.equal((await stored(kind)).length, 1, 'the late end of the first run did not remove what the second decided')
    await db.write(() => [sql`DELETE FROM jobs WHERE kind = ${kind}`])
  })

  /** Leaves a job's run without a result, as a process does that is killed or answers nothing any more. */
  async function loseRun(kind: string): Promise<number> {
    const claimed = await runnerOf(kind, () => new Promise(() => {}), { leaseMs: hourMs / 12 }).claim()
    aheadMs += hourMs
    return claimed
  }

  it('are given up after five runs without a result, and then tried once for each further order', async () => {
    const kind = kindOf()
    await add(kind, 'one')
    for (let run = 0; run < 5; run++) assert.equal(await loseRun(kind), 1)
    let runs = 0
    const heir = runnerOf(kind, async () => {
      runs++
      return 'done'
    })
    await runAll(heir)
    assert.equal(runs, 0)
    const [lost] = await stored(kind)
    assert.notEqual(lost?.dead_at, null)
    assert.equal(lost?.last_error, '5 runs ended without a result')
    await add(kind, 'one')
    assert.equal(await loseRun(kind), 1)
    await runAll(heir)
    assert.equal(runs, 0)
    await add(kind, 'one')
    await runAll(heir)
    assert.deepEqual([runs, await stored(kind)], [1, []])
  })

  it('are not given up because they were beside one that ends its process', async () => {
    const kind = kindOf()
    for (const key of ['poison', 'a', 'b']) await add(kind, key)
    const done = new Set<string>()
    // Each round is a process that dies as soon as it runs the poison.
    for (let round = 0; round < 20; round++) {
      const died = Promise.withResolvers<void>()
      const runner = runnerOf(
        kind,
        async ({ key }) => {
          if (key === 'poison') died.resolve()
          if (round === 0 || key === 'poison') return new Promise(() => {})
          done.add(key)
          return 'done'
        },
        { leaseMs: hourMs / 12 },
      )
      while ((await runner.claim()) > 0) await Promise.race([died.promise, runner.idle()])
      aheadMs += hourMs
    }
    assert.deepEqual([...done].toSorted(), ['a', 'b'])
    assert.deepEqual(
      (await stored(kind)).map(({ key, dead_at: deadAt }) => [key, deadAt !== null]),
      [['poison', true]],
    )
    await db.write(() => [sql`DELETE FROM jobs WHERE kind = ${kind}`])
  })

  // Regression: on PostgreSQL a sign-in code or a webhook waited for a minute after its node was killed.
  it('of a dead node wait 6 seconds at most', async () => {
    const kind = kindOf()
    let finish: (() => void) | undefined
    const dead = runnerOf(kind, () => new Promise((resolve) => (finish = () => resolve('done'))))
    await add(kind)
    assert.equal(await dead.claim(), 1)
    // Within one millisecond, the microseconds of two times are in no order.
    const leasedAt = Date.now()
    while (Date.now() === leasedAt) await new Promise((resolve) => void setImmediate(resolve))
    aheadMs += 6000
    let runs = 0
    await runAll(
      runnerOf(kind, async () => {
        runs++
        return 'done'
      }),
    )
    assert.equal(runs, 1)
    finish?.()
    await dead.idle()
  })

  it('that run long keep their lease by renewing it', async () => {
    const kind = kindOf()
    let finish: (() => void) | undefined
    const runner = runnerOf(
      kind,
      () =>
        new Promise((resolve) => {
          finish = () => resolve('done')
        }),
      { leaseMs: 300 },
    )
    await add(kind)
    await runner.claim()
    const until = async () =>
      (await db.first<{ leased_until: string }>(sql`SELECT leased_until FROM jobs WHERE kind = ${kind}`))?.leased_until
    const first = (await until()) ?? ''
    assert.notEqual(first, '')
    while (((await until()) ?? '') <= first) await sleep(10)
    finish?.()
    await runner.idle()
  })

  it('are aborted by a stop, and returned as unfinished, not as failed', async () => {
    const kind = kindOf()
    await add(kind, 'one')
    let wasAborted = false
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const handler: JobHandler = {
      run: (_job, signal) =>
        new Promise((_resolve, reject) => {
          begin()
          signal.addEventListener('abort', () => {
            wasAborted = true
            reject(new Error('interrupted'))
          })
        }),
    }
    const jobs = await startJobs({ db, clock, log, meter: new Meter() }, { [kind]: handler })
    jobs.wake()
    const isLeased = async () =>
      (await db.first<{ lease: string | null }>(sql`SELECT lease FROM jobs WHERE kind = ${kind}`))?.lease !== null
    await begun
    assert.equal(await isLeased(), true)
    await jobs.stop()
    assert.ok(wasAborted)
    assert.equal(await isLeased(), false)
    assert.equal((await stored(kind))[0]?.attempts, 0)
    await db.write(() => [sql`DELETE FROM jobs WHERE kind = ${kind}`])
  })

  after(async () => {
    if (other !== db) await other.close()
  })
})
