import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { makeFolder } from './make-folder.ts'

describe('makeFolder', () => {
  const parent = mkdtempSync(join(tmpdir(), 'bailiwick-folder-'))
  after(() => rmSync(parent, { recursive: true }))

  it('creates what is missing for its owner alone, and returns the first folder that it created', () => {
    assert.equal(makeFolder(join(parent, 'a', 'b', 'c')), join(parent, 'a'))
    assert.equal(statSync(join(parent, 'a', 'b', 'c')).mode & 0o777, 0o700)
    assert.equal(makeFolder(join(parent, 'a', 'b', 'd')), join(parent, 'a', 'b', 'd'))
    assert.equal(makeFolder(join(parent, 'a')), undefined)
  })

  it('refuses a path that a file is in the way of', () => {
    writeFileSync(join(parent, 'file'), '')
    assert.throws(() => makeFolder(join(parent, 'file')), /EEXIST/)
    assert.throws(() => makeFolder(join(parent, 'file', 'below')), /ENOTDIR/)
  })

  // Regression: Node's recursive mkdir never ended there, so that the start said nothing. In a process of its own, which can be ended.
  it('ends with the reason where the system lets nothing be created', { skip: !existsSync('/proc/self') }, () => {
    const module = new URL('make-folder.ts', import.meta.url).href
    const source = `const { makeFolder } = await import(${JSON.stringify(module)}); makeFolder('/proc/nothing/at/all')`
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', source], { timeout: 60_000 })
    assert.equal(status, 1)
    assert.match(String(stderr), /ENOENT.*\/proc\/nothing/)
  })
})
