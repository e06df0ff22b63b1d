import { createUser, lookUpAny } from '../load/calls.ts'
import { compare, rates, takeTurns } from '../load/rounds.ts'
import { type ResultRow, ratioRow } from '../results.ts'
import { type World, httpContestant } from '../world.ts'

const connectionsForReads = 32
const connectionsForWrites = 64

/** Compares the large database with the small one. */
export async function measureScale(world: World): Promise<ResultRow[]> {
  const { engine, settings } = world
  const { large: size } = settings.sizes
  const sizes = [await world.running('large'), await world.running('small')]
  const against = 'in the small database'

  const lookUps = sizes.map(({ server, dataset }) =>
    httpContestant(server.port, connectionsForReads, lookUpAny(dataset)),
  )
  const [largeLookUps = [], smallLookUps = []] = await takeTurns(lookUps, settings.pace)

  // They are added to the tenant that has the users already.
  const users = sizes.map(({ server, dataset }) =>
    httpContestant(server.port, connectionsForWrites, createUser(dataset.console)),
  )
  const [largeUsers = [], smallUsers = []] = await takeTurns(users, settings.pace)
  return [
    ratioRow(compare(rates(largeLookUps), rates(smallLookUps)), {
      engine,
      measure: `Look-up of any of ${size.tenants.toLocaleString('en')} tenants`,
      against,
    }),
    ratioRow(compare(rates(largeUsers), rates(smallUsers)), {
      engine,
      measure: `POST /auth/users beside ${size.members.toLocaleString('en')} users`,
      against,
    }),
  ]
}
