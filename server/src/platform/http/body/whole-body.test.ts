import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, describe, it } from 'node:test'
import { WholeBodies } from './whole-body.ts'

const folder = mkdtempSync(join(tmpdir(), 'bailiwick-bodies-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const mebibyte = 1024 * 1024
const newBodies = () =>
  new WholeBodies(folder, { bytesMax: 4 * mebibyte, ownerBytesMax: 4 * mebibyte, totalBytesMax: 6 * mebibyte })
const chunksOf = (bytes: Buffer, size: number) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    ),
  )
const collect = async (source: AsyncIterable<Uint8Array>) => {
  const chunks: Uint8Array[] = []
  for await (const chunk of source) chunks.push(chunk)
  return Buffer.concat(chunks)
}

describe('a body that is taken in to its end', () => {
  for (const size of [0, 1, mebibyte, mebibyte + 1, 3 * mebibyte + 17]) {
    it(`comes out as it came in, with ${size} bytes`, async () => {
      const bodies = newBodies()
      const bytes = randomBytes(size)
      const body = await bodies.receive(chunksOf(bytes, 65_521), 'ada')
      assert.equal(bodies.bytes, size)
      assert.ok(bytes.equals(await collect(body.bytes)))
      await body.close()
      await body.close()
      assert.equal(bodies.bytes, 0)
    })
  }

  it('has no name on the disk, and is not readable there', { skip: process.platform !== 'linux' }, async () => {
    const secret = 'correct horse battery staple'
    const body = await newBodies().receive(chunksOf(Buffer.from(secret.repeat(100_000)), 65_536), 'ada')
    assert.deepEqual(readdirSync(folder), [])
    const open = readdirSync('/proc/self/fd').filter((name) => {
      try {
        return readlinkSync(`/proc/self/fd/${name}`).startsWith(folder)
      } catch {
        return false
      }
    })
    assert.equal(open.length, 1)
    const stored = readFileSync(`/proc/self/fd/${open[0]}`)
    assert.ok(stored.length > 0)
    assert.ok(!stored.includes(secret))
    await body.close()
  })

  it('is refused if it is larger than one may be', async () => {
    const bodies = newBodies()
    const tooLarge = bodies.receive(chunksOf(Buffer.alloc(4 * mebibyte + 1), 65_536), 'ada')
    await assert.rejects(tooLarge, { code: 'payload_too_large' })
    assert.equal(bodies.bytes, 0)
  })

  it('is refused while its owner, or all together, have no room left', async () => {
    const bodies = newBodies()
    const first = await bodies.receive(chunksOf(Buffer.alloc(3 * mebibyte), 65_536), 'ada')
    const second = () => bodies.receive(chunksOf(Buffer.alloc(2 * mebibyte), 65_536), 'ada')
    await assert.rejects(second, { code: 'too_many_streams' })
    const other = await bodies.receive(chunksOf(Buffer.alloc(2 * mebibyte), 65_536), 'grace')
    await assert.rejects(bodies.receive(chunksOf(Buffer.alloc(2 * mebibyte), 65_536), 'edith'), {
      code: 'too_many_streams',
    })
    await first.close()
    await (await second()).close()
    await other.close()
    assert.equal(bodies.bytes, 0)
  })

  it('takes no room any more if its sender hangs up', async () => {
    const bodies = newBodies()
    const source = new Readable({ read: () => undefined })
    const received = bodies.receive(source, 'ada')
    source.push(Buffer.alloc(1000))
    source.destroy(new Error('hung up'))
    await assert.rejects(received, { code: 'malformed_request' })
    assert.equal(bodies.bytes, 0)
  })
})
