// How hooks whose server never answers, or answers as late as it may, affect the requests of other tenants.
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { type RequestListener, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAsOperator } from '../data/as-operator.ts'
import type { Dataset } from '../data/dataset.ts'
import { createPeople } from '../data/people.ts'
import { createUser } from '../load/calls.ts'
import { HttpConnection } from '../load/http-connection.ts'
import { runLoad } from '../load/load.ts'
import { type Contestant, compare, p99s, takeTurns } from '../load/rounds.ts'
import { steady } from '../load/steady.ts'
import { type ResultRow, atMost, milliseconds, ratioRow } from '../results.ts'
import type { World } from '../world.ts'
import { check, signingIn } from './sessions.ts'

const timeoutMs = 3000
/** More than a tenant has places for: each takes a place for as long as its server may take. */
const perSecond = 40
const lanes = 200
/** More than of sign-ins, because the p99 of checks differs from one round to the next by a factor of two and more. */
const roundsOfChecks = 15
/** So few that their times are those of the hash rather than of the queue before it. */
const signInConnections = 2

/** A tenant's server, which answers each call after so many milliseconds; never without. */
async function startHookServer(afterMs?: number) {
  let secret = ''
  const respond: RequestListener = (request, response) => {
    request.resume()
    if (afterMs === undefined) return
    void sleep(afterMs).then(() => {
      const id = String(request.headers['webhook-id'])
      const at = String(Math.floor(Date.now() / 1000))
      const body = '{"decision":"deny"}'
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
      const mac = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')
      response.writeHead(200, { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': `v1,${mac}` }).end(body)
    })
  }
  const server = createServer(respond)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    signWith: (next: string) => {
      secret = next
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Creates users at a steady pace in a tenant whose hook decides about each. */
async function storm(port: number, next: () => Buffer, seconds: number): Promise<void> {
  const [startedAt, count] = [performance.now(), Math.ceil(perSecond * seconds)]
  let begun = 0
  const lane = async () => {
    const connection = await HttpConnection.open(port)
    while (begun < count) {
      const dueAt = startedAt + (begun++ / count) * seconds * 1000
      await sleep(Math.max(0, dueAt - performance.now()))
      const { status } = await connection.send(next())
      if (status !== 403) throw new Error(`a user whom a hook denies was answered with ${status}`)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: Math.min(lanes, count) }, lane))
}

/** The hooks' servers by what they do; what others notice is compared with the same requests beside the last one. */
const servers: Readonly<Record<string, number | undefined>> = {
  'never answers': undefined,
  'answers after 2.9 s': 2900,
  'answers at once': 0,
}

/** Makes a tenant with such a server, and returns how its users are created for so many seconds. */
async function hookedTenant({ dataset, port }: Place, what: string, afterMs: number | undefined) {
  const hooked = await startHookServer(afterMs)
  const tenant = { name: `Hook that ${what}`, environment: 'production' }
  const slow = await createAsOperator<{ id: string; publicKey: string }>(dataset, port, '/tenants', tenant)
  const newUser = createUser({ ...slow, secretKey: dataset.store.operatorKey })
  const headers = { authorization: `Bearer ${dataset.store.operatorKey}` }
  const beside = async (seconds: number) => {
    // A hook of its own in each round, because one that has failed twenty times is not called for half a minute.
    const body = { tenantId: slow.id, point: 'user.before_create', url: hooked.url, timeoutMs }
    const hook = await createAsOperator<{ id: string; secret: string }>(dataset, port, '/hooks', body)
    hooked.signWith(hook.secret)
    await storm(port, newUser, seconds)
    await fetch(`http://127.0.0.1:${port}/api/v0/hooks/${hook.id}`, { method: 'DELETE', headers })
  }
  return { beside, stop: hooked.stop }
}

interface Place {
  readonly dataset: Dataset
  readonly port: number
}

type Meanwhile = (seconds: number) => Promise<void>

/** What others ask for, how often it is timed, and how it is sent while something else happens. */
interface Requests {
  readonly name: string
  readonly rounds: number
  readonly beside: (meanwhile: Meanwhile) => Contestant
}

export async function measureHooks(world: World): Promise<ResultRow[]> {
  const { dataset, server } = await world.running('small')
  const { port } = server
  const { cookies, emails } = await createPeople(dataset, port)
  const checks = cookies.map((cookie) => check(dataset, cookie))
  let checked = 0
  const nextCheck = () => checks[checked++ % checks.length] ?? Buffer.alloc(0)
  const nextSignIn = signingIn(dataset, emails)
  const { perSecond: _perSecond, ...pace } = world.settings.hostile.flood
  const requests: readonly Requests[] = [
    {
      name: 'session checks',
      rounds: world.settings.isQuick ? pace.rounds : roundsOfChecks,
      beside: (meanwhile) => steady(port, nextCheck, meanwhile),
    },
    {
      name: 'sign-ins with a password',
      rounds: pace.rounds,
      beside: (meanwhile) => ({
        async run(seconds) {
          const load = { port, connections: signInConnections, seconds, next: nextSignIn, hasOwnAddresses: true }
          const [sample] = await Promise.all([runLoad(load), meanwhile(seconds)])
          return sample
        },
      }),
    },
  ]
  const names = Object.keys(servers)
  const tenants = []
  for (const name of names) tenants.push(await hookedTenant({ dataset, port }, name, servers[name]))
  const rows: ResultRow[] = []
  for (const { name, rounds, beside: contestant } of requests) {
    const samples = await takeTurns(
      tenants.map(({ beside }) => contestant(beside)),
      { ...pace, rounds },
    )
    const prompt = p99s(samples.at(-1) ?? [])
    for (const [index, what] of names.slice(0, -1).entries()) {
      const measure = `p99 of ${name} beside ${perSecond} users a second of another tenant whose hook ${what}`
      const row = { engine: world.engine, unit: milliseconds, measure, against: names.at(-1) ?? '' }
      rows.push(ratioRow(compare(p99s(samples[index] ?? []), prompt), { ...row, budget: atMost(1.1) }))
    }
  }
  for (const { stop } of tenants) stop()
  return rows
}
