// Images whose bytes are in an object store.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { describeOnEachEngine } from '../../../test/databases.ts'
import { createFile, createTenant } from '../../../test/factories.ts'
import { type ObjectStore, startBrokenStore, startObjectStore } from '../../../test/object-store.ts'
import { drawn, patchwork, png } from '../../../test/pictures.ts'
import { type TestService, startTestService } from '../../../test/service.ts'
import { createS3Storage } from '../storage/s3.ts'
import type { Storage } from '../storage/storage.ts'

const requests = 64

describeOnEachEngine('images out of an object store', (open) => {
  const directory = mkdtempSync(join(tmpdir(), 'bailiwick-distant-'))
  let store: ObjectStore
  let service: TestService
  let broken: ObjectStore
  let isBroken = false
  let [fetched, made, heldMost] = [0, 0, 0]
  before(async () => {
    store = await startObjectStore(directory)
    // Uploads go through the service, so that they are files at once.
    const { presignPost: _direct, ...storage } = createS3Storage(store.config)
    broken = await startBrokenStore(store.config)
    const breaking = createS3Storage(broken.config)
    const get: Storage['get'] = (...asked) => {
      fetched++
      heldMost = Math.max(heldMost, fetched - made)
      return (isBroken ? breaking : storage).get(...asked)
    }
    service = await startTestService((await open()).database, undefined, () => ({ storage: { ...storage, get } }))
  })
  after(async () => {
    await service.app.close()
    await store.stop()
    await broken.stop()
    rmSync(directory, { recursive: true, force: true })
  })

  it('are not to be had just now when the store hangs up in the middle, and come when it does not', async () => {
    const { tenant } = await createTenant(service)
    const { id } = await createFile(service, tenant.id, {}, await png(drawn(6, 4, patchwork)))
    const url = `/api/v0/media/${tenant.id}/${id}/image?f=png`
    const show = () => service.app.inject({ method: 'GET', url, headers: { host: 'id.test' } })
    isBroken = true
    const refused = await show().finally(() => (isBroken = false))
    assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [503, '2'])
    assert.equal((await show()).statusCode, 200)
  })

  it('are fetched when their turn is near: of 64 that are asked for at once, memory holds a few', async () => {
    const { tenant } = await createTenant(service)
    const { id } = await createFile(service, tenant.id, {}, await png(drawn(60, 40, patchwork)))
    const pool = service.deps.imagePool
    const make = pool.make.bind(pool)
    ;[fetched, made, heldMost] = [0, 0, 0]
    pool.make = (...asked) => make(...asked).finally(() => made++)
    const show = async (width: number) => {
      const url = `/api/v0/media/${tenant.id}/${id}/image?w=${width}&f=png`
      return (await service.app.inject({ method: 'GET', url, headers: { host: 'id.test' } })).statusCode
    }
    const answers = await Promise.all(Array.from({ length: requests }, (_, index) => show(index + 1)))
    assert.deepEqual(new Set(answers), new Set([200]))
    assert.equal(fetched, requests)
    const workers = availableParallelism() + 1
    assert.equal(made, requests)
    assert.ok(heldMost <= 3 * workers, `${heldMost} were held at once`)
  })
})
