// `npm run release` in a small repository of its own.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'

const script = join(import.meta.dirname, 'release.ts')
const changelog = '# Changelog\n\n## Unreleased\n\n### Added\n\n- One.\n\n## 0.1.0 - 2026-01-01\n'

describe('npm run release', () => {
  let folder: string
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
  const release = (...args: readonly string[]) =>
    spawnSync(process.execPath, [script, ...args], { cwd: folder, encoding: 'utf8' })
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  const readVersions = (name: string) => {
    const { dependencies, version } = JSON.parse(read(name)) as { version: string; dependencies?: object }
    return { version, dependencies }
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bailiwick-release-'))
    const write = (name: string, content: object) => writeFileSync(join(folder, name), JSON.stringify(content, null, 2))
    for (const name of ['contract', 'sdk', 'examples/app']) mkdirSync(join(folder, name), { recursive: true })
    write('package.json', { name: 'all', version: '0.1.0', private: true, workspaces: ['contract', 'sdk'] })
    write('contract/package.json', { name: 'contract', version: '0.1.0' })
    write('sdk/package.json', { name: 'sdk', version: '0.1.0', dependencies: { contract: '0.1.0' } })
    write('examples/app/package.json', {
      name: 'app',
      version: '0.1.0',
      dependencies: { sdk: '0.1.0', other: '0.1.0' },
    })
    writeFileSync(join(folder, 'package-lock.json'), '{}')
    writeFileSync(join(folder, 'CHANGELOG.md'), changelog)
    write('releases.json', { '0.1.0': 'a'.repeat(40) })
    git('init', '--quiet')
    git('config', 'user.name', 'Ada')
    git('config', 'user.email', 'ada@example.com')
    git('add', '.')
    git('commit', '--quiet', '-m', 'first')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('sets every version, moves the heading of the changelog, commits and tags', () => {
    const { status, stderr } = release('0.2.0')
    assert.equal(status, 0, stderr)
    for (const name of ['package.json', 'contract/package.json']) assert.equal(readVersions(name).version, '0.2.0')
    assert.deepEqual(readVersions('sdk/package.json'), { version: '0.2.0', dependencies: { contract: '0.2.0' } })
    const example = { version: '0.2.0', dependencies: { sdk: '0.2.0', other: '0.1.0' } }
    assert.deepEqual(readVersions('examples/app/package.json'), example)
    assert.match(
      read('CHANGELOG.md'),
      /## Unreleased\n\n## 0\.2\.0 - \d{4}-\d\d-\d\d\n\n### Added\n\n- One\.\n\n## 0\.1\.0/,
    )
    assert.match(read('package-lock.json'), /"version": "0\.2\.0"/)
    assert.equal(git('log', '-1', '--format=%s'), 'release: 0.2.0')
    assert.equal(git('rev-parse', 'v0.2.0^{commit}'), git('rev-parse', 'HEAD'))
    assert.equal(git('status', '--porcelain'), '')
  })

  it('writes the commit of the version before into releases.json', () => {
    assert.equal(release('0.2.0').status, 0)
    assert.deepEqual(JSON.parse(read('releases.json')), { '0.1.0': 'a'.repeat(40) })
    const commit = git('rev-parse', 'HEAD')
    assert.equal(release('0.3.0').status, 0)
    assert.deepEqual(JSON.parse(read('releases.json')), { '0.1.0': 'a'.repeat(40), '0.2.0': commit })
    assert.equal(git('status', '--porcelain'), '')
  })

  it('takes a pre-release, and the release after it', () => {
    for (const version of ['0.2.0-beta.2', '0.2.0-beta.10', '0.2.0']) assert.equal(release(version).status, 0, version)
  })

  for (const version of ['', 'x', '1.2', 'v0.2.0', '0.2.0+build', '0.1.0', '0.0.9', '0.1.0-beta.1']) {
    it(`refuses ${JSON.stringify(version)}, and changes nothing`, () => {
      assert.equal(release(...(version === '' ? [] : [version])).status, 2)
      assert.equal(git('status', '--porcelain'), '')
      assert.equal(git('tag', '--list'), '')
    })
  }

  it('refuses a checkout with changes, a tag that exists, and a changelog without unreleased entries', () => {
    writeFileSync(join(folder, 'stray'), '')
    assert.match(release('0.2.0').stderr, /not committed/)
    rmSync(join(folder, 'stray'))
    git('tag', 'v0.2.0')
    assert.match(release('0.2.0').stderr, /exists/)
    writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n')
    git('commit', '--quiet', '--all', '-m', 'second')
    assert.match(release('0.3.0').stderr, /Unreleased/)
  })
})
