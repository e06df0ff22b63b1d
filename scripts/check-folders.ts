// Checks the sizes of folders. `npm run check` runs it. It refuses
// - a folder with more than 20 source files (tests counted apart), so that a folder is read at a glance;
// - more than 20 tests in a folder of the product.
// - more than 20 thin files: fewer than 15 lines, imported by fewer than three others. A thin file that many share is a fact of its own; any
//   other one belongs to the file that uses it.
// Folders of languages and migrations, and generated files, grow with what they list and are exempt. So are, as thin files, those that each
// room has by a name of their own (ARCHITECTURE.md), the entries of packages, scripts that are run and not imported, and the examples, whose
// files their frameworks ask for.
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const filesMax = 20
const roots = [
  'bench',
  'console',
  'contract',
  'examples',
  'pages',
  'react',
  'scripts',
  'sdk',
  'server',
  'site',
  'testing',
  '.ci',
]
const exemptFolders = new Set(['languages', 'migrations', 'texts'])

const isTest = (file: string) => file.endsWith('.test.ts')
const sources = globSync(
  roots.map((root) => `${root}/**/*.{ts,tsx,mjs,js,jsx}`),
  { exclude: ['**/node_modules/**', '**/.*/**'] },
).filter((file) => !file.includes('.gen.') && !exemptFolders.has(basename(dirname(file))))

/** Returns a line for each folder in which more than 20 of the files stand. */
function fullFolders(files: readonly string[], kind: string): string[] {
  return [...Map.groupBy(files, (file) => dirname(file))]
    .filter(([, inFolder]) => inFolder.length > filesMax)
    .map(([folder, { length }]) => `${folder} has ${length} ${kind}; ${filesMax} are the most.`)
}

const thinLines = 15
const thinFilesMax = 20
const importersMin = 3
const namesOfRooms = new Set([
  'feature.ts',
  'routes.ts',
  'deps.ts',
  'tables.ts',
  'queries.ts',
  'present.ts',
  'index.ts',
])

/** Returns how many files import each file. */
function countImporters(files: readonly string[]): ReadonlyMap<string, number> {
  const importers = new Map<string, number>()
  for (const file of files) {
    const targets = readFileSync(file, 'utf8').matchAll(/(?:from|import) ?\(?'(\.[^']+)'/g)
    for (const [, to = ''] of targets) {
      const path = join(dirname(file), to)
      importers.set(path, (importers.get(path) ?? 0) + 1)
    }
  }
  return importers
}

function thinFiles(): string[] {
  const importers = countImporters(sources)
  return sources.filter((file) => {
    const count = importers.get(file) ?? 0
    if (isTest(file) || count === 0 || count >= importersMin) return false
    const isExempt = namesOfRooms.has(basename(file)) || file.startsWith('examples/')
    return !isExempt && readFileSync(file, 'utf8').trimEnd().split('\n').length < thinLines
  })
}

const thin = thinFiles()
if (thin.length > thinFilesMax) {
  console.error(
    `${thin.length} files have fewer than ${thinLines} lines; ${thinFilesMax} are the most:\n${thin.join('\n')}`,
  )
  console.error('Join each with the file that it belongs to.')
  process.exit(1)
}

const problems = [
  ...fullFolders(
    sources.filter((file) => !isTest(file)),
    'source files',
  ),
  ...fullFolders(
    sources.filter((file) => isTest(file) && file.includes('/src/')),
    'tests',
  ),
]
if (problems.length > 0) {
  console.error(problems.toSorted().join('\n'))
  console.error('Give what belongs together a folder of its own.')
  process.exit(1)
}
