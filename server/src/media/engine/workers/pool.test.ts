// The border between the service and its decoders: a worker's failure affects only one request.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { TransformationStep } from '@bailiwick/contract'
import sharp from 'sharp'
import { definition, drawn, make, png, red } from '../../../../test/harness/files/pictures.ts'
import { FairQueue } from '../../../platform/turns/fair-queue.ts'
import { planImage } from '../definition.ts'
import { ImagePool, type PoolSettings } from './pool.ts'

function poolFor(t: TestContext, settings: Partial<PoolSettings> = {}): ImagePool {
  const pool = new ImagePool({ workers: 2, workersOfOwner: 2, ...settings })
  t.after(() => pool.close())
  return pool
}

const small = () => png(drawn(8, 8, () => red))
/** As many pixels as a phone takes. */
const large = () =>
  sharp({ create: { width: 4000, height: 3000, channels: 3, background: '#567' } })
    .jpeg()
    .toBuffer()
const slow: TransformationStep[] = Array.from({ length: 16 }, () => ({
  type: 'sharpen',
  options: { sharpenType: 'fast', strength: 50 },
}))

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => void setTimeout(resolve, 5))
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Returns 0 for a process that has ended. */
function residentBytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

/** Returns the niceness of each thread of a process (proc(5), field 19 of stat), by its name. */
function threadsOf(pid: number): (readonly [name: string, nice: number])[] {
  return readdirSync(`/proc/${pid}/task`).map((thread) => {
    const [, name = '', rest = ''] =
      /\((.*)\) (.*)/.exec(readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')) ?? []
    return [name, Number(rest.split(' ')[16])]
  })
}

describe('the workers', () => {
  it('start with the first image, up to their limit, and none when nothing waits', async (t) => {
    const pool = poolFor(t)
    assert.deepEqual(pool.pids, [])
    const source = await small()
    await Promise.all(Array.from({ length: 10 }, () => make(pool, source)))
    assert.equal(pool.pids.length, 2)
    const before = new Set(pool.pids)
    await make(pool, source)
    assert.deepEqual(new Set(pool.pids), before)
  })

  it('end when there has been nothing to do for a while', async (t) => {
    const pool = poolFor(t, { idleMs: 20 })
    await make(pool, await small())
    const [pid = 0] = pool.pids
    await until(() => pool.pids.length === 0)
    await until(() => !isAlive(pid))
    assert.equal((await make(pool, await small())).width, 8)
  })

  it('leave the cores to answers that need no decoder, with each of their threads', async (t) => {
    if (process.platform !== 'linux') return
    const pool = poolFor(t, { workers: 1 })
    await make(pool, await large(), { outputWidth: 100 }, { format: 'jpeg' })
    const threads = pool.pids.flatMap(threadsOf)
    for (const [name, nice] of threads) assert.equal(nice, 5, name)
    assert.ok(
      threads.some(([name]) => name.startsWith('libvips')),
      JSON.stringify(threads),
    )
  })

  it('see nothing of the environment of the service', async (t) => {
    process.env['BAILIWICK_CANARY'] = 'secret-canary'
    t.after(() => delete process.env['BAILIWICK_CANARY'])
    const pool = poolFor(t)
    await make(pool, await small())
    const [pid = 0] = pool.pids
    const environment = process.platform === 'linux' ? readFileSync(`/proc/${pid}/environ`, 'utf8') : ''
    assert.doesNotMatch(environment, /canary/i)
    if (process.platform === 'linux') assert.match(environment, /FONTCONFIG_FILE/)
  })

  it('read a file themselves where they are given its path', async (t) => {
    const pool = poolFor(t)
    const folder = mkdtempSync(join(tmpdir(), 'picture-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'picture')
    writeFileSync(path, await small())
    const info = await pool.inspect('tenant', { path })
    assert.deepEqual(info, { kind: 'png', width: 8, height: 8, frames: 1, hasAlpha: true })
    await assert.rejects(pool.inspect('tenant', { path: `${path}-missing` }), { code: 'unreadable' })
  })

  it('are where sharp is loaded: the service that imports the pool does not load it', () => {
    const pool = fileURLToPath(new URL('pool.ts', import.meta.url))
    const planning = fileURLToPath(new URL('../definition.ts', import.meta.url))
    const script = `
      await import(${JSON.stringify(pool)}); await import(${JSON.stringify(planning)})
      const loaded = process.report.getReport().sharedObjects.filter((file) => /sharp|libvips/.test(file))
      process.stdout.write(JSON.stringify(loaded))`
    const found = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
    assert.equal(found, '[]')
  })

  it('fail running and waiting tasks when the service stops, and end then', async () => {
    const pool = new ImagePool({ workers: 1 })
    const source = await large()
    const outcomes = Promise.allSettled([make(pool, source, { steps: slow }), make(pool, source)])
    await until(() => pool.pids.length === 1)
    const { pids } = pool
    await pool.close()
    const codes = (await outcomes).map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'made'))
    assert.deepEqual(codes, ['worker_lost', 'pool_closed'])
    for (const pid of pids) assert.equal(isAlive(pid), false)
    await assert.rejects(make(pool, source), { code: 'pool_closed' })
  })
})

describe('the death of a worker fails only its own request', () => {
  it('killed midway: that request fails, those beside and behind it do not', async (t) => {
    const pool = poolFor(t, { workers: 1 })
    const source = await large()
    const doomed = make(pool, source, { steps: slow })
    const waiting = Promise.all([make(pool, await small()), make(pool, await small())])
    await until(() => pool.pids.length === 1)
    const [pid = 0] = pool.pids
    process.kill(pid, 'SIGKILL')
    await assert.rejects(doomed, { code: 'worker_lost' })
    assert.deepEqual(
      (await waiting).map(({ width }) => width),
      [8, 8],
    )
    assert.notDeepEqual(pool.pids, [pid])
  })

  it('too long: ended, and named', async (t) => {
    const pool = poolFor(t, { workers: 1, taskMs: 600 })
    const doomed = make(pool, await large(), { steps: slow })
    await assert.rejects(doomed, { code: /^(?:too_slow|time_out)$/ })
    const patient = poolFor(t, { workers: 1 })
    assert.equal((await make(patient, await small())).width, 8)
  })

  it('too slow: remembered by its source, which holds no worker again for some minutes', async (t) => {
    const pool = poolFor(t, { workers: 1, taskMs: 1500 })
    const source = await large()
    let loads = 0
    const order = (sourceId: string, isLight = false) => ({
      isSvg: false,
      plan: planImage(definition({ steps: isLight ? [] : slow })),
      format: 'png' as const,
      sourceId,
      load: async () => {
        loads++
        return { source, layers: new Map<string, Uint8Array>() }
      },
    })
    const failure = () =>
      pool.make('one', order('a')).then(
        () => 'none',
        ({ code }: { readonly code: string }) => code,
      )
    // On a busy machine it runs out of time without having used it, and is tried again.
    let tries = 1
    while ((await failure()) !== 'too_slow') tries++
    await assert.rejects(pool.make('one', order('a', true)), { code: 'too_slow', message: /a few minutes ago/ })
    assert.equal(loads, tries)
    assert.equal((await make(pool, await small())).width, 8, 'other sources are made')
  })

  it('too much memory: ended, and named', async (t) => {
    const pool = poolFor(t, { workers: 1, memoryBytes: 150 * 2 ** 20, taskMs: 60_000 })
    await assert.rejects(make(pool, await large(), { steps: slow }), { code: 'out_of_memory' })
    assert.equal((await make(pool, await small())).width, 8)
  })
})

describe('the line', () => {
  it('serves owners in turn', () => {
    const queue = new FairQueue<string>()
    for (const item of ['a1', 'a2', 'a3', 'a4']) queue.push('a', item)
    queue.push('b', 'b1')
    queue.push('c', 'c1')
    queue.push('b', 'b2')
    const served = Array.from({ length: 8 }, () => queue.shift())
    assert.deepEqual(served, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4', undefined])
    assert.deepEqual([queue.size, queue.sizeOf('a')], [0, 0])
  })

  it('lets one owner’s single image pass the many of another', async (t) => {
    const pool = poolFor(t, { workers: 1 })
    const source = await small()
    const done: string[] = []
    const ask = (owner: string, name: string) => make(pool, source, {}, { owner }).then(() => done.push(name))
    await Promise.all([
      ...Array.from({ length: 8 }, (_, index) => ask('greedy', `greedy ${index}`)),
      ask('modest', 'modest'),
    ])
    assert.ok(done.indexOf('modest') <= 2, done.join(', '))
  })

  it(
    'leaves a worker to others, however many images of one owner take however long',
    { timeout: 60_000 },
    async (t) => {
      // Without that worker, the other owner's image would wait until one of the slow ones is over.
      const pool = poolFor(t, { workers: 3, workersOfOwner: 2, taskMs: 600_000 })
      const source = await large()
      const plan = planImage(definition({ steps: slow }))
      let isOver = false
      const load = async () => ({ source, layers: new Map() })
      const greedy = Array.from({ length: 12 }, () =>
        pool.make('greedy', { isSvg: false, plan, format: 'png', load }).then(() => (isOver = true)),
      )
      for (const each of greedy) each.catch(() => undefined)
      await until(() => pool.pids.length === 2)
      const modest = { isSvg: false, plan: planImage(definition({ outputWidth: 8 })), format: 'png' } as const
      const bytes = await small()
      const made = await pool.make('modest', { ...modest, load: async () => ({ source: bytes, layers: new Map() }) })
      assert.deepEqual([made.width, isOver], [8, false])
      assert.equal(pool.pids.length, 3)
    },
  )

  it('is bounded: altogether, for each owner, and in bytes', async (t) => {
    const source = await small()
    const refusals = async (settings: Partial<PoolSettings>, owners: readonly string[]) => {
      const pool = poolFor(t, { workers: 1, ...settings })
      const outcomes = await Promise.allSettled(owners.map((owner) => make(pool, source, {}, { owner })))
      return outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'made'))
    }
    const [made, busy] = ['made', 'pool_busy']
    assert.deepEqual(await refusals({ waitingMax: 2 }, ['a', 'b', 'c', 'd']), [made, made, made, busy])
    assert.deepEqual(await refusals({ waitingOfOwnerMax: 1 }, ['a', 'a', 'a', 'b']), [made, made, busy, made])
    assert.deepEqual(await refusals({ waitingBytesMax: source.length }, ['a', 'a', 'a']), [made, made, busy])
  })

  it('fetches remote images when their turn is near, and fails only those that cannot be fetched', async (t) => {
    const pool = poolFor(t, { workers: 2 })
    const source = await small()
    const plan = planImage(definition({ outputWidth: 8 }))
    let [held, most] = [0, 0]
    const one = async (index: number) => {
      const load = async () => {
        most = Math.max(most, ++held)
        // Enough time to fetch others meanwhile, if that were allowed.
        await new Promise((resolve) => setImmediate(resolve))
        if (index === 5) throw new RangeError('the store is away')
        return { source, layers: new Map() }
      }
      const made = await pool.make(`owner ${index % 3}`, { isSvg: false, plan, format: 'png', load }).catch(String)
      held--
      return typeof made === 'string' ? made : made.width
    }
    const made = await Promise.all(Array.from({ length: 64 }, (_, index) => one(index)))
    assert.deepEqual(
      made,
      made.map((_, index) => (index === 5 ? 'RangeError: the store is away' : 8)),
    )
    // A caller that was just answered is still counted when the next image is fetched.
    assert.ok(most >= 2 && most <= 3 * 2, `${most} at once`)
  })

  it('is bounded in the same way for remote images', async (t) => {
    const pool = poolFor(t, { workers: 1, waitingMax: 2 })
    const source = await small()
    const plan = planImage(definition({ outputWidth: 8 }))
    const load = async () => ({ source, layers: new Map() })
    const asked = Array.from({ length: 6 }, () => pool.make('a', { isSvg: false, plan, format: 'png', load }))
    const outcomes = await Promise.allSettled(asked)
    const codes = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'made'))
    assert.deepEqual(codes, ['made', 'made', 'made', 'made', 'pool_busy', 'pool_busy'])
  })

  it('takes 64 telephones’ pictures at once within the memory of its workers', async (t) => {
    const pool = poolFor(t)
    const source = await large()
    const before = process.memoryUsage.rss()
    let most = 0
    const watch = setInterval(() => {
      const rss = pool.pids.map(residentBytes)
      most = Math.max(most, process.memoryUsage.rss() - before + rss.reduce((sum, each) => sum + each, 0))
    }, 10)
    t.after(() => clearInterval(watch))
    const plan = planImage(definition({ outputWidth: 400 }))
    const order = { source, isSvg: false, plan, format: 'webp', layers: new Map() } as const
    const images = await Promise.all(Array.from({ length: 64 }, () => pool.make('tenant', order)))
    for (const { width, height } of images) assert.deepEqual([width, height], [400, 300])
    assert.ok(most < 700 * 2 ** 20, `${Math.round(most / 2 ** 20)} MB`)
  })
})
