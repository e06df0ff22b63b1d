import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { checkCommits } from './commits.ts'

const directory = mkdtempSync(join(tmpdir(), 'bailiwick-history-'))
after(() => rmSync(directory, { recursive: true, force: true }))

const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false']
const git = (folder: string, ...args: readonly string[]) =>
  execFileSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8' }).trim()

let changes = 0

/** Commits a change of each of these files, and returns the id of the commit. */
function commit(folder: string, subject: string, ...paths: readonly string[]): string {
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), String(++changes))
  }
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--allow-empty', '--message', subject)
  return git(folder, 'rev-parse', 'HEAD')
}

/** A repository whose first commit breaks every rule, and the id of that commit. */
function repository(): { readonly folder: string; readonly base: string } {
  const folder = mkdtempSync(join(directory, 'repository-'))
  git(folder, 'init', '--quiet')
  return { folder, base: commit(folder, 'regenerate', 'server/a.ts') }
}

const shallow = (folder: string, depth: number) => {
  const clone = mkdtempSync(join(directory, 'clone-'))
  git(directory, 'clone', '--quiet', '--depth', String(depth), `file://${folder}`, clone)
  return clone
}

describe('the check of commits', () => {
  it('accepts subjects of 8 to 72 characters, and says nothing of older commits', () => {
    const { folder, base } = repository()
    commit(folder, 'add: one')
    commit(folder, 'ü'.repeat(72))
    assert.deepEqual(checkCommits(folder, base), { problems: [], note: '2 commits are checked.' })
  })

  it('refuses a longer subject and a shorter one, by its number of characters', () => {
    const { folder, base } = repository()
    const short = commit(folder, 'add one').slice(0, 8)
    const long = commit(folder, 'a'.repeat(73)).slice(0, 8)
    assert.deepEqual(checkCommits(folder, base).problems, [
      `${long} "${'a'.repeat(73)}": its subject has 73 characters, not 8 to 72.`,
      `${short} "add one": its subject has 7 characters, not 8 to 72.`,
    ])
  })

  it('refuses a commit that regenerates files and changes others', () => {
    const { folder, base } = repository()
    commit(folder, 'sdk: regenerate the operations', 'sdk/src/operations.gen.ts', 'contract/openapi.json')
    commit(folder, 'ci: check commits that regenerate files', 'server/b.ts')
    const mixed = commit(folder, 'sdk: regenerate it', 'docs/events.md', 'server/a.ts').slice(0, 8)
    assert.deepEqual(checkCommits(folder, base).problems, [
      `${mixed} "sdk: regenerate it": it also changes files that are not generated: server/a.ts.`,
    ])
  })

  it('checks what a shallow clone has, and says so', () => {
    const { folder, base } = repository()
    commit(folder, 'add one more', 'b.ts')
    commit(folder, 'too long: '.padEnd(73, 'x'), 'c.ts')
    const { problems, note } = checkCommits(shallow(folder, 1), base)
    assert.equal(problems.length, 1)
    assert.equal(note, '1 commits are checked: this clone is shallow, and has no more.')
    assert.equal(checkCommits(shallow(folder, 2), base).problems.length, 1)
  })

  it('refuses a whole history without the commit that it begins after', () => {
    const { folder } = repository()
    const { problems } = checkCommits(folder, 'f'.repeat(40))
    assert.deepEqual(problems, [`The history has no commit ${'f'.repeat(40)}.`])
  })

  it('says that it checks nothing where there is no history', () => {
    const { folder, base } = repository()
    commit(folder, 'add one', 'archive/a.ts')
    for (const without of [mkdtempSync(join(directory, 'archive-')), join(folder, 'archive')]) {
      const { problems, note } = checkCommits(without, base)
      assert.deepEqual([problems, note], [[], 'There is no history here, so no commits are checked.'])
    }
  })
})
