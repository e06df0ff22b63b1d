// What a puzzle costs the service at a sign-up, by its processor time, and how long a password is looked up among the breached ones.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  buckets,
  entryLength,
  headerLength,
  magic,
  openBreachedFile,
} from '@bailiwick/server/src/identity/passwords/breached/breached-file.ts'
import { solve } from '@bailiwick/server/test/harness/people/puzzles.ts'
import { createAsOperator } from '../../data/as-operator.ts'
import { password } from '../../data/people.ts'
import { unique } from '../../load/bodies.ts'
import { HttpConnection } from '../../load/http-connection.ts'
import { percentile } from '../../load/load.ts'
import { type RequestParts, bodyText, requestBytes } from '../../load/request.ts'
import { compare, median } from '../../load/rounds.ts'
import { type ResultRow, atMost, milliseconds, ratioRow, valueRow } from '../../results.ts'
import type { BailiwickServer } from '../../servers/bailiwick.ts'
import { threadSeconds } from '../../servers/process-figures.ts'
import type { World } from '../../world.ts'

/** So few at a time that other work of the machine affects sign-ups with and without a puzzle alike. */
const signUpsPerTurn = 5
const turnsPerRound = 12
/** Rates of other measures are those of code that V8 has optimised by then, too. */
const signUpsBefore = 600
const rounds = 21
const frontend = '/frontend/api/v0'
/** As many as an operator keeps of the passwords that were seen most often. */
const breachedPasswords = 10_000_000
const lookUps = 2000

type Rule = 'always' | 'off'

interface Place {
  readonly server: BailiwickServer
  readonly publicKey: string
  readonly rule: Rule
  /** Counts the addresses from which people have signed up. */
  count: number
}

/** A tenant whose users sign up with an address and a password, before a puzzle if it says so. */
async function createPlace(world: World, rule: Rule): Promise<Place> {
  const { dataset, server } = await world.running('small')
  const tenant = { name: `Sign-ups, ${rule}`, environment: 'development' }
  const { id, publicKey } = await createAsOperator<{ id: string; publicKey: string }>(
    dataset,
    server.port,
    '/tenants',
    tenant,
  )
  const settings = { emailVerificationRequired: false, challengeDifficulty: 1000, challengeOnSignUp: rule }
  const response = await fetch(`http://127.0.0.1:${server.port}/api/v0/auth/tenants/${id}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${dataset.store.operatorKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(settings),
  })
  if (!response.ok) throw new Error(`the settings were answered ${await response.text()}`)
  return { server, publicKey, rule, count: 0 }
}

/** Signs people up, each from an address of its own, and returns the processor time of the service in milliseconds. */
async function takeTurn(place: Place): Promise<number> {
  const { server, publicKey, rule } = place
  const headers = { 'x-public-key': publicKey }
  const before = threadSeconds(server)
  for (let n = 0; n < signUpsPerTurn; n++) {
    const number = place.count++
    const address = `127.${rule === 'always' ? 3 : 2}.${number >> 8}.${number & 255}`
    const connection = await HttpConnection.open(server.port, address)
    const ask = async (parts: RequestParts) => {
      const { status, bytes } = await connection.send(requestBytes(parts))
      if (status !== 200) throw new Error(`${parts.path} was answered ${bytes.toString()}`)
      return (JSON.parse(bodyText(bytes)) as { readonly data: unknown }).data
    }
    const puzzle =
      rule === 'always'
        ? await ask({ method: 'GET', path: `${frontend}/challenges?purpose=sign_up`, headers })
        : undefined
    const answer = puzzle === undefined ? {} : { 'x-challenge': solve((puzzle as Puzzle).challenge) }
    const body = JSON.stringify({ email: `${unique()}@people.example`, password })
    await ask({ method: 'POST', path: `${frontend}/sign-ups`, headers: { ...headers, ...answer }, body })
    connection.close()
  }
  return (threadSeconds(server) - before) * 1000
}

interface Puzzle {
  readonly challenge: Parameters<typeof solve>[0]
}

async function puzzles(world: World): Promise<ResultRow> {
  const { isQuick, pace } = world.settings
  const signUpsPerRound = signUpsPerTurn * turnsPerRound
  const [counted, before] = isQuick ? [pace.rounds, pace.warmUpRounds] : [rounds, signUpsBefore / signUpsPerRound]
  const [always, off] = [await createPlace(world, 'always'), await createPlace(world, 'off')]
  const times: Record<Rule, number[]> = { always: [], off: [] }
  for (let round = -before; round < counted; round++) {
    const sums: Record<Rule, number> = { always: 0, off: 0 }
    for (let turn = 0; turn < turnsPerRound; turn++) {
      // What one turn leaves to be done counts for the next, so each goes first as often as the other.
      for (const place of turn % 2 === 0 ? [always, off] : [off, always]) sums[place.rule] += await takeTurn(place)
    }
    if (round < 0) continue
    for (const rule of ['always', 'off'] as const) times[rule].push(sums[rule] / signUpsPerRound)
  }
  return ratioRow(compare(times.always, times.off), {
    engine: world.engine,
    measure: 'Processor time of a sign-up with a puzzle, which is fetched and checked',
    against: 'without one',
    unit: milliseconds,
    budget: atMost(1.05),
  })
}

/** Writes a file of so many hashes, evenly spread as those of passwords are, without hashing any. */
function writeBreached(path: string) {
  const perBucket = Math.floor(breachedPasswords / buckets)
  const file = Buffer.alloc(headerLength + entryLength * perBucket * buckets)
  magic.copy(file)
  for (let bucket = 0; bucket <= buckets; bucket++) file.writeUInt32LE(bucket * perBucket, magic.length + 4 * bucket)
  const step = Math.floor(2 ** 48 / perBucket)
  for (let n = 0; n < perBucket * buckets; n++)
    file.writeUIntBE((n % perBucket) * step, headerLength + entryLength * n, entryLength)
  writeFileSync(path, file)
}

async function breached(world: World): Promise<ResultRow> {
  const path = join(world.place.directory, `breached-${world.engine}.bin`)
  writeBreached(path)
  const find = await openBreachedFile(path)
  const times: number[] = []
  for (let n = 0; n < 2 * lookUps; n++) {
    const sha1 = createHash('sha1').update(unique()).digest()
    const startedAt = performance.now()
    await find(sha1)
    if (n >= lookUps) times.push(performance.now() - startedAt)
  }
  return valueRow(median(times), {
    engine: world.engine,
    measure: `Look-up among ${breachedPasswords.toLocaleString('en')} breached passwords`,
    unit: milliseconds,
    note: `median of ${lookUps}; p99: ${milliseconds(percentile(times, 0.99))}`,
    budget: atMost(1, 'ms'),
  })
}

export const measureSignUps = async (world: World): Promise<ResultRow[]> => [
  await puzzles(world),
  await breached(world),
]
