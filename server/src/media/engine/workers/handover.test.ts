// Bytes of images on their way into workers and out of them arrive unchanged.
import assert from 'node:assert/strict'
import {
  closeSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, describe, it } from 'node:test'
import { type Picture, decoded, difference, drawn, make, png, red } from '../../../../test/harness/files/pictures.ts'
import { readSourceFile } from '../read-image-file.ts'
import { handOver, handoverBytesMax, openHandover, takeOver } from './handover.ts'
import { ImagePool } from './pool.ts'

/** Without memory to share, images come through the channel. */
const isShared = existsSync('/dev/shm')

function fileFor(t: TestContext): number | undefined {
  const file = openHandover()
  if (file !== undefined) t.after(() => closeSync(file))
  assert.equal(file !== undefined, isShared)
  return file
}

const openHandovers = () => {
  if (!isShared) return 0
  const links = readdirSync('/proc/self/fd').map((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`)
    } catch {
      return ''
    }
  })
  return links.filter((link) => link.startsWith('/dev/shm/bailiwick-')).length
}

describe('the file through which images are handed over', () => {
  it('has no name', (t) => {
    const file = fileFor(t)
    if (file !== undefined)
      assert.match(readlinkSync(`/proc/self/fd/${file}`), /^\/dev\/shm\/bailiwick-.* \(deleted\)$/)
  })

  it('returns the last bytes written, and nothing of earlier ones', (t) => {
    const file = fileFor(t)
    if (file === undefined) return
    for (const text of ['the longer of two', 'short']) {
      assert.equal(handOver(file, Buffer.from(text)), true)
      assert.equal(takeOver(file, text.length)?.toString(), text)
    }
  })

  it('accepts no more than its limit, and no more is read from it', (t) => {
    const file = fileFor(t)
    if (file === undefined) return
    assert.equal(handOver(file, Buffer.alloc(handoverBytesMax + 1)), false)
    assert.equal(handOver(file, Buffer.from('four')), true)
    for (const length of [5, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.equal(takeOver(file, length), undefined, String(length))
    }
    // Whatever a worker has done to the file.
    writeSync(file, Buffer.alloc(handoverBytesMax + 8), 0, handoverBytesMax + 8, 0)
    // Not shown on failure, because showing so many bytes takes minutes.
    assert.equal(takeOver(file, handoverBytesMax + 1) === undefined, true)
  })
})

/** So many pixels of noise that no encoder can compress them. */
const noise = (side: number): Picture =>
  drawn(side, side, (x, y) => {
    const bits = Math.imul(x * side + y + 1, 2_654_435_761) >>> 0
    return [bits & 255, (bits >>> 8) & 255, (bits >>> 16) & 255, 255]
  })

describe('the images that a worker makes', () => {
  it('arrive unchanged, even those too large for the file, and the file ends with its worker', async () => {
    const before = openHandovers()
    const pool = new ImagePool({ workers: 1 })
    const [large, small] = [noise(1250), drawn(8, 8, () => red)]
    try {
      for (const picture of [small, large, small]) {
        const { data } = await make(pool, await png(picture))
        assert.equal(data.length > handoverBytesMax, picture === large, `${data.length} bytes`)
        assert.equal(difference(await decoded(data), picture), undefined)
      }
      assert.equal(openHandovers(), before + (isShared ? 1 : 0))
    } finally {
      await pool.close()
    }
    assert.equal(openHandovers(), before)
  })
})

describe('a file that a worker reads', () => {
  it('is read whole and alone, whatever was read before it', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'source-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'source')
    const megabyte = 2 ** 20
    for (const length of [3, 2 * megabyte, 5, 9 * megabyte, 0, 2 * megabyte + 1]) {
      const bytes = Buffer.alloc(length, `${length} bytes `)
      writeFileSync(path, bytes)
      assert.ok(readSourceFile(path).equals(bytes), `${length} bytes`)
    }
  })
})
