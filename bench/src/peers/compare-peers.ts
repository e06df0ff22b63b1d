// `npm run bench -- --only=peers`: the same journeys at each service that is installed, by the processor time that a request takes.
// The services run at the same time and are asked by turns, so that other work of the machine affects all alike.
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../load/rounds.ts'
import { treeMegabytes } from '../servers/process-figures.ts'
import { type RequestTime, measureRequests, postgresPid } from '../servers/processor-time.ts'
import type { Settings } from '../settings.ts'
import { startBailiwickPeer } from './bailiwick.ts'
import { startBetterAuthPeer } from './better-auth.ts'
import { startOidcProviderPeer } from './oidc-provider.ts'
import { type JourneyName, type Peer, journeyNames } from './peer.ts'
import type { PeerPlace } from './place.ts'
import type { PeerFigures } from './report.ts'

const connections = 16
/** One hash occupies one core, so more at once would only wait. */
const connectionsForPasswords = 4
const idleSeconds = 5

/** How many requests a round has: so many that a hundredth of a second more or less changes little. */
const requestCounts: Readonly<Record<JourneyName, number>> = {
  'sign-up': 60,
  'sign-in': 60,
  'session check': 3000,
  'list of 20': 1000,
  'client credentials, JWT': 1000,
  'client credentials, opaque': 1000,
  'code to tokens': 480,
}

const isOfPasswords = (name: JourneyName) => name === 'sign-up' || name === 'sign-in'

/** Sends one round of requests and returns the microseconds of processor time that each took. */
async function measureRound(peer: Peer, name: JourneyName, count: number, postgres: number): Promise<RequestTime> {
  const journey = peer.journeys[name]
  if (journey === undefined) throw new Error(`${peer.title} has no ${name}`)
  const measured = { ...peer, databasePids: peer.usesPostgres ? [postgres] : [] }
  try {
    return await measureRequests(measured, isOfPasswords(name) ? connectionsForPasswords : connections, (open) =>
      journey(count, open),
    )
  } catch (error) {
    throw new Error(`${peer.title}, ${name}`, { cause: error })
  }
}

const takeMedian = (taken: readonly RequestTime[], part: keyof RequestTime) => median(taken.map((each) => each[part]))

async function measureJourneys(peers: readonly Peer[], settings: Settings, postgres: number) {
  const { rounds, warmUpRounds } = settings.pace
  const figures = new Map<Peer, Partial<Record<JourneyName, RequestTime>>>(peers.map((peer) => [peer, {}]))
  for (const name of journeyNames) {
    const taking = peers.filter(({ journeys }) => journeys[name] !== undefined)
    const taken = new Map<Peer, RequestTime[]>(taking.map((peer) => [peer, []]))
    const count = settings.isQuick ? Math.ceil(requestCounts[name] / 5) : requestCounts[name]
    for (let round = -warmUpRounds; round < rounds; round++) {
      for (const peer of taking) {
        const result = await measureRound(peer, name, count, postgres)
        if (round >= 0) taken.get(peer)?.push(result)
      }
    }
    for (const [peer, each] of taken) {
      const row = figures.get(peer)
      if (row !== undefined)
        row[name] = { service: takeMedian(each, 'service'), database: takeMedian(each, 'database') }
      console.log(`${name}: ${peer.title}, ${peer.store}`, row?.[name])
    }
  }
  return figures
}

/** Starts every service, measures all journeys, and stops the services again. */
export async function comparePeers(place: PeerPlace, postgresUrl: string, settings: Settings): Promise<PeerFigures[]> {
  const peers: Peer[] = []
  const idle: number[] = []
  try {
    for (const start of [
      () => startBailiwickPeer(place, undefined),
      () => startBailiwickPeer(place, postgresUrl),
      () => startBetterAuthPeer(place, undefined),
      () => startBetterAuthPeer(place, postgresUrl),
      () => startOidcProviderPeer(place, postgresUrl),
    ]) {
      const peer = await start()
      peers.push(peer)
      await sleep(idleSeconds * 1000)
      idle.push(treeMegabytes(peer.pid))
    }
    const figures = await measureJourneys(peers, settings, postgresPid(postgresUrl))
    return peers.map((peer, index) => ({
      title: peer.title,
      store: peer.store,
      idleMegabytes: idle[index] ?? 0,
      loadedMegabytes: treeMegabytes(peer.pid),
      journeys: figures.get(peer) ?? {},
    }))
  } finally {
    for (const peer of peers) await peer.stop()
  }
}
