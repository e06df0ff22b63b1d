// Run by `npm run check`: refuses words for which the glossary has another one in what users and developers read on screen and in errors,
// and more names of variables and functions that a reader must look up than there are.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findForbiddenWords } from './texts/glossary.ts'
import { findTooManyNames } from './texts/names.ts'

const repository = join(import.meta.dirname, '..')
const files = globSync(
  [
    'console/src/**/*.{ts,tsx}',
    'pages/src/texts/en.json',
    'react/src/texts/{en,en-forms}.json',
    'server/src/messaging/notifications/texts/en.json',
    'contract/src/errors.ts',
    'contract/src/settings/*.ts',
  ],
  { cwd: repository, exclude: ['**/*.test.ts', '**/*.test.tsx', '**/*.gen.ts'] },
).toSorted()

let isRefused = files.length < 100
if (isRefused) console.error(`the glossary was checked in ${files.length} files only: some have moved`)
for (const file of files) {
  for (const { line, found, say } of findForbiddenWords(file, readFileSync(join(repository, file), 'utf8'))) {
    console.error(`${file}:${line}: do not say "${found}": say ${say}`)
    isRefused = true
  }
}

const sources = globSync('{bench,console,contract,pages,react,scripts,sdk,server,site}/**/*.{ts,tsx}', {
  cwd: repository,
  exclude: ['**/node_modules/**', '**/*.gen.ts', '**/.*/**'],
})
const tooMany = findTooManyNames(sources.map((file) => readFileSync(join(repository, file), 'utf8')))
for (const { count, most, say, what } of tooMany) {
  console.error(`there are ${count} ${what}, and at most ${most} are accepted (scripts/texts/names.ts): choose ${say}`)
  isRefused = true
}
if (isRefused) process.exit(1)
