// The size of the console: a first load of 150 kB at most, and 30 kB more for each screen, compressed by gzip.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { brotliDecompressSync, gzipSync } from 'node:zlib'

const built = join(import.meta.dirname, '../.built')
const firstBytesMax = 150_000
const screenBytesMax = 30_000
/** The palette brings a combobox and a menu of react-aria, loaded when it is first opened. */
const paletteBytesMax = 45_000

interface Chunk {
  readonly file: string
  readonly src?: string
  readonly isEntry?: boolean
  readonly isDynamicEntry?: boolean
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

const manifest = JSON.parse(readFileSync(join(built, '.vite/manifest.json'), 'utf8')) as Readonly<Record<string, Chunk>>

/** Returns the files that a chunk loads, including those that it imports. */
function filesOf(name: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[name]
  if (chunk === undefined || seen.has(chunk.file)) return seen
  for (const file of [chunk.file, ...(chunk.css ?? [])]) seen.add(file)
  for (const each of chunk.imports ?? []) filesOf(each, seen)
  return seen
}

const bytesOf = (files: Iterable<string>) =>
  [...files].reduce((sum, file) => {
    const bytes = brotliDecompressSync(readFileSync(join(built, `${file}.br`)))
    return sum + gzipSync(bytes, { level: 9 }).length
  }, 0)

describe('the console', () => {
  const [entry = ''] = Object.keys(manifest).filter((name) => manifest[name]?.isEntry === true)
  const first = filesOf(entry)

  it('loads at most 150 kB before it shows anything', () => {
    const bytes = bytesOf(first)
    assert.ok(bytes > 0 && bytes <= firstBytesMax, `${bytes} bytes`)
  })

  it('loads at most 30 kB more for each screen and part that is loaded later, and 45 kB for the palette', () => {
    const later = Object.keys(manifest).filter((name) => manifest[name]?.isDynamicEntry === true)
    assert.ok(later.includes('src/screens/users/users.tsx') && later.includes('src/shell/palette.tsx'))
    const heavy = later
      .map((name) => ({ name, bytes: bytesOf([...filesOf(name)].filter((file) => !first.has(file))) }))
      .filter(({ name, bytes }) => bytes > (name === 'src/shell/palette.tsx' ? paletteBytesMax : screenBytesMax))
    assert.deepEqual(heavy, [])
  })
})
