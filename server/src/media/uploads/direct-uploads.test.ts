import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import type { File, Upload, UploadWithUrl } from '@bailiwick/contract'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { createTenant, createUpload } from '../../../test/harness/factories.ts'
import { png, pngOfBytes, svg } from '../../../test/harness/files/images.ts'
import { readAll, runMediaJobs } from '../../../test/harness/files/media.ts'
import { type ObjectStore, startObjectStore } from '../../../test/harness/outside/object-store.ts'
import { type TestService, startTestService } from '../../../test/harness/service.ts'
import { createClock } from '../../platform/clock.ts'
import type { TenantId } from '../../platform/ids.ts'
import { cleanUpUploads } from '../clean-up.ts'
import { findStoredFile } from '../files.ts'
import { createS3Storage } from '../storage/s3.ts'

const minuteMs = 60_000

describeOnEachEngine('uploads straight to the object store', (open) => {
  const directory = mkdtempSync(join(tmpdir(), 'bailiwick-s3-'))
  let store: ObjectStore
  let service: TestService
  let tenantId: string
  let aheadMs = 0
  before(async () => {
    store = await startObjectStore(directory)
    const storage = createS3Storage(store.config)
    const clock = createClock(() => Date.now() + aheadMs)
    service = await startTestService((await open()).database, undefined, () => ({ storage, clock }))
    tenantId = (await createTenant(service)).tenant.id
  })
  after(async () => {
    await service.app.close()
    await store.stop()
    rmSync(directory, { recursive: true, force: true })
  })

  /** Sends a form with these fields, as a browser does. */
  async function post({ uploadUrl, fields }: UploadWithUrl, bytes: Uint8Array) {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('file', new Blob([Buffer.from(bytes)]), 'x.png')
    const { status } = await fetch(uploadUrl, { method: 'POST', body: form })
    assert.equal(status, 204)
  }
  const jobs = async () => {
    aheadMs += minuteMs
    await runMediaJobs(service)
  }
  const objects = () => {
    const bucket = join(directory, store.config.bucket)
    const names = existsSync(bucket) ? readdirSync(bucket, { recursive: true, encoding: 'utf8' }) : []
    return names.filter((name) => name.endsWith('._S3rver_object')).map((name) => name.split('._S3rver')[0])
  }
  const fileOf = (id: string) => service.ok<File>('getFile', { params: { id } })

  it('become files once they are there, as checked copies that the address cannot reach', async () => {
    const bytes = png(4, 3)
    const upload = await createUpload(service, tenantId, { size: bytes.length })
    assert.ok(upload.uploadUrl.startsWith(store.config.endpoint))
    await jobs()
    await service.refused('getFile', 'not_found', { params: { id: upload.id } })
    await post(upload, bytes)
    await jobs()
    assert.deepEqual([(await fileOf(upload.id)).width, (await fileOf(upload.id)).height], [4, 3])
    const row = await findStoredFile(service.deps.db, tenantId as TenantId, upload.id)
    assert.ok(row !== undefined && row.storage_key !== upload.fields['key'])
    assert.deepEqual(objects(), [row.storage_key])
    // Sent again after the check: this changes nothing, and is removed once the address has expired.
    await post(upload, svg('<script>1</script>'))
    const content = await service.deps.storage.get(row.storage_key)
    assert.deepEqual(content && (await readAll(content.stream)), bytes)
    aheadMs += 80 * minuteMs
    await jobs()
    assert.deepEqual(objects(), [row.storage_key])
    await service.ok('deleteFile', { params: { id: upload.id } })
    await jobs()
    assert.deepEqual(objects(), [])
  })

  it('store nothing that differs from the announcement, and accept the right bytes afterwards', async () => {
    const bytes = pngOfBytes(200)
    const upload = await createUpload(service, tenantId, { size: bytes.length })
    const wrong = [
      Buffer.from('<html>'.padEnd(bytes.length)),
      bytes.subarray(1),
      // An image, but not of the announced size.
      png(1, 1),
      pngOfBytes(50_000),
      png(20_000, 20_000),
    ]
    for (const each of wrong) {
      await post(upload, each)
      await jobs()
      assert.deepEqual(objects(), [])
      assert.equal((await service.ok<Upload>('getUpload', { params: { id: upload.id } })).finishedAt, null)
    }
    await post(upload, bytes)
    await jobs()
    assert.equal((await fileOf(upload.id)).size, bytes.length)
    await service.ok('deleteUpload', { params: { id: upload.id } })
    aheadMs += 80 * minuteMs
    await jobs()
  })

  it('store the sanitised form of an SVG', async () => {
    const bytes = svg('<script>evil()</script><rect/>')
    const upload = await createUpload(service, tenantId, { size: bytes.length, mime: 'image/svg+xml' })
    await post(upload, bytes)
    await jobs()
    const row = await findStoredFile(service.deps.db, tenantId as TenantId, upload.id)
    const content = row && (await service.deps.storage.get(row.storage_key))
    const text = String(content && (await readAll(content.stream)))
    assert.match(text, /<rect\/>/)
    assert.doesNotMatch(text, /script|evil/)
    await service.ok('deleteUpload', { params: { id: upload.id } })
    aheadMs += 80 * minuteMs
    await jobs()
  })

  it('leave nothing behind when they expire, whatever was sent', async () => {
    const upload = await createUpload(service, tenantId)
    aheadMs += 61 * minuteMs
    await post(upload, png(1, 1))
    await cleanUpUploads(service.deps)
    await service.refused('getUpload', 'not_found', { params: { id: upload.id } })
    aheadMs += 11 * minuteMs
    await jobs()
    assert.deepEqual(objects(), [])
  })
})
