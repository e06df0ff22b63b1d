// Each tenant as an authorization server: documents that are the same for everybody, and tokens.
import { requestBytes } from '../load/request.ts'
import { compare, rates, takeTurns } from '../load/rounds.ts'
import { type ResultRow, atLeast, ratioRow } from '../results.ts'
import { type World, bareContestant } from '../world.ts'
import { measureCodes } from './code-to-tokens.ts'
import { connections, measureTokens, ours } from './machine-tokens.ts'
import { measureManyServers } from './many-authorization-servers.ts'

async function measureDocuments(world: World): Promise<ResultRow[]> {
  const { engine, settings } = world
  const { server, dataset } = await world.running('small')
  const rows: ResultRow[] = []
  for (const [name, path] of [
    ['Discovery of a tenant', '.well-known/openid-configuration'],
    ['Keys of a tenant', 'oauth/jwks'],
  ] as const) {
    const request = requestBytes({ method: 'GET', path: `/t/${dataset.main.id}/${path}` })
    const next = () => request
    const bare = await bareContestant(world, server.port, connections, next)
    const [opened = [], answered = []] = await takeTurns([ours(server.port, next), bare], settings.pace)
    rows.push(
      ratioRow(compare(rates(opened), rates(answered)), {
        engine,
        measure: name,
        against: 'node:http, same bytes',
        budget: atLeast(0.8),
      }),
    )
  }
  return rows
}

export const measureApplications = async (world: World): Promise<ResultRow[]> => [
  ...(await measureDocuments(world)),
  ...(await measureTokens(world)),
  ...(await measureCodes(world)),
  ...(await measureManyServers(world)),
]
