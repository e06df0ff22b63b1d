// Run by `npm run check`: refuses words for which the glossary has another one in what users and developers read on screen and in errors.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findForbiddenWords } from './texts/glossary.ts'

const repository = join(import.meta.dirname, '..')
const files = globSync(
  [
    'console/src/**/*.{ts,tsx}',
    'pages/src/texts/en.json',
    'react/src/texts/{en,en-forms}.json',
    'server/src/messaging/notifications/texts/en.json',
    'contract/src/{errors,tenant-auth-settings}.ts',
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
if (isRefused) process.exit(1)
