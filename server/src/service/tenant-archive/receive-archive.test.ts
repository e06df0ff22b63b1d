import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, describe, it } from 'node:test'
import { receiveArchive } from './receive-archive.ts'

const boundary = 'b'
const dataDir = mkdtempSync(join(tmpdir(), 'bailiwick-receive-'))
after(() => rmSync(dataDir, { recursive: true }))

/** A form with a file of so many bytes, which comes in two pieces and does not say how long it is. */
function formOf(bytes: number): IncomingMessage {
  const head =
    `--${boundary}\r\ncontent-disposition: form-data; name="passphrase"\r\n\r\nlong enough for all\r\n` +
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n`
  const pieces = [head, 'x'.repeat(bytes), `\r\n--${boundary}--\r\n`].map((text) => Buffer.from(text))
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  return Object.assign(Readable.from(pieces), { headers }) as unknown as IncomingMessage
}

describe('an archive that is received', () => {
  it('is in a file without a name, which holds what was sent', async () => {
    const { file, passphrase } = await receiveArchive({ dataDir }, formOf(100_000), 100_000)
    try {
      assert.equal(passphrase, 'long enough for all')
      assert.equal((await file.stat()).size, 100_000)
      assert.deepEqual(readdirSync(join(dataDir, 'imports')), [])
    } finally {
      await file.close()
    }
  })

  it('is refused with 413 payload_too_large as soon as there is no room for it', async () => {
    await assert.rejects(receiveArchive({ dataDir }, formOf(100_001), 100_000), { code: 'payload_too_large' })
    assert.deepEqual(readdirSync(join(dataDir, 'imports')), [])
  })
})
