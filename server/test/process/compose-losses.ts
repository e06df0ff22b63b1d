// Kills a node and then the primary database of the deployment that deploy/compose.yaml has started, under load, and checks that everything
// acknowledged is there afterwards. Not a test of the suite, because it needs the deployment running and takes minutes:
// `npm run compose-losses -- --engine=docker`, in the repository's root. It asks https://localhost alone.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { until } from './service-process.ts'

const { values } = parseArgs({
  options: {
    /** docker or podman. */
    engine: { type: 'string', default: 'docker' },
    /** How the containers are named, before and after the name of the service. */
    prefix: { type: 'string', default: 'bailiwick-' },
    suffix: { type: 'string', default: '-1' },
    /** Where secrets.sh has put the secrets. */
    secrets: { type: 'string', default: 'deploy/secrets' },
    clients: { type: 'string', default: '8' },
    /** How often a node and the primary are lost. */
    rounds: { type: 'string', default: '1' },
  },
})

const operatorKey = readFileSync(`${values.secrets}/operator-key`, 'utf8').trim()
const agent = new Agent({ keepAlive: true, rejectUnauthorized: false, maxSockets: 256 })
const print = (line: string) => process.stdout.write(`${line}\n`)
const container = (service: string) => `${values.prefix}${service}${values.suffix}`
const engine = (...args: string[]) => execFileSync(values.engine, args, { encoding: 'utf8', stdio: 'pipe' })

interface Answer {
  /** 0 when no answer came. */
  readonly status: number
  readonly text: string
}

function ask(method: string, path: string, body?: object): Promise<Answer> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  return new Promise((resolve) => {
    const sent = request(
      {
        host: '127.0.0.1',
        servername: 'localhost',
        port: 443,
        path: `/api/v0${path}`,
        method,
        agent,
        timeout: 30_000,
        headers: {
          host: 'localhost',
          authorization: `Bearer ${operatorKey}`,
          ...(text === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        },
      },
      (answer) => {
        let received = ''
        answer.on('data', (chunk) => (received += String(chunk)))
        answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text: received }))
        answer.once('error', () => resolve({ status: 0, text: '' }))
      },
    )
    sent.once('timeout', () => sent.destroy())
    sent.once('error', () => resolve({ status: 0, text: '' }))
    sent.end(text)
  })
}

interface Load {
  readonly acknowledged: string[]
  readonly outcomes: Map<string, number>
  /** The longest time in which no write was acknowledged, in milliseconds; reset by the reader. */
  longestGap: number
  lastAt: number
}

async function writeUsers(tenantId: string, load: Load, stopping: AbortSignal) {
  while (!stopping.aborted) {
    const { status, text } = await ask('POST', '/auth/users', {
      tenantId,
      email: `${randomBytes(12).toString('hex')}@example.com`,
    })
    load.outcomes.set(String(status), (load.outcomes.get(String(status)) ?? 0) + 1)
    if (status === 200) {
      load.acknowledged.push((JSON.parse(text) as { id: string }).id)
      load.longestGap = Math.max(load.longestGap, Date.now() - load.lastAt)
      load.lastAt = Date.now()
    } else await sleep(100)
  }
}

/** The primary, and whether its standby has everything that is acknowledged. */
function cluster(): { readonly primary: string; readonly isProtected: boolean } | undefined {
  for (const server of ['postgresql1', 'postgresql2']) {
    try {
      const list = engine(
        'exec',
        container(server),
        'patronictl',
        '-c',
        '/etc/patroni/patroni.yml',
        'list',
        '-f',
        'json',
      )
      const members = JSON.parse(list.slice(list.indexOf('['))) as { Member: string; Role: string; State: string }[]
      const primary = members.find(({ Role, State }) => Role === 'Leader' && State === 'running')
      if (primary === undefined) return undefined
      const isProtected = members.some(
        ({ Role, State }) => Role === 'Sync Standby' && /^(running|streaming)$/.test(State),
      )
      return { primary: primary.Member, isProtected }
    } catch {
      // This server is the one that is lost.
    }
  }
  return undefined
}

const whenProtected = () =>
  until('the standby has everything', 180_000, () => {
    const now = cluster()
    return Promise.resolve(now?.isProtected === true ? now.primary : undefined)
  })

async function lose(service: string, load: Load) {
  load.longestGap = 0
  const before = load.acknowledged.length
  const lostAt = Date.now()
  engine('kill', '--signal', 'KILL', container(service))
  await until(`writes go on without ${service}`, 120_000, () =>
    Promise.resolve(load.lastAt > lostAt + 1000 && load.acknowledged.length > before + 100 ? true : undefined),
  )
  await sleep(5000)
  print(`without ${service}: no write was acknowledged for ${(load.longestGap / 1000).toFixed(1)} s at most`)
  engine('start', container(service))
}

describe('the deployment of compose.yaml', () => {
  it('loses nothing acknowledged with a node and with the primary database', async () => {
    const tenant = await until('the deployment answers', 60_000, async () => {
      const { status, text } = await ask('POST', '/tenants', { name: 'Losses', environment: 'staging' })
      return status === 200 ? (JSON.parse(text) as { id: string }) : undefined
    })
    const load: Load = { acknowledged: [], outcomes: new Map(), longestGap: 0, lastAt: Date.now() }
    const stopping = new AbortController()
    const clients = Array.from({ length: Number(values.clients) }, () => writeUsers(tenant.id, load, stopping.signal))
    for (let round = 1; round <= Number(values.rounds); round++) {
      await lose(round % 2 === 1 ? 'node1' : 'node2', load)
      const primary = await whenProtected()
      await lose(primary, load)
      assert.notEqual(await whenProtected(), primary, 'the standby was promoted')
    }
    stopping.abort()
    await Promise.all(clients)

    const missing: string[] = []
    for (let at = 0; at < load.acknowledged.length; at += 16) {
      const answers = await Promise.all(
        load.acknowledged.slice(at, at + 16).map(async (id) => ({ id, ...(await ask('GET', `/auth/users/${id}`)) })),
      )
      missing.push(...answers.filter(({ status }) => status !== 200).map(({ id, status }) => `${id}: ${status}`))
    }
    agent.destroy()
    print(
      `${load.acknowledged.length} users acknowledged, ${missing.length} of them missing; answers ${JSON.stringify(Object.fromEntries(load.outcomes))}`,
    )
    assert.deepEqual(missing, [])
  })
})
