import type { Dataset } from '../data/dataset.ts'
import { listMembers, listTenants, listUsers, lookUp } from '../load/calls.ts'
import { p99sInTurns } from '../load/latency.ts'
import { type Contestant, compare, rates, takeTurns } from '../load/rounds.ts'
import { type ResultRow, atLeast, atMost, milliseconds, ratioRow } from '../results.ts'
import { type World, bareContestant, httpContestant } from '../world.ts'

const connections = 32
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
async function pageInBothSizes(world: World, measure: string, page: (dataset: Dataset) => () => Buffer) {
  const sizes = [await world.running('large'), await world.running('small')]
  const asked = sizes.map(({ server: { port }, dataset }) => ({ port, next: page(dataset) }))
  const [large = [], small = []] = await p99sInTurns(asked, world.settings.latencyPace)
  return ratioRow(compare(large, small), {
    engine: world.engine,
    measure: `p99, ${measure}`,
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
    ratioRow(compare(rates(ours), rates(bare)), {
      engine,
      measure: 'List of 20 members',
      against: bareReference,
      // 8,000 and 3,000 a second on a machine where bare node:http answers 44,000.
      budget: atLeast(engine === 'sqlite' ? 0.18 : 0.07),
    }),
  ]
  const { large, small } = settings.sizes
  for (const place of ['first', 'middle', 'last'] as const) {
    rows.push(
      await pageInBothSizes(world, `${place} page of ${large.members.toLocaleString('en')} members`, (each) =>
        listMembers(each, each.cursors[place]),
      ),
    )
  }
  // So many that the small database has a second page too.
  const onPage = small.tenants - 1
  rows.push(
    await pageInBothSizes(
      world,
      `first page (${onPage} records) of ${large.tenants.toLocaleString('en')} tenants`,
      (each) => listTenants(each, onPage),
    ),
  )
  return rows
}

interface Search {
  readonly name: string
  readonly narrowing: (dataset: Dataset) => string
  /** The number of records on the page, where the small database does not have the usual number. */
  readonly onPage?: number
}

/** The beginning of the names of eleven users, whatever the size: `person 99` of 1,000 users. */
const lastNames = ({ size }: Dataset) => `&query=person%20${size.members / 10 - 1}`

/** The filters of the lists. E-mail addresses begin with hexadecimal digits, names with one word. */
const searches: readonly Search[] = [
  { name: 'a name that all share', narrowing: () => '&query=person' },
  { name: 'a digit', narrowing: () => '&query=9' },
  { name: 'a name that one in ninety has', narrowing: () => '&query=person%2099', onPage: 10 },
  { name: 'a few names', narrowing: lastNames },
  { name: 'a domain that all share', narrowing: () => '&query=%40people' },
  { name: 'a domain that a hundred share', narrowing: () => '&query=contoso' },
  { name: 'two words, each of all', narrowing: () => '&query=people%20person' },
  { name: 'two words, one of them rare', narrowing: () => '&query=person%20contoso' },
  { name: 'nobody', narrowing: () => '&query=zzz' },
  { name: 'a role', narrowing: ({ roleId }) => `&roleId=${roleId}` },
  { name: 'a role, active', narrowing: ({ roleId }) => `&roleId=${roleId}&status=active` },
  { name: 'a role and a shared name', narrowing: ({ roleId }) => `&roleId=${roleId}&query=person` },
]

/** Searched and filtered lists of the large database beside the small one. */
export async function measureSearch(world: World): Promise<ResultRow[]> {
  const rows: ResultRow[] = []
  const size = world.settings.sizes.large.members.toLocaleString('en')
  for (const { name, narrowing, onPage } of searches) {
    rows.push(
      await pageInBothSizes(world, `${name} among ${size} users`, (dataset) =>
        listUsers(dataset, narrowing(dataset), onPage),
      ),
    )
  }
  return rows
}
