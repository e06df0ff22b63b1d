// What the console weighs: a first load of 150 kB at most, and 30 kB more for each screen, compressed.
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

const built = join(import.meta.dirname, '../.built')
const firstBytesMax = 150_000
const screenBytesMax = 30_000

interface Chunk {
  readonly file: string
  readonly src?: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

const manifest = JSON.parse(readFileSync(join(built, '.vite/manifest.json'), 'utf8')) as Readonly<Record<string, Chunk>>

/** The files that a chunk loads, with those that it imports. */
function filesOf(name: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[name]
  if (chunk === undefined || seen.has(chunk.file)) return seen
  for (const file of [chunk.file, ...(chunk.css ?? [])]) seen.add(file)
  for (const each of chunk.imports ?? []) filesOf(each, seen)
  return seen
}

const bytesOf = (files: Iterable<string>) =>
  [...files].reduce((sum, file) => sum + statSync(join(built, `${file}.gz`)).size, 0)

describe('the console', () => {
  const [entry = ''] = Object.keys(manifest).filter((name) => manifest[name]?.isEntry === true)
  const first = filesOf(entry)

  it('loads 150 kB at most before it shows anything', () => {
    const bytes = bytesOf(first)
    assert.ok(bytes > 0 && bytes <= firstBytesMax, `${bytes} bytes`)
  })

  it('loads 30 kB more at most for each screen', () => {
    const screens = Object.keys(manifest).filter((name) => name.startsWith('src/screens/'))
    assert.ok(screens.length > 0)
    const heavy = screens
      .map((name) => ({ name, bytes: bytesOf([...filesOf(name)].filter((file) => !first.has(file))) }))
      .filter(({ bytes }) => bytes > screenBytesMax)
    assert.deepEqual(heavy, [])
  })
})
