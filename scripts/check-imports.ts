// Checks which way files import. `npm run check` runs it. It refuses
// - an import from a wing of the server above: a wing may import from itself and from the wings below it;
// - an import of another room's queries: features call each other's operations;
// - a circle between the rooms (folders) of a wing or of another workspace, imports of types included;
// - an import from a room of the same wing that ARCHITECTURE.md lists above;
// - a circle of imports at run time, because its first file would be evaluated before the files that it needs.
// `--rooms` prints the rooms of each building from the top down, as ARCHITECTURE.md lists them.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** From the top down. */
const wings = [
  'service',
  'pages',
  'applications',
  'flows',
  'enterprise',
  'identity',
  'media',
  'messaging',
  'tenancy',
  'platform',
]
const server = 'server/src/'
const workspaces = [
  'contract/src/',
  'pages/src/',
  'sdk/src/',
  'react/src/',
  'testing/src/',
  'console/src/',
  'site/src/',
]
/** Folders whose folders are rooms. */
const buildings = [...wings.map((wing) => `${server}${wing}/`), ...workspaces, 'console/src/screens/']
/** Matches import and re-export statements (those of types alone are marked) and dynamic imports. */
const importPattern =
  /^(?:import|export)\s(type\s)?[\w\s{},*]*?from '(\.[^']+)'|^import '(\.[^']+)'|import\('(\.[^']+)'\)/gm

interface Import {
  readonly from: string
  readonly to: string
  /** Whether `to` is evaluated before `from`. */
  readonly isFirst: boolean
}

function importsIn(file: string): Import[] {
  return [...readFileSync(file, 'utf8').matchAll(importPattern)].map(([, type, stated, bare, later]) => ({
    from: file,
    to: normalize(join(dirname(file), stated ?? bare ?? later ?? '')),
    isFirst: type === undefined && later === undefined,
  }))
}

const wingIndex = (path: string) => wings.indexOf(path.slice(server.length).split('/')[0] ?? '')

/** Returns the rule that the import breaks; undefined if it breaks none. */
function breach({ from, to }: Import): string | undefined {
  if (!from.startsWith(server) || !to.startsWith(server)) return undefined
  if (wingIndex(to) < 0) return `${to} is in no wing`
  if (wingIndex(to) < wingIndex(from)) return `imports upward, from ${to}`
  const isQueries = /(?:^|\/|-)queries\.ts$/.test(to)
  return isQueries && !from.startsWith(`${dirname(to)}/`) ? `imports another room's queries, ${to}` : undefined
}

/** Returns one circle for each way back into a node that is still being followed. */
function circlesIn(arrows: readonly (readonly [from: string, to: string])[]): string[] {
  const targets = Map.groupBy(arrows, ([from]) => from)
  const done = new Set<string>()
  const path: string[] = []
  const circles: string[] = []
  function follow(node: string) {
    if (done.has(node)) return
    const start = path.indexOf(node)
    if (start >= 0) return void circles.push([...path.slice(start), node].join(' -> '))
    path.push(node)
    for (const [, to] of targets.get(node) ?? []) follow(to)
    path.pop()
    done.add(node)
  }
  for (const node of targets.keys()) follow(node)
  return circles
}

/** Returns the room of a file in a building; undefined for a file that stands beside the rooms. */
function roomIn(building: string, file: string): string | undefined {
  const [room, rest] = file.startsWith(building) ? file.slice(building.length).split('/') : []
  return rest === undefined ? undefined : room
}

/** Returns the arrows between the rooms of a building. */
function roomArrows(building: string, imports: readonly Import[]) {
  return imports.flatMap(({ from, to }) => {
    const [source, target] = [roomIn(building, from), roomIn(building, to)]
    return source === undefined || target === undefined || source === target ? [] : [[source, target] as const]
  })
}

const lists = /```\nservice [^`]*```/.exec(readFileSync('ARCHITECTURE.md', 'utf8'))?.[0].split(/^(?=[a-z])/m) ?? []

/** Returns the arrows between rooms of a wing that go against its list in ARCHITECTURE.md. */
function upwardArrows(wing: string, imports: readonly Import[]): Set<string> {
  const list = lists.find((each) => each.startsWith(`${wing} `)) ?? ''
  const place = (room: string) => list.indexOf(` ${room}/`)
  const arrows = roomArrows(`${server}${wing}/`, imports)
  return new Set(arrows.filter(([from, to]) => place(from) > place(to)).map((arrow) => arrow.join(' -> ')))
}

/** Returns the rooms of a building, each above the rooms that it imports from. */
function roomsFromTop(building: string, all: readonly string[], imports: readonly Import[]): string[] {
  const arrows = roomArrows(building, imports)
  const rooms = new Set(all.flatMap((file) => roomIn(building, file) ?? []))
  const below = (room: string): number =>
    1 + Math.max(-1, ...arrows.filter(([from]) => from === room).map(([, to]) => below(to)))
  return [...rooms].toSorted((a, b) => below(b) - below(a) || a.localeCompare(b))
}

const files = [server, ...workspaces]
  .flatMap((folder) => globSync(`${folder}**/*.{ts,tsx}`, { exclude: ['**/*.test.ts'] }))
  .toSorted()
const imports = files.flatMap(importsIn)
const roomCircles = buildings.flatMap((building) =>
  circlesIn(roomArrows(building, imports)).map((circle) => `a circle of rooms in ${building}: ${circle}`),
)
const fileCircles = circlesIn(imports.filter(({ isFirst }) => isFirst).map(({ from, to }) => [from, to]))
const problems = [
  ...imports.flatMap((each) => {
    const problem = breach(each)
    return problem === undefined ? [] : [`${each.from} ${problem}`]
  }),
  ...roomCircles,
  ...wings.flatMap((wing) =>
    [...upwardArrows(wing, imports)].map(
      (arrow) => `${wing}: ARCHITECTURE.md lists these rooms in another order: ${arrow}`,
    ),
  ),
  ...fileCircles.map((circle) => `a circle of imports: ${circle}`),
]
if (problems.length > 0) {
  console.error(problems.join('\n'))
  console.error('See ARCHITECTURE.md for wings and rooms. Turn the import round, or move what is imported down.')
  process.exit(1)
}
if (process.argv.includes('--rooms')) {
  for (const building of buildings) console.log(`${building} ${roomsFromTop(building, files, imports).join(', ')}`)
}
