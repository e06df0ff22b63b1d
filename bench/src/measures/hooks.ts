// How hooks whose server never answers, or answers as late as it may, affect the requests of other tenants.
import { setTimeout as sleep } from 'node:timers/promises'
import { createAsOperator } from '../data/as-operator.ts'
import type { Dataset, TenantAccess } from '../data/dataset.ts'
import { createPeople } from '../data/people.ts'
import { type Sample, runLoad } from '../load/load.ts'
import { compare, p99s } from '../load/rounds.ts'
import { steady } from '../load/steady.ts'
import { type ResultRow, atMost, milliseconds, ratioRow } from '../results.ts'
import { type HookedTenants, startHookedTenants } from '../servers/hooked-tenants.ts'
import type { World } from '../world.ts'
import { check, signingIn } from './sessions.ts'

const timeoutMs = 3000
/** More than a tenant has places for: each takes a place for as long as its server may take. */
const perSecond = 40
/** Within them, a hook that never answers has all its states: places fill up, are full, run out of time, and it is paused. */
const secondsPerTurn = 4
/**
 * Multiples of the number of orders. There are many because the p99 of one turn differs from that of the next by a factor of two: one request in
 * a hundred is about as many as meet a collection of garbage.
 */
const rounds = { 'session checks': 24, 'sign-ins with a password': 12 }
/** After a turn, so that what it leaves behind is not in the next one. */
const pauseMs = 300
/** So few that their times are those of the hash rather than of the queue before it. */
const signInConnections = 2

interface Place {
  readonly dataset: Dataset
  readonly port: number
}

/** The hooks' servers by what they do; what others notice is compared with the same requests beside the last one. */
const servers: Readonly<Record<string, number | null>> = {
  'never answers': null,
  'answers after 2.9 s': 2900,
  'answers at once': 0,
}

type Meanwhile = (seconds: number) => Promise<void>

/** Makes a tenant with such a server, and returns how its users are created for so many seconds. */
async function hookedTenant(
  { dataset, port }: Place,
  hooked: HookedTenants,
  [what, afterMs]: readonly [string, number | null],
): Promise<Meanwhile> {
  const url = await hooked.serve({ afterMs })
  const named = { name: `Hook that ${what}`, environment: 'production' }
  const { id, publicKey } = await createAsOperator<{ id: string; publicKey: string }>(dataset, port, '/tenants', named)
  const tenant: TenantAccess = { id, publicKey, secretKey: dataset.store.operatorKey }
  const headers = { authorization: `Bearer ${dataset.store.operatorKey}` }
  return async (seconds) => {
    // A hook of its own in each turn, because one that has failed twenty times is not called for half a minute.
    const body = { tenantId: id, point: 'user.before_create', url, timeoutMs }
    const hook = await createAsOperator<{ id: string; secret: string }>(dataset, port, '/hooks', body)
    await hooked.storm({ port, tenant, hook: { url, secret: hook.secret }, perSecond, seconds })
    await fetch(`http://127.0.0.1:${port}/api/v0/hooks/${hook.id}`, { method: 'DELETE', headers })
  }
}

/** How requests of others are sent for so many seconds while something else happens. */
type Others = (seconds: number, meanwhile: Meanwhile) => Promise<Sample>

/** Every order of three, so that each is as often first, and as often after each of the others. */
const orders = [
  [0, 1, 2],
  [2, 1, 0],
  [1, 2, 0],
  [0, 2, 1],
  [2, 0, 1],
  [1, 0, 2],
]

/** Returns the samples of the others' requests beside each of the tenants, by round, after one that does not count. */
async function samplesBeside(
  tenants: readonly Meanwhile[],
  others: Others,
  { count, seconds }: { readonly count: number; readonly seconds: number },
): Promise<Sample[][]> {
  const samples: Sample[][] = tenants.map(() => [])
  for (let round = -1; round < count; round++) {
    for (const index of orders[(round + orders.length) % orders.length] ?? []) {
      const sample = await others(seconds, tenants[index] ?? (async () => {}))
      if (round >= 0) samples[index]?.push(sample)
      await sleep(pauseMs)
    }
  }
  return samples
}

/** What others ask for: each returns how it is sent. */
async function requestsOfOthers({ dataset, port }: Place): Promise<Readonly<Record<keyof typeof rounds, Others>>> {
  const { cookies, emails } = await createPeople(dataset, port)
  const checks = cookies.map((cookie) => check(dataset, cookie))
  let checked = 0
  const nextCheck = () => checks[checked++ % checks.length] ?? Buffer.alloc(0)
  const load = { port, connections: signInConnections, next: signingIn(dataset, emails), hasOwnAddresses: true }
  return {
    'session checks': (seconds, meanwhile) => steady(port, nextCheck, meanwhile).run(seconds),
    'sign-ins with a password': async (seconds, meanwhile) => {
      const [sample] = await Promise.all([runLoad({ ...load, seconds }), meanwhile(seconds)])
      return sample
    },
  }
}

export async function measureHooks(world: World): Promise<ResultRow[]> {
  const { dataset, server } = await world.running('small')
  const place = { dataset, port: server.port }
  const { isQuick } = world.settings
  const hooked = startHookedTenants()
  const rows: ResultRow[] = []
  try {
    const tenants: Meanwhile[] = []
    for (const each of Object.entries(servers)) tenants.push(await hookedTenant(place, hooked, each))
    const names = Object.keys(servers)
    const others = await requestsOfOthers(place)
    for (const name of ['session checks', 'sign-ins with a password'] as const) {
      const pace = isQuick ? { count: 2, seconds: 0.4 } : { count: rounds[name], seconds: secondsPerTurn }
      const samples = await samplesBeside(tenants, others[name], pace)
      const prompt = p99s(samples.at(-1) ?? [])
      for (const [index, what] of names.slice(0, -1).entries()) {
        const measure = `p99 of ${name} beside ${perSecond} users a second of another tenant whose hook ${what}`
        const row = { engine: world.engine, unit: milliseconds, measure, against: names.at(-1) ?? '' }
        rows.push(ratioRow(compare(p99s(samples[index] ?? []), prompt), { ...row, budget: atMost(1.1) }))
      }
    }
  } finally {
    await hooked.stop()
  }
  return rows
}
