// What `npm run release -- <version>` runs: sets the version of every package, puts it above the changelog's unreleased entries, commits
// and tags. It also writes the commit of the version before into releases.json, since a clone may lack its tag. docs/releasing.md says what
// comes before and after.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** https://semver.org, without build metadata, which npm ignores. */
const versionPattern = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:-([\da-z]+(?:\.[\da-z]+)*))?$/
const unreleased = /^## Unreleased\n/m

interface Manifest {
  version: string
  readonly name: string
  readonly workspaces?: readonly string[]
  readonly dependencies?: Record<string, string>
  readonly devDependencies?: Record<string, string>
}

const root = process.cwd()
const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const manifestPath = (folder: string) => join(root, folder, 'package.json')
const read = (folder: string) => JSON.parse(readFileSync(manifestPath(folder), 'utf8')) as Manifest

function refuse(problem: string): never {
  console.error(`${problem}\nnpm run release -- <version>`)
  process.exit(2)
}

/** Returns whether one version comes after another; a pre-release comes before its release. */
function isLater(version: string, before: string): boolean {
  const [, ...a] = versionPattern.exec(version) ?? []
  const [, ...b] = versionPattern.exec(before) ?? []
  for (const index of [0, 1, 2]) {
    if (a[index] !== b[index]) return Number(a[index]) > Number(b[index])
  }
  if (a[3] === undefined || b[3] === undefined) return a[3] === undefined && b[3] !== undefined
  return a[3].localeCompare(b[3], 'en', { numeric: true }) > 0
}

function check(version: string | undefined, current: string): asserts version is string {
  if (version === undefined || !versionPattern.test(version))
    refuse(`${version ?? 'Nothing'} is no version such as 1.2.3.`)
  if (!isLater(version, current)) refuse(`${version} does not come after ${current}.`)
  if (git('status', '--porcelain') !== '') refuse('There are changes that are not committed.')
  if (git('tag', '--list', `v${version}`) !== '') refuse(`The tag v${version} exists.`)
  if (!unreleased.test(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))) refuse('CHANGELOG.md has no "## Unreleased".')
}

/** Sets the version of a package, and of the packages of this repository that it depends on. */
function setVersion(folder: string, version: string, own: ReadonlySet<string>) {
  const manifest = read(folder)
  manifest.version = version
  for (const dependencies of [manifest.dependencies, manifest.devDependencies]) {
    for (const name of Object.keys(dependencies ?? {})) {
      if (dependencies !== undefined && own.has(name)) dependencies[name] = version
    }
  }
  writeFileSync(manifestPath(folder), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** Adds the commit of the version before to releases.json: the commit of a release is not known before the release is made. */
function recordRelease(version: string) {
  const file = join(root, 'releases.json')
  const releases = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {}
  releases[version] ??= git('rev-parse', `v${version}^{commit}`)
  writeFileSync(file, `${JSON.stringify(releases, null, 2)}\n`)
}

function moveHeading(version: string) {
  const file = join(root, 'CHANGELOG.md')
  const day = new Date().toISOString().slice(0, 10)
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(unreleased, `## Unreleased\n\n## ${version} - ${day}\n`))
}

const [version] = process.argv.slice(2)
const { version: current, workspaces = [] } = read('.')
check(version, current)
// What uses the packages as they are published is not a workspace: the examples, and the package that makes an app.
const examples = existsSync(join(root, 'examples')) ? readdirSync(join(root, 'examples')) : []
const others = [...examples.map((name) => join('examples', name)), 'create'].filter((folder) =>
  existsSync(manifestPath(folder)),
)
const folders = ['.', ...workspaces, ...others]
const own = new Set(folders.map((folder) => read(folder).name))
for (const folder of folders) setVersion(folder, version, own)
recordRelease(current)
moveHeading(version)
execFileSync(
  'npm',
  [
    'install',
    '--package-lock-only',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--loglevel=error',
  ],
  // On Windows npm is a script, which only a shell can start.
  { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' },
)
const changed = [
  'CHANGELOG.md',
  'package-lock.json',
  'releases.json',
  ...folders.map((folder) => join(folder, 'package.json')),
]
git('add', '--', ...changed)
git('commit', '--quiet', '-m', `release: ${version}`)
git('tag', '--annotate', `v${version}`, '-m', `Bailiwick ${version}`)
console.log(`Version ${version} is committed and tagged as v${version}; nothing has been pushed or published.`)
