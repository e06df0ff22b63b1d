// Checks which way the server's files import. `npm run check` runs it. It refuses
// - an import from a wing above: a wing may import from itself and from the wings below it;
// - an import of another feature's queries: features call each other's operations;
// - a circle of imports at run time, because its first file would be evaluated before the files that it needs.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** From the top down. */
const wings = ['service', 'pages', 'applications', 'flows', 'identity', 'media', 'messaging', 'tenancy', 'platform']
const root = 'server/src/'
/** Matches import and re-export statements (those of types alone are marked) and dynamic imports. */
const importPattern =
  /^(?:import|export)\s(type\s)?[\w\s{},*]*?from '(\.[^']+)'|^import '(\.[^']+)'|import\('(\.[^']+)'\)/gm

interface Import {
  readonly from: string
  readonly to: string
  /** Whether `to` is evaluated before `from`. */
  readonly isFirst: boolean
}

function importsOf(file: string): Import[] {
  const from = file.slice(root.length)
  return [...readFileSync(file, 'utf8').matchAll(importPattern)].map(([, type, stated, bare, later]) => ({
    from,
    to: normalize(join(dirname(from), stated ?? bare ?? later ?? '')),
    isFirst: type === undefined && later === undefined,
  }))
}

const wingOf = (path: string) => wings.indexOf(path.split('/')[0] ?? '')

/** Returns the rule that the import breaks; undefined if it breaks none. */
function breach({ from, to }: Import): string | undefined {
  if (to.startsWith('..')) return undefined
  if (wingOf(to) < 0) return `${to} is in no wing`
  if (wingOf(to) < wingOf(from)) return `imports upward, from ${to}`
  const isQueries = /(?:^|\/|-)queries\.ts$/.test(to)
  return isQueries && !from.startsWith(`${dirname(to)}/`) ? `imports another feature's queries, ${to}` : undefined
}

/** Returns one circle for each way back into a file that is still being followed. */
function circlesOf(imports: readonly Import[]): string[] {
  const targets = Map.groupBy(
    imports.filter(({ isFirst }) => isFirst),
    ({ from }) => from,
  )
  const done = new Set<string>()
  const path: string[] = []
  const circles: string[] = []
  function follow(file: string) {
    if (done.has(file)) return
    const start = path.indexOf(file)
    if (start >= 0) return void circles.push([...path.slice(start), file].join(' -> '))
    path.push(file)
    for (const { to } of targets.get(file) ?? []) follow(to)
    path.pop()
    done.add(file)
  }
  for (const file of targets.keys()) follow(file)
  return circles
}

const files = globSync(`${root}**/*.ts`, { exclude: ['**/*.test.ts'] }).toSorted()
const imports = files.flatMap(importsOf)
const problems = [
  ...imports.flatMap((each) => {
    const problem = breach(each)
    return problem === undefined ? [] : [`${root}${each.from} ${problem}`]
  }),
  ...circlesOf(imports).map((circle) => `a circle of imports: ${circle}`),
]
if (problems.length > 0) {
  console.error(problems.join('\n'))
  console.error('See ARCHITECTURE.md for the wings. Turn the import round, or move what is imported down.')
  process.exit(1)
}
