// Writes docs/security-tests.md from server/test/documents/security-guards.md and the comments `// Guards: <name>, …` above tests, or with
// --check fails if it is not what they say.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type SourceFile, securityTestsPage } from './security-tests-page.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const guardsFile = 'server/test/documents/security-guards.md'
const pageFile = 'docs/security-tests.md'
const folders = '{contract,pages,server,sdk,react,console,scripts,bench}'

const read = (path: string) => readFileSync(join(root, path), 'utf8')

const files: SourceFile[] = globSync(`${folders}/**/*.test.ts`, { cwd: root, exclude: ['**/node_modules/**'] })
  .map((path) => path.replaceAll('\\', '/'))
  .toSorted()
  .map((path) => ({ path, source: read(path) }))
const { page, problems } = securityTestsPage(read(guardsFile), files)

if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`)
  process.exit(1)
}
if (!process.argv.includes('--check')) writeFileSync(join(root, pageFile), page)
else if (read(pageFile) !== page) {
  process.stderr.write(
    `${pageFile} is not what ${guardsFile} and the tests say; run \`npm run openapi\` and commit it.\n`,
  )
  process.exit(1)
}
