import { perPage } from '../data/dataset.ts'
import { unique } from '../load/bodies.ts'
import { createUser, listMembers, lookUp } from '../load/calls.ts'
import { requestBytes } from '../load/request.ts'
import { compare, rates, takeTurns } from '../load/rounds.ts'
import { type ResultRow, ratioRow } from '../results.ts'
import { type World, httpContestant } from '../world.ts'

const connections = 32
/** One hash occupies one core, so more at once would only wait. */
const connectionsForPasswords = 8
const password = 'correct horse battery staple'

export async function measurePeer(world: World): Promise<ResultRow[]> {
  const { engine, settings } = world
  const { dataset, server } = await world.running('small')
  const peer = await world.betterAuth()
  const { cookie, organizationId } = peer
  const path = '/api/auth'
  const session = requestBytes({ method: 'GET', path: `${path}/get-session`, headers: { cookie } })
  const members = requestBytes({
    method: 'GET',
    path: `${path}/organization/list-members?organizationId=${organizationId}&limit=${perPage}&offset=0`,
    headers: { cookie },
  })
  const signUp = () => {
    const name = unique()
    const body = JSON.stringify({ email: `${name}@people.example`, name: `Person ${name}`, password })
    return requestBytes({ method: 'POST', path: `${path}/sign-up/email`, body })
  }
  const pairs = [
    {
      measure: 'Authenticated look-up (record of the tenant)',
      against: 'better-auth, get-session',
      connections,
      ours: lookUp(dataset),
      theirs: () => session,
    },
    {
      measure: 'List of 20 of 1,000 members',
      against: 'better-auth, list-members',
      connections,
      ours: listMembers(dataset, dataset.cursors.first),
      theirs: () => members,
    },
    {
      measure: 'New user with a password',
      against: 'better-auth, sign-up by e-mail',
      connections: connectionsForPasswords,
      ours: createUser(dataset.main, password),
      theirs: signUp,
    },
  ]
  const rows: ResultRow[] = []
  for (const { measure, against, connections: count, ours, theirs } of pairs) {
    const contestants = [httpContestant(server.port, count, ours), httpContestant(peer.port, count, theirs)]
    const [our = [], their = []] = await takeTurns(contestants, settings.pace)
    rows.push(ratioRow(compare(rates(our), rates(their)), { engine, measure, against }))
  }
  return rows
}
