// Several processes of one machine that answer on one port: BAILIWICK_PROCESSES.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { type IncomingMessage, request as ask } from 'node:http'
import { json } from 'node:stream/consumers'
import { before, describe, it } from 'node:test'
import { aboutSqlite } from '../harness/databases/engines.ts'
import { inTime } from '../harness/in-time.ts'
import {
  type Deployment,
  type ServiceProcess,
  newDeployment,
  runCommand,
  startService,
  until,
} from './service-process.ts'

const waitMs = 60_000
const clients = 8
/** How long a stop is announced. */
const stopDelayMs = 2000

let deployment: Deployment
let service: ServiceProcess
const environment = () => ({
  ...deployment.env,
  BAILIWICK_PROCESSES: '2',
  BAILIWICK_SHUTDOWN_DELAY_SECONDS: String(stopDelayMs / 1000),
})
before(async () => {
  deployment = await newDeployment('postgresql')
  service = await startService(environment())
})

/** The processes that this one has started and that answer requests. */
function childrenOf(pid: number): number[] {
  const parentOf = (each: string) => {
    try {
      const stat = readFileSync(`/proc/${each}/stat`, 'latin1')
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    } catch {
      return undefined
    }
  }
  return readdirSync('/proc')
    .filter((each) => /^\d+$/.test(each) && parentOf(each) === pid)
    .map(Number)
}

const causeOf = (error: unknown) =>
  error instanceof Error && typeof error.cause === 'object' && error.cause !== null && 'code' in error.cause
    ? String(error.cause.code)
    : String(error)

/** Reads tenants in several loops until it is ended, and returns what became of the requests. */
function startLoad(url: string) {
  const outcomes: string[] = []
  const ending = new AbortController()
  const loops = Array.from({ length: clients }, async () => {
    while (!ending.signal.aborted) {
      const outcome = await fetch(`${url}/tenants`, { signal: AbortSignal.timeout(waitMs) }).then(
        async (response) => (await response.text(), String(response.status)),
        causeOf,
      )
      outcomes.push(outcome)
      if (outcome === 'ECONNREFUSED') return
    }
  })
  return {
    outcomes,
    /** Resolves once so many further requests were answered. */
    async answered(count: number) {
      const from = outcomes.length
      await until(`${count} further requests are answered`, waitMs, () =>
        outcomes.slice(from).filter((each) => each === '200').length >= count ? true : undefined,
      )
    },
    async end() {
      ending.abort()
      await Promise.all(loops)
    },
    ended: () => Promise.all(loops),
  }
}

const readyProcesses = () =>
  service
    .log()
    .filter((line) => line['msg'] === 'ready' && typeof line['process'] === 'number')
    .map((line) => line['process'])

describe('BAILIWICK_PROCESSES', () => {
  it('is refused with SQLite, with status 78', aboutSqlite, async () => {
    const { env } = await newDeployment('sqlite')
    const { code, stderr } = await runCommand(['start'], { ...env, BAILIWICK_PROCESSES: '2' })
    assert.equal(code, 78)
    assert.match(stderr, /BAILIWICK_PROCESSES must be 1 without DATABASE_URL: one process alone can use SQLite/)
  })

  it('ends with the status of the first process if that cannot start', async () => {
    const env = { BAILIWICK_DATA_DIR: deployment.dataDir, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
    const { code, stderr } = await runCommand(['start'], { ...env, BAILIWICK_PROCESSES: '2' })
    assert.notEqual(code, 0)
    assert.doesNotMatch(stderr, /ready/)
  })

  it('starts as many processes, whose logs carry their number', () => {
    assert.deepEqual(
      readyProcesses().toSorted((one, other) => Number(one) - Number(other)),
      [1, 2],
    )
    assert.equal(childrenOf(service.pid).length, 2)
  })

  it('counts the sign-ins of an address once for all processes', async () => {
    const operatorKey = `op_${randomBytes(32).toString('hex')}`
    const limited = await startService({
      ...(await newDeployment('postgresql')).env,
      BAILIWICK_PROCESSES: '2',
      BAILIWICK_ENV: 'production',
      BAILIWICK_SHUTDOWN_DELAY_SECONDS: '0',
      BAILIWICK_BASE_URL: 'https://id.contoso.example',
      BAILIWICK_MASTER_KEY: randomBytes(32).toString('base64'),
      BAILIWICK_OPERATOR_KEY: operatorKey,
    })
    /** Sends a request over a connection of its own, with the public host. */
    const post = async (path: string, own: Record<string, string>, body: object) => {
      const headers = { host: 'id.contoso.example', 'content-type': 'application/json', ...own }
      const asked = ask(`${limited.url}${path}`, { method: 'POST', agent: false, headers })
      asked.end(JSON.stringify(body))
      const [answer] = (await once(asked, 'response')) as [IncomingMessage]
      return { status: answer.statusCode, body: (await json(answer)) as Record<string, unknown> }
    }
    const tenant = { name: 'Limited', environment: 'production' }
    const { body } = await post('/api/v0/tenants', { authorization: `Bearer ${operatorKey}` }, tenant)
    // Ten sign-ins at once, and one more every six seconds.
    const startedAt = performance.now()
    const statuses: (number | undefined)[] = []
    for (let count = 0; count < 40; count++) {
      const headers = { 'x-public-key': String(body['publicKey']) }
      // Each at another account, because five guesses lock one.
      const signIn = {
        identifier: `nobody${count}@contoso.example`,
        strategy: 'email_password',
        password: 'not a password',
      }
      statuses.push((await post('/frontend/api/v0/sign-ins', headers, signIn)).status)
    }
    const seconds = (performance.now() - startedAt) / 1000
    const allowed = statuses.filter((status) => status !== 429).length
    // What is allowed in the moment until the other process hears of it comes on top.
    assert.ok(allowed >= 10 && allowed <= 10 + seconds / 6 + 4, `${allowed} in ${seconds} s: ${statuses.join(', ')}`)
    limited.kill('SIGTERM')
    assert.equal((await limited.exit()).code, 0)
  })

  it('goes on answering when a process is killed, and starts it again', async () => {
    const load = startLoad(service.api)
    await load.answered(50)
    const [killed = 0, left = 0] = childrenOf(service.pid)
    process.kill(killed, 'SIGKILL')
    await load.answered(100)
    await until('another process is ready', waitMs, () => (readyProcesses().length === 3 ? true : undefined))
    const now = childrenOf(service.pid)
    assert.ok(now.length === 2 && now.includes(left) && !now.includes(killed))
    await load.answered(50)
    await load.end()
    const failed = load.outcomes.filter((each) => each !== '200')
    assert.ok(failed.length <= clients, `only requests under way at that process can fail: ${failed.join(', ')}`)
    assert.ok(service.log().some((line) => line['msg'] === 'a process has ended and is started again'))
  })

  it('fails no request when it is told to stop, and ends with 0', () =>
    inTime(stopDelayMs, async (begin) => {
      const stopped = await startService(environment())
      const load = startLoad(stopped.api)
      await load.answered(50)
      begin()
      stopped.kill('SIGTERM')
      await until('it is not ready', waitMs, async () => {
        const { status, body } = await fetch(`${stopped.url}/readyz`)
        await body?.cancel()
        return status === 503 ? true : undefined
      })
      await load.ended()
      assert.deepEqual(new Set(load.outcomes), new Set(['200', 'ECONNREFUSED']))
      assert.equal((await stopped.exit()).code, 0)
      assert.deepEqual(childrenOf(stopped.pid), [])
      for (const line of stopped.stdout().trimEnd().split('\n'))
        assert.doesNotThrow(() => JSON.parse(line) as unknown, line)
    }))
})
