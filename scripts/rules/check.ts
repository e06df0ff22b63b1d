// Run by `npm run check`: refuses what breaks a rule of the documents, with its place.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Tree, breaches, idleExceptions } from './rules.ts'

const root = join(import.meta.dirname, '../..')
const filesMin = 1000
const files = globSync(
  [
    '{bench,console,contract,create,examples,pages,react,scripts,sdk,server,site,testing}/**/*.{ts,tsx,mjs,json}',
    '.ci/*.ts',
    'package.json',
    'docs/decisions/*.md',
  ],
  { cwd: root, exclude: ['**/node_modules/**', '**/.built/**', '**/.packages/**'] },
)
  .map((path) => path.replaceAll('\\', '/'))
  .toSorted()
const tree: Tree = { files, read: (path) => readFileSync(join(root, path), 'utf8') }

const problems = [...breaches(tree), ...idleExceptions(tree)]
if (files.length < filesMin) problems.push(`only ${files.length} files were checked: some have moved`)
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
