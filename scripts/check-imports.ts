// Checks which way the server's folders import: a wing may import from itself and from the wings below it, never from above, and a
// feature's queries are for the feature alone. `npm run check` runs it.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { exceptions } from './import-exceptions.ts'

/** From the top down. */
const wings = ['service', 'flows', 'identity', 'media', 'messaging', 'tenancy', 'platform']
const root = 'server/src/'
const importPattern = /^(?:import|export)\s[^'"]*?from '(\.[^']+)'|import\('(\.[^']+)'\)/gm

interface Import {
  readonly from: string
  readonly to: string
}

function importsOf(file: string): Import[] {
  const from = file.slice(root.length)
  return [...readFileSync(file, 'utf8').matchAll(importPattern)].map(([, stated, dynamic]) => ({
    from,
    to: normalize(join(dirname(from), stated ?? dynamic ?? '')),
  }))
}

const wingOf = (path: string) => wings.indexOf(path.split('/')[0] ?? '')

/** Returns what the import breaks; undefined for one that is fine. */
function breach({ from, to }: Import): string | undefined {
  if (to.startsWith('..')) return undefined
  if (wingOf(to) < 0) return `${to} is in no wing`
  if (wingOf(to) < wingOf(from)) return `imports upward, from ${to}`
  const isQueries = /(?:^|\/|-)queries\.ts$/.test(to)
  return isQueries && !from.startsWith(`${dirname(to)}/`) ? `imports another feature's queries, ${to}` : undefined
}

const files = globSync(`${root}**/*.ts`, { exclude: ['**/*.test.ts'] }).toSorted()
const known = new Set(exceptions)
const found = new Set<string>()
const problems: string[] = []
for (const each of files.flatMap(importsOf)) {
  const problem = breach(each)
  if (problem === undefined) continue
  const name = `${each.from} -> ${each.to}`
  found.add(name)
  if (!known.has(name)) problems.push(`${root}${each.from} ${problem}`)
}
for (const name of exceptions)
  if (!found.has(name)) problems.push(`scripts/import-exceptions.ts: ${name} is no import any more`)
if (process.argv.includes('--list')) for (const name of [...found].toSorted()) console.log(name)
else if (problems.length > 0) {
  console.error(problems.join('\n'))
  console.error('See ARCHITECTURE.md for the wings. Turn the import round, or move what is imported down.')
  process.exit(1)
}
