// Checks the sizes of folders. `npm run check` runs it. It refuses
// - a folder with more than 20 source files (tests counted apart), so that a folder is read at a glance;
// - more than 20 tests in a folder of the product.
// Folders of languages and migrations, and generated files, grow with what they list and are exempt.
import { globSync } from 'node:fs'
import { basename, dirname } from 'node:path'

const filesMax = 20
const roots = ['bench', 'console', 'contract', 'examples', 'pages', 'react', 'scripts', 'sdk', 'server', '.ci']
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
