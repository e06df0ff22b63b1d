import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { enableCompileCache, getCompileCacheDir } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { keepCode, runScript } from './start-script.ts'

const folder = mkdtempSync(join(tmpdir(), 'bailiwick-script-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, `${basename(folder)}.cjs`)
const text = `(function (require, module, __url, __dirname, __resolve, __import) {
  module.exports = { sum: (one, other) => one + other, path: require('node:path'), folder: __dirname }
})`

it('keeps the code of a script for the next run, and makes it again if it is damaged', () => {
  enableCompileCache(folder)
  writeFileSync(file, text)
  const kept = join(getCompileCacheDir() ?? assert.fail(), `${basename(file)}.code`)
  /** Runs the script as a start does; returns which file its code is in. */
  const start = () => {
    const { sum, folder: own } = runScript(
      pathToFileURL(file),
      (specifier) => specifier,
      (specifier) => import(specifier),
    ) as { readonly sum: (one: number, other: number) => number; readonly folder: string }
    assert.deepEqual([sum(1, 2), own], [3, folder])
    keepCode()
    return statSync(kept).ino
  }
  const first = start()
  assert.equal(start(), first)
  const damaged = readFileSync(kept)
  damaged[damaged.length >> 1] = (damaged[damaged.length >> 1] ?? 0) ^ 1
  writeFileSync(kept, damaged)
  start()
  assert.notDeepEqual(readFileSync(kept), damaged)
  const again = statSync(kept).ino
  assert.equal(start(), again)
  rmSync(kept)
})
