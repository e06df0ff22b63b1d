// How damaged images that are sent and requested affect other requests.
import { createPeople } from '../data/people.ts'
import { requestBytes } from '../load/request.ts'
import { compare, p99s, takeTurns } from '../load/rounds.ts'
import { steady } from '../load/steady.ts'
import { type ResultRow, atMost, milliseconds, ratioRow } from '../results.ts'
import { type Attack, type Attacker, startAttacker } from '../servers/attacker.ts'
import type { Barrage } from '../settings.ts'
import type { World } from '../world.ts'

interface Scene {
  readonly world: World
  readonly attacker: Attacker
  readonly port: number
  /** Returns the next session check. */
  readonly next: () => Buffer
}

/** Rounds beside damaged images, beside as many intact ones, and beside none. */
async function besideImages({ world, attacker, port, next }: Scene, barrage: Barrage) {
  const { perSecond } = barrage
  const beside = (what: Attack['what']) =>
    steady(port, next, (seconds) => attacker.attack({ what, files: Math.ceil(perSecond * seconds), seconds }))
  const contestants = [beside('damaged'), beside('whole'), steady(port, next, async () => {})]
  const before = await attacker.outcome()
  const [damaged = [], whole = [], none = []] = await takeTurns(contestants, barrage)
  const after = await attacker.outcome()
  const [taken, refused] = [after.taken - before.taken, after.refused - before.refused]
  const measure = `p99 of session checks beside ${perSecond} hostile images a second (${refused} refused, ${taken} taken and asked for)`
  const row = { engine: world.engine, unit: milliseconds, measure }
  return [
    ratioRow(compare(p99s(damaged), p99s(none)), { ...row, against: 'without them', budget: atMost(1.5) }),
    ratioRow(compare(p99s(damaged), p99s(whole)), { ...row, against: 'beside as many whole ones' }),
  ]
}

const countFiles = ({ perSecond, rounds, warmUpRounds, secondsPerRound }: Barrage) =>
  Math.ceil(perSecond * secondsPerRound) * (rounds + warmUpRounds)

export async function measureHostile(world: World): Promise<ResultRow[]> {
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
  const { flood, allowed } = world.settings.hostile
  const attacker = await startAttacker({
    port: server.port,
    tenant: dataset.main,
    files: countFiles(flood) + countFiles(allowed),
  })
  const scene = { world, attacker, port: server.port, next }
  try {
    return [...(await besideImages(scene, flood)), ...(await besideImages(scene, allowed))]
  } finally {
    await attacker.stop()
  }
}
