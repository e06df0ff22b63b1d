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
import { cpuSeconds } from '../../servers/process-figures.ts'
import type { World } from '../../world.ts'

const signUpsPerRound = 40
const frontend = '/frontend/api/v0'
/** As many as an operator keeps of the passwords that were seen most often. */
const breachedPasswords = 10_000_000
const lookUps = 2000

/** A tenant whose users sign up with an address and a password, before a puzzle if it says so. */
async function createPlace(world: World) {
  const { dataset, server } = await world.running('small')
  const { port } = server
  const tenant = { name: 'Sign-ups', environment: 'development' }
  const { id, publicKey } = await createAsOperator<{ id: string; publicKey: string }>(dataset, port, '/tenants', tenant)
  const put = async (settings: object) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v0/auth/tenants/${id}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${dataset.store.operatorKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(settings),
    })
    if (!response.ok) throw new Error(`the settings were answered ${await response.text()}`)
  }
  await put({ emailVerificationRequired: false, challengeDifficulty: 1000 })
  return { server, put, headers: { 'x-public-key': publicKey } }
}

type Place = Awaited<ReturnType<typeof createPlace>>

/** Signs people up, each from an address of its own, and returns the processor time of the service for each, in milliseconds. */
async function signUp({ server, headers }: Place, hasPuzzle: boolean, round: number): Promise<number> {
  const before = cpuSeconds(server)
  for (let n = 0; n < signUpsPerRound; n++) {
    const connection = await HttpConnection.open(server.port, `127.${hasPuzzle ? 3 : 2}.${round}.${n + 1}`)
    const ask = async (parts: RequestParts) => {
      const { status, bytes } = await connection.send(requestBytes(parts))
      if (status !== 200) throw new Error(`${parts.path} was answered ${bytes.toString()}`)
      return (JSON.parse(bodyText(bytes)) as { readonly data: unknown }).data
    }
    const puzzle = hasPuzzle
      ? await ask({ method: 'GET', path: `${frontend}/challenges?purpose=sign_up`, headers })
      : undefined
    const answer = puzzle === undefined ? {} : { 'x-challenge': solve((puzzle as Puzzle).challenge) }
    const body = JSON.stringify({ email: `${unique()}@people.example`, password })
    await ask({ method: 'POST', path: `${frontend}/sign-ups`, headers: { ...headers, ...answer }, body })
    connection.close()
  }
  return ((cpuSeconds(server) - before) * 1000) / signUpsPerRound
}

interface Puzzle {
  readonly challenge: Parameters<typeof solve>[0]
}

async function puzzles(world: World): Promise<ResultRow> {
  const { rounds, warmUpRounds } = world.settings.pace
  const place = await createPlace(world)
  const times: Record<'always' | 'off', number[]> = { always: [], off: [] }
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (const rule of ['always', 'off'] as const) {
      await place.put({ challengeOnSignUp: rule })
      const time = await signUp(place, rule === 'always', round + warmUpRounds + 1)
      if (round >= 0) times[rule].push(time)
    }
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
