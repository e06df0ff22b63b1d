// What requests feel of damaged images that are sent and shown beside them.
import { setTimeout as sleep } from 'node:timers/promises'
import { createPeople } from '../data/people.ts'
import { HttpConnection } from '../load/http-connection.ts'
import { type Sample, percentile } from '../load/load.ts'
import { requestBytes } from '../load/request.ts'
import { type Contestant, compare, p99s, takeTurns } from '../load/rounds.ts'
import { type ResultRow, atMost, milliseconds, ratioRow } from '../results.ts'
import { startAttacker } from '../servers/attacker.ts'
import type { World } from '../world.ts'

const connections = 8
/** So that the service is busy and not full: times in a full one say how long the line is. */
const pauseMs = 4

/** Session checks at a steady pace, and whatever else is to happen in the meantime. */
const steady = (port: number, next: () => Buffer, meanwhile: (seconds: number) => Promise<void>): Contestant => ({
  async run(seconds): Promise<Sample> {
    const latencies: number[] = []
    const end = performance.now() + seconds * 1000
    const loop = async () => {
      const connection = await HttpConnection.open(port)
      for (let sentAt = performance.now(); sentAt < end; sentAt = performance.now()) {
        const { status } = await connection.send(next())
        if (status !== 200) throw new Error(`a session check answered ${status}`)
        latencies.push(performance.now() - sentAt)
        await sleep(pauseMs)
      }
      connection.close()
    }
    await Promise.all([...Array.from({ length: connections }, loop), meanwhile(seconds)])
    return { perSecond: latencies.length / seconds, p99: percentile(latencies, 0.99) }
  },
})

export async function measureHostile(world: World): Promise<ResultRow[]> {
  const { engine, settings } = world
  const { dataset, server } = await world.running('small')
  const { cookies } = await createPeople(dataset, server.port)
  const checks = cookies.map((cookie) =>
    requestBytes({
      method: 'GET',
      path: '/frontend/api/v0/user/profile',
      headers: { 'x-public-key': dataset.main.publicKey, cookie },
    }),
  )
  let count = 0
  const next = () => checks[count++ % checks.length] ?? Buffer.alloc(0)
  const { rounds, warmUpRounds } = settings.pace
  const perRound = Math.ceil(settings.hostileFiles / (rounds + warmUpRounds))
  const attacker = await startAttacker({ port: server.port, tenant: dataset.main, files: settings.hostileFiles })
  try {
    const contestants = [
      steady(server.port, next, (seconds) => attacker.attack(perRound, seconds)),
      steady(server.port, next, async () => {}),
    ]
    const [beside = [], alone = []] = await takeTurns(contestants, settings.pace)
    const { taken, refused } = await attacker.outcome()
    const row = { engine, unit: milliseconds, against: 'without them', budget: atMost(1.5) }
    const measure = `p99 of session checks beside hostile images (${refused} refused, ${taken} taken and asked for)`
    return [ratioRow(compare(p99s(beside), p99s(alone)), { ...row, measure })]
  } finally {
    await attacker.stop()
  }
}
