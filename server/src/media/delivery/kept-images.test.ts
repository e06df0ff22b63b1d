// Stored images: up to a number of bytes for each tenant, and all of them accounted for.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { createFile, createTenant, createTransformation, unique } from '../../../test/harness/factories.ts'
import { random } from '../../../test/harness/files/hostile-files.ts'
import { runMediaJobs } from '../../../test/harness/files/media.ts'
import { drawn, png } from '../../../test/harness/files/pictures.ts'
import { type ObjectStore, startObjectStore } from '../../../test/harness/outside/object-store.ts'
import { type TestService, startTestService, testEnv } from '../../../test/harness/service.ts'
import { createClock } from '../../platform/clock.ts'
import { readCounters } from '../../platform/db/counters.ts'
import { sql } from '../../platform/db/sql.ts'
import { findWrongCounters } from '../../service/tenant-tables/real-counts.ts'
import { keptBytesCounter } from '../counts.ts'
import { createS3Storage } from '../storage/s3.ts'
import type { ImageChoice } from './image-choice.ts'

const mebibyte = 1024 * 1024
const hourMs = 60 * 60 * 1000
const next = random(7)
/** Noise, so that its PNG has some 340 KB: three fit into a mebibyte. */
const noise = await png(drawn(280, 280, () => [next() * 256, next() * 256, next() * 256, 255]))

for (const kind of ['disk', 's3'] as const) {
  describeOnEachEngine(`kept images, on ${kind}`, (open) => {
    const directory = mkdtempSync(join(tmpdir(), 'bailiwick-kept-'))
    let store: ObjectStore | undefined
    let service: TestService
    let tenantId: string
    let aheadMs = 0
    const made: string[] = []
    before(async () => {
      store = kind === 's3' ? await startObjectStore(directory) : undefined
      const { database } = await open()
      service = await startTestService(database, { ...testEnv, BAILIWICK_MEDIA_KEPT_MIB_PER_TENANT: '1' }, (deps) => {
        // Uploads go through the service, so that they are files at once.
        const { presignPost: _direct, ...storage } = store === undefined ? deps.storage : createS3Storage(store.config)
        const put: typeof storage.put = (...kept) => {
          made.push(kept[0])
          return storage.put(...kept)
        }
        return { storage: { ...storage, put }, clock: createClock(() => Date.now() + aheadMs) }
      })
      tenantId = (await createTenant(service)).tenant.id
    })
    after(async () => {
      await service.app.close()
      await store?.stop()
      rmSync(directory, { recursive: true, force: true })
    })

    const upload = async () => (await createFile(service, tenantId, {}, noise)).id
    /** The key of the image made for it, if there is one. */
    async function show(id: string, name: string): Promise<string | undefined> {
      const url = `/api/v0/media/${tenantId}/${id}/image?t=${name}`
      made.length = 0
      assert.equal((await service.request({ method: 'GET', url, headers: { host: 'id.test' } })).status, 200)
      await service.deps.keptImages.settled()
      return made[0]
    }
    async function named(): Promise<string> {
      const name = unique()
      await createTransformation(service, tenantId, {
        name,
        outputFormat: 'png',
        outputWidth: 0,
        outputHeight: 0,
        steps: [],
      })
      return name
    }
    function readAgain(fileId: string, key: string) {
      const choice = { file: { tenant_id: tenantId, id: fileId }, key } as unknown as ImageChoice
      service.deps.keptImages.used(choice, 1)
    }
    const keptRows = () =>
      service.deps.db.all<{ storage_key: string; size: number }>(
        sql`SELECT storage_key, size FROM media_kept_images WHERE tenant_id = ${tenantId} ORDER BY used_at LIMIT 100`,
      )
    const isStored = async (key: string | undefined) =>
      (await service.deps.storage.head(key as Parameters<typeof service.deps.storage.head>[0])) !== undefined

    it('never exceed the limit: the least recently used one makes room, and is made again when requested', async () => {
      const name = await named()
      const files = [await upload(), await upload(), await upload(), await upload(), await upload()]
      const keys: (string | undefined)[] = []
      for (const [index, id] of files.entries()) {
        aheadMs += hourMs
        keys.push(await show(id, name))
        // The first is read again each day, as by a node that does not have it in memory.
        aheadMs += 12 * hourMs
        readAgain(files[0] ?? '', keys[0] ?? '')
        await service.deps.keptImages.settled()
        const rows = await keptRows()
        const total = rows.reduce((sum, { size }) => sum + size, 0)
        assert.ok(
          total <= mebibyte && rows.length === Math.min(index + 1, 2 + 1),
          `${index}: ${rows.map(({ size }) => size).join(', ')}`,
        )
        const counters = await readCounters(service.deps.db, tenantId, [keptBytesCounter])
        assert.equal(counters.get(keptBytesCounter), total)
      }
      await runMediaJobs(service)
      const stored = await Promise.all(keys.map(isStored))
      assert.deepEqual(stored, [true, false, false, true, true])
      assert.deepEqual(await findWrongCounters(service.deps.db, tenantId), [])
    })

    it('are removed with their file, from the count as well', async () => {
      const id = await upload()
      const key = await show(id, await named())
      assert.ok(await isStored(key))
      await service.ok('deleteFile', { params: { id } })
      await runMediaJobs(service)
      assert.equal(await isStored(key), false)
      assert.ok(!(await keptRows()).some(({ storage_key }) => storage_key === key))
      assert.deepEqual(await findWrongCounters(service.deps.db, tenantId), [])
    })

    it('are made in advance by the transformations that an upload names, if these still exist', async () => {
      const [one, other] = [await named(), await named()]
      const body = { transformations: [one, other, 'avatar'] }
      const { id } = await createFile(service, tenantId, body, await png(drawn(20, 10, () => [1, 2, 3, 255])))
      const page = await service.ok<{ data: { id: string; name: string }[] }>('listTransformations', {
        params: { tenantId },
      })
      const gone = page.data.find(({ name }) => name === other)
      await service.ok('deleteTransformation', { params: { id: gone?.id ?? '' } })
      made.length = 0
      await runMediaJobs(service)
      const folder = made[0]?.split('/').slice(0, -1).join('/')
      // One for the first and three formats for the avatar, which is `auto`.
      assert.equal(new Set(made).size, 4)
      assert.ok(made.every((key) => key.startsWith(`${folder}/`)))
      assert.equal(await show(id, one), undefined, 'it was made already')
      assert.equal(await show(id, 'avatar'), undefined, 'it was made already')
      assert.deepEqual(await findWrongCounters(service.deps.db, tenantId), [])
    })

    it('are announced with existing names, or the upload is refused', async () => {
      const body = { tenantId, access: 'public', originalFilename: 'x.png', mime: 'image/png', size: 10 }
      const transformations = ['avatar', 'no-such-thing']
      const { issues } = await service.refused('createUpload', 'validation_failed', {
        body: { ...body, transformations },
      })
      assert.deepEqual(
        issues?.map(({ path, code }) => [path, code]),
        [['/transformations/1', 'unknown_reference']],
      )
      const twice = await service.refused('createUpload', 'validation_failed', {
        body: { ...body, transformations: ['avatar', 'avatar'] },
      })
      assert.deepEqual(
        twice.issues?.map(({ path, code }) => [path, code]),
        [['/transformations', 'duplicate']],
      )
      const { tenant } = await createTenant(service)
      await createTransformation(service, tenant.id, { name: 'only-theirs', steps: [] })
      const theirs = { ...body, transformations: ['only-theirs'] }
      await service.refused('createUpload', 'validation_failed', { body: theirs })
    })

    it('that cannot be made leave the file as it is, and the job done', async () => {
      const whole = await png(drawn(60, 60, () => [next() * 256, next() * 256, next() * 256, 255]))
      const half = whole.subarray(0, whole.length >> 1)
      const { id } = await createFile(service, tenantId, { transformations: ['avatar'] }, half)
      await runMediaJobs(service)
      await service.ok('getFile', { params: { id } })
      const left = await service.deps.db.all(sql`SELECT id FROM jobs WHERE tenant_id = ${tenantId} LIMIT 10`)
      assert.deepEqual(left, [])
    })
  })
}
