// Signing in beside the bare hash, session checks beside bare node:http, and how soon another node refuses an ended session.
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { hash, verify } from '@node-rs/argon2'
import type { Dataset } from '../data/dataset.ts'
import { createPeople, password, signIn } from '../data/people.ts'
import { HttpConnection } from '../load/http-connection.ts'
import { percentile, runLoad } from '../load/load.ts'
import { requestBytes } from '../load/request.ts'
import { type Contestant, compare, median, rates, takeTurns } from '../load/rounds.ts'
import { type ResultRow, atLeast, below, milliseconds, ratioRow, valueRow } from '../results.ts'
import { startBailiwick } from '../servers/bailiwick.ts'
import { type World, bareContestant, httpContestant } from '../world.ts'

export const connections = 32
/** More hashes at once would only wait. */
export const connectionsForPasswords = 8
const frontend = '/frontend/api/v0'
/** About fifty a second; at a higher rate, the time that they take from the hashes would count as that of the sign-ins. */
const checkPauseMs = 20
/** The service's parameters: those of OWASP for Argon2id. */
const argon2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const check = ({ main }: Dataset, cookie: string) =>
  requestBytes({ method: 'GET', path: `${frontend}/user/profile`, headers: { 'x-public-key': main.publicKey, cookie } })

export const signingIn = ({ main }: Dataset, emails: readonly string[]) => {
  const requests = emails.map((identifier) =>
    requestBytes({
      method: 'POST',
      path: `${frontend}/sign-ins`,
      headers: { 'x-public-key': main.publicKey },
      body: JSON.stringify({ identifier, strategy: 'email_password', password }),
    }),
  )
  let count = 0
  return () => requests[count++ % requests.length] ?? Buffer.alloc(0)
}

/** Only hashes, as many at once as there are cores. */
async function bareHash(): Promise<Contestant> {
  const hashed = await hash(password, argon2)
  return {
    async run(seconds) {
      const start = performance.now()
      const end = start + seconds * 1000
      let count = 0
      const loop = async () => {
        while (performance.now() < end) {
          await verify(hashed, password)
          count++
        }
      }
      await Promise.all(Array.from({ length: availableParallelism() }, loop))
      return { perSecond: count / ((performance.now() - start) / 1000), p99: undefined }
    },
  }
}

/** Sign-ins, while one connection checks a session; its times go into `checkTimes`. */
function signInsBesideChecks(
  port: number,
  next: () => Buffer,
  nextCheck: () => Buffer,
  checkTimes: number[],
): Contestant {
  return {
    async run(seconds) {
      const end = performance.now() + seconds * 1000
      const connection = await HttpConnection.open(port)
      const checks = async () => {
        for (let at = performance.now(); at < end; at = performance.now()) {
          const { status } = await connection.send(nextCheck())
          if (status !== 200) throw new Error(`a session check answered ${status}`)
          checkTimes.push(performance.now() - at)
          await sleep(checkPauseMs)
        }
      }
      const load = { port, connections: connectionsForPasswords, seconds, next, hasOwnAddresses: true }
      const [sample] = await Promise.all([runLoad(load), checks()])
      connection.close()
      return sample
    },
  }
}

/** Measures repeatedly how long the other node accepts a session after it was ended on one node. */
async function revocations(world: World, email: string): Promise<ResultRow[]> {
  const { dataset, server } = await world.running('small')
  const other = await startBailiwick(dataset.store, world.place)
  const connection = await HttpConnection.open(other.port)
  const own = await HttpConnection.open(server.port)
  const times: number[] = []
  try {
    for (let count = 0; count < world.settings.revocations; count++) {
      const cookie = await signIn(dataset, server.port, email)
      const asked = check(dataset, cookie)
      if ((await connection.send(asked)).status !== 200) throw new Error('the other node does not know the session')
      const headers = { 'x-public-key': dataset.main.publicKey, cookie, 'sec-fetch-site': 'same-origin' }
      await own.send(requestBytes({ method: 'POST', path: `${frontend}/user/sessions/end`, headers }))
      const endedAt = performance.now()
      while ((await connection.send(asked)).status === 200) await new Promise((done) => setImmediate(done))
      times.push(performance.now() - endedAt)
    }
  } finally {
    connection.close()
    own.close()
    await other.stop()
  }
  const row = { engine: world.engine, unit: milliseconds, budget: below(1000, 'ms') }
  const measure = `An ended session is refused by another node, ${times.length} times`
  return [
    valueRow(Math.max(...times), { ...row, measure: `${measure}: the slowest` }),
    valueRow(median(times), { ...row, measure: `${measure}: the median` }),
  ]
}

export async function measureSessions(world: World): Promise<ResultRow[]> {
  const { engine, settings } = world
  const { dataset, server } = await world.running('small')
  const { emails, cookies } = await createPeople(dataset, server.port)
  const checks = cookies.map((cookie) => check(dataset, cookie))
  let count = 0
  const asked = () => checks[count++ % checks.length] ?? Buffer.alloc(0)
  const besideBare = [
    httpContestant(server.port, connections, asked),
    await bareContestant(world, server.port, connections, asked),
  ]
  const [ours = [], bare = []] = await takeTurns(besideBare, settings.pace)
  const checkTimes: number[] = []
  const signIns = signInsBesideChecks(server.port, signingIn(dataset, emails), asked, checkTimes)
  const [signedIn = [], hashed = []] = await takeTurns([signIns, await bareHash()], settings.pace)
  return [
    ratioRow(compare(rates(ours), rates(bare)), {
      engine,
      measure: 'Session check (cookie to user)',
      against: 'node:http, same bytes',
      budget: atLeast(0.8),
    }),
    ratioRow(compare(rates(signedIn), rates(hashed)), {
      engine,
      measure: 'Sign-in with a password',
      against: 'the bare argon2id',
      budget: atLeast(engine === 'sqlite' ? 0.85 : 0.75),
    }),
    valueRow(percentile(checkTimes, 0.99), {
      engine,
      measure: 'p99 of session checks meanwhile',
      unit: milliseconds,
      budget: below(50, 'ms'),
    }),
    ...(engine === 'postgresql' ? await revocations(world, emails[1] ?? '') : []),
  ]
}
