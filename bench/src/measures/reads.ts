import { listMembers, listTenants, listUsers, lookUp } from '../load/calls.ts'
import type { Dataset } from '../data/dataset.ts'
import { type Contestant, compare, p99s, rates, takeTurns } from '../load/rounds.ts'
import { type ResultRow, atLeast, atMost, milliseconds, ratioRow } from '../results.ts'
import { type World, bareContestant, httpContestant } from '../world.ts'

const connections = 32
/** Few, so that a latency tells more of the page than of the queue before it. */
const connectionsForLatency = 4
const bareReference = 'node:http, same bytes'

async function besideBare(world: World, next: () => Buffer): Promise<Contestant[]> {
  const { server } = await world.running('small')
  return [httpContestant(server.port, connections, next), await bareContestant(world, server.port, connections, next)]
}

export async function measureLookUp(world: World): Promise<ResultRow[]> {
  const { dataset } = await world.running('small')
  const [ours = [], bare = []] = await takeTurns(await besideBare(world, lookUp(dataset)), world.settings.pace)
  return [
    ratioRow(compare(rates(ours), rates(bare)), {
      engine: world.engine,
      measure: 'Look-up by public key',
      against: bareReference,
      budget: atLeast(0.8),
    }),
  ]
}

/** A page of a list in the large database beside the same page in the small one. */
async function pageInBothSizes(
  world: World,
  measure: string,
  page: (running: Awaited<ReturnType<World['running']>>) => () => Buffer,
): Promise<ResultRow> {
  const sizes = [await world.running('large'), await world.running('small')]
  const contestants = sizes.map((each) => httpContestant(each.server.port, connectionsForLatency, page(each)))
  const [large = [], small = []] = await takeTurns(contestants, world.settings.pace)
  return ratioRow(compare(p99s(large), p99s(small)), {
    engine: world.engine,
    measure,
    against: 'in the small database',
    unit: milliseconds,
    budget: atMost(1.2),
  })
}

export async function measureLists(world: World): Promise<ResultRow[]> {
  const { engine, settings } = world
  const { dataset } = await world.running('small')
  const [ours = [], bare = []] = await takeTurns(
    await besideBare(world, listMembers(dataset, dataset.cursors.first)),
    settings.pace,
  )
  const rows = [
    ratioRow(compare(rates(ours), rates(bare)), { engine, measure: 'List of 20 members', against: bareReference }),
  ]
  const { members, tenants } = settings.sizes.large
  for (const place of ['first', 'middle', 'last'] as const) {
    rows.push(
      await pageInBothSizes(world, `p99, ${place} page of ${members.toLocaleString('en')} members`, (each) =>
        listMembers(each.dataset, each.dataset.cursors[place]),
      ),
    )
  }
  rows.push(
    await pageInBothSizes(world, `p99, first page of ${tenants.toLocaleString('en')} tenants`, (each) =>
      listTenants(each.dataset),
    ),
  )
  return rows
}

/** What users are narrowed to, by how it is called in the results. Emails begin with hexadecimal digits, names with one word. */
const searches = (roleId: string) => ({
  'a name that all share': '&query=person',
  'a digit': '&query=9',
  'a few names': '&query=person%2099',
  nobody: '&query=zzz',
  'a role': `&roleId=${roleId}`,
  'a role, active': `&roleId=${roleId}&status=active`,
  'a role and a shared name': `&roleId=${roleId}&query=person`,
})

/** Searched and filtered lists of the large database beside the small one. */
export async function measureSearch(world: World): Promise<ResultRow[]> {
  const rows: ResultRow[] = []
  const size = world.settings.sizes.large.members.toLocaleString('en')
  for (const name of Object.keys(searches(''))) {
    const narrowing = ({ roleId }: Dataset) => searches(roleId)[name as keyof ReturnType<typeof searches>]
    rows.push(
      await pageInBothSizes(world, `p99, ${name} among ${size} users`, ({ dataset }) =>
        listUsers(dataset, narrowing(dataset)),
      ),
    )
  }
  return rows
}
