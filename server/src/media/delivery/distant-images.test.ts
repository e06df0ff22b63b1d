// Images whose bytes are in an object store.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { createFile, createTenant } from '../../../test/harness/factories.ts'
import { svg } from '../../../test/harness/files/images.ts'
import { drawn, patchwork, png } from '../../../test/harness/files/pictures.ts'
import {
  type ObjectStore,
  startBrokenStore,
  startObjectStore,
  startReplacedStore,
} from '../../../test/harness/outside/object-store.ts'
import { type TestService, startTestService } from '../../../test/harness/service.ts'
import { createS3Storage } from '../storage/s3.ts'
import type { Storage } from '../storage/storage.ts'

const requests = 64

describeOnEachEngine('images out of an object store', (open) => {
  const directory = mkdtempSync(join(tmpdir(), 'bailiwick-distant-'))
  let store: ObjectStore
  let service: TestService
  let broken: ObjectStore
  let replaced: ObjectStore
  /** Answers in place of the store. */
  let instead: Storage | undefined
  let [fetched, made, heldMost] = [0, 0, 0]
  before(async () => {
    store = await startObjectStore(directory)
    // Uploads go through the service, so that they are files at once.
    const { presignPost: _direct, ...storage } = createS3Storage(store.config)
    broken = await startBrokenStore(store.config)
    replaced = await startReplacedStore(store.config)
    const get: Storage['get'] = (...asked) => {
      fetched++
      heldMost = Math.max(heldMost, fetched - made)
      return (instead ?? storage).get(...asked)
    }
    service = await startTestService((await open()).database, undefined, () => ({ storage: { ...storage, get } }))
  })
  after(async () => {
    await service.app.close()
    await store.stop()
    await broken.stop()
    await replaced.stop()
    rmSync(directory, { recursive: true, force: true })
  })

  const shown = (tenantId: string, id: string, query = '') =>
    service.app.inject({ url: `/api/v0/media/${tenantId}/${id}/image${query}`, headers: { host: 'id.test' } })
  const shownBy = async (other: ObjectStore, ...asked: Parameters<typeof shown>) => {
    instead = createS3Storage(other.config)
    const { statusCode, headers } = await shown(...asked).finally(() => (instead = undefined))
    return [statusCode, headers['retry-after'], headers['cache-control']]
  }
  const notNow = [503, '2', 'no-store']

  it('are temporarily unavailable when the store hangs up in the middle, and delivered when it does not', async () => {
    const { tenant } = await createTenant(service)
    const { id } = await createFile(service, tenant.id, {}, await png(drawn(6, 4, patchwork)))
    assert.deepEqual(await shownBy(broken, tenant.id, id, '?f=png'), notNow)
    assert.equal((await shown(tenant.id, id, '?f=png')).statusCode, 200)
  })

  it('are neither shown nor considered damaged when something other than the store answers', async () => {
    const { tenant } = await createTenant(service)
    const raster = await createFile(service, tenant.id, {}, await png(drawn(6, 4, patchwork)))
    const vector = await createFile(service, tenant.id, { mime: 'image/svg+xml' }, svg('<rect/>'))
    for (const { id } of [raster, vector]) {
      assert.deepEqual(await shownBy(replaced, tenant.id, id), notNow)
      assert.equal((await shown(tenant.id, id)).statusCode, 200)
    }
  })

  it('are fetched when their turn is near: of 64 simultaneous requests, memory holds a few', async () => {
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
