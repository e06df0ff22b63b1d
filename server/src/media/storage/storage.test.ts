// Both storages behave alike; the object store is a real one that checks signatures.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { readAll } from '../../../test/harness/files/media.ts'
import { type ObjectStore, startBrokenStore, startObjectStore } from '../../../test/harness/outside/object-store.ts'
import { StorageError } from './bucket-client.ts'
import { createDiskStorage } from './disk.ts'
import { createS3Storage } from './s3.ts'
import { type Storage, type StorageKey, storageKey, tenantPrefix } from './storage.ts'

const directory = mkdtempSync(join(tmpdir(), 'bailiwick-storage-'))
after(() => rmSync(directory, { recursive: true, force: true }))

function promises(open: () => Storage) {
  const key = (...parts: string[]) => storageKey('tenant', ...parts)
  const bytes = Buffer.from('0123456789')

  it('returns stored objects, completely and in part', async () => {
    const storage = open()
    await storage.put(key('a', 'original'), bytes, 'image/png')
    const whole = await storage.get(key('a', 'original'))
    assert.ok(whole !== undefined)
    assert.equal(whole.size, 10)
    assert.deepEqual(await readAll(whole.stream), bytes)
    const some = await storage.get(key('a', 'original'), { start: 2, end: 4 })
    assert.ok(some !== undefined)
    assert.equal(some.size, 10)
    assert.equal(String(await readAll(some.stream)), '234')
    assert.deepEqual(await storage.head(key('a', 'original')), { size: 10 })
  })

  it('replaces an object completely', async () => {
    const storage = open()
    await storage.put(key('b', 'original'), bytes, 'image/png')
    await storage.put(key('b', 'original'), Buffer.from('xy'), 'image/png')
    const found = await storage.get(key('b', 'original'))
    assert.equal(found && String(await readAll(found.stream)), 'xy')
  })

  it('has no object that was not stored, and can remove it nevertheless', async () => {
    const storage = open()
    assert.equal(await storage.get(key('none', 'original')), undefined)
    assert.equal(await storage.head(key('none', 'original')), undefined)
    await storage.delete(key('none', 'original'))
    await storage.deleteAll(key('none'))
  })

  it('removes one object, or all below a name and none beside it', async () => {
    const storage = open()
    for (const name of ['one', 'other', 'othermore']) await storage.put(key('c', name, 'original'), bytes, 'image/png')
    await storage.put(key('c', 'other', 'small'), bytes, 'image/png')
    await storage.delete(key('c', 'one', 'original'))
    await storage.deleteAll(key('c', 'other'))
    const left = await Promise.all(
      ['one', 'other', 'othermore'].map((name) => storage.head(key('c', name, 'original'))),
    )
    assert.deepEqual(left, [undefined, undefined, { size: 10 }])
    assert.equal(await storage.head(key('c', 'other', 'small')), undefined)
  })
}

describe('storage on disk', () => {
  const storage = createDiskStorage(join(directory, 'objects'))
  promises(() => storage)

  it('leaves no part of an object that could not be written, and keeps objects unreadable for others', async () => {
    await storage.put(storageKey('mode', 'x'), Buffer.from('1'), 'image/png')
    assert.equal(statSync(join(directory, 'objects', 'mode', 'x')).mode & 0o777, 0o600)
    assert.equal(statSync(join(directory, 'objects')).mode & 0o777, 0o700)
    // A folder is in the object's place.
    await storage.put(storageKey('taken', 'x', 'y'), Buffer.from('1'), 'image/png')
    await assert.rejects(storage.put(storageKey('taken', 'x'), Buffer.from('1'), 'image/png'))
    assert.deepEqual(readdirSync(join(directory, 'objects', 'taken')), ['x'])
  })

  it('never leaves its folder, whatever a key is made of', async () => {
    for (const key of ['../x', '/etc/passwd', '..', 'a/../../x', '']) {
      await assert.rejects(storage.put(key as StorageKey, Buffer.from('1'), 'image/png'), RangeError, key)
      await assert.rejects(storage.deleteAll(key as StorageKey), RangeError, key)
    }
  })
})

describe('a storage key', () => {
  it('is made of names that mean nothing to any system', () => {
    for (const part of ['..', '.', '', 'a/b', 'a\\b', 'A', '%2e', 'a\0', 'x'.repeat(65)]) {
      assert.throws(() => storageKey('a', part), RangeError, part)
    }
    fc.assert(fc.property(fc.string(), (tenantId) => /^[\da-f]{32}$/.test(tenantPrefix(tenantId))))
  })
})

describe('storage in an object store', () => {
  let store: ObjectStore
  let storage: Storage
  before(async () => {
    store = await startObjectStore(join(directory, 's3'))
    storage = createS3Storage(store.config)
  })
  after(() => store.stop())
  promises(() => storage)

  // Guards: storage-keys
  it('never leaves its bucket, whatever a key is made of', async () => {
    for (const text of ['../other/x', '/x', '..', 'a/../../other/x', '', 'a?b', 'a%2e', 'a//b']) {
      const key = text as StorageKey
      await assert.rejects(storage.put(key, Buffer.from('1'), 'image/png'), RangeError, text)
      await assert.rejects(storage.get(key), RangeError, text)
      await assert.rejects(storage.head(key), RangeError, text)
      await assert.rejects(storage.delete(key), RangeError, text)
      await assert.rejects(storage.deleteAll(key), RangeError, text)
    }
  })

  it('reports that it is unavailable or refuses, instead of reporting a missing object', async () => {
    const { config } = store
    const wrong = createS3Storage({ ...config, bucket: 'no-such-bucket' })
    await assert.rejects(wrong.get(storageKey('a', 'b')), StorageError)
    await assert.rejects(wrong.put(storageKey('a', 'b'), Buffer.from('1'), 'image/png'), StorageError)
    const away = createS3Storage({ ...config, endpoint: 'http://127.0.0.1:9' })
    await assert.rejects(away.head(storageKey('a', 'b')), StorageError)
    const stranger = createS3Storage({ ...config, accessKeyId: 'SOMEBODYELSE' })
    await assert.rejects(stranger.put(storageKey('a', 'b'), Buffer.from('1'), 'image/png'), StorageError)
  })

  it('reports that it is unavailable when an object is cut off', async () => {
    const broken = await startBrokenStore(store.config)
    try {
      const content = await createS3Storage(broken.config).get(storageKey('a'))
      await assert.rejects(Promise.resolve(content && readAll(content.stream)), StorageError)
    } finally {
      await broken.stop()
    }
  })

  it('lets a client send one object of one key, type and size until a deadline', () => {
    const upload = storage.presignPost?.({
      key: storageKey('t', 'x', 'incoming'),
      mime: 'image/png',
      size: 7,
      nowMs: Date.parse('2026-11-20T22:49:43Z'),
      expiresAtMs: Date.parse('2026-11-20T23:49:43Z'),
    })
    assert.ok(upload !== undefined)
    const policy: unknown = JSON.parse(Buffer.from(upload.fields['policy'] ?? '', 'base64').toString())
    assert.deepEqual(policy, {
      expiration: '2026-11-20T23:49:43.000Z',
      conditions: [
        { bucket: store.config.bucket },
        ['eq', '$key', 't/x/incoming'],
        ['eq', '$Content-Type', 'image/png'],
        ['eq', '$x-amz-algorithm', 'AWS4-HMAC-SHA256'],
        ['eq', '$x-amz-credential', 'S3RVER/20261120/us-east-1/s3/aws4_request'],
        ['eq', '$x-amz-date', '20261120T224943Z'],
        ['content-length-range', 7, 7],
      ],
    })
    assert.match(upload.fields['x-amz-signature'] ?? '', /^[\da-f]{64}$/)
  })
})
