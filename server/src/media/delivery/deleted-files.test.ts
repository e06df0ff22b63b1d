// Images that are requested while their file is being deleted.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { createFile, createTenant } from '../../../test/harness/factories.ts'
import { filesOnDisk, runMediaJobs } from '../../../test/harness/files/media.ts'
import { blue, drawn, png, red } from '../../../test/harness/files/pictures.ts'
import { startTestService, testEnv } from '../../../test/harness/service.ts'

const picture = drawn(40, 20, (x) => (x < 20 ? red : blue))

describeOnEachEngine('an image that is made while its file is deleted', (open) => {
  it('leaves no bytes behind', async () => {
    let beforeKeeping = async () => {}
    const service = await startTestService((await open()).database, testEnv, ({ storage }) => ({
      storage: {
        ...storage,
        put: async (...kept: Parameters<typeof storage.put>) => {
          await beforeKeeping()
          return storage.put(...kept)
        },
      },
    }))
    try {
      const { tenant } = await createTenant(service)
      const { id } = await createFile(service, tenant.id, { mime: 'image/png' }, await png(picture))
      beforeKeeping = async () => {
        beforeKeeping = async () => {}
        await service.ok('deleteFile', { params: { id } })
        await runMediaJobs(service)
      }
      const { status } = await service.request({
        method: 'GET',
        url: `/api/v0/media/${tenant.id}/${id}/image?t=avatar`,
      })
      assert.equal(status, 200)
      await service.deps.keptImages.settled()
      assert.deepEqual(filesOnDisk(service), [])
    } finally {
      await service.app.close()
    }
  })
})

describeOnEachEngine('an image whose file is deleted before it is made', (open) => {
  it('is not found, as everything of the file from then on', async () => {
    let beforeReading = async () => {}
    const service = await startTestService((await open()).database, testEnv, ({ storage }) => {
      const { localPath: _direct, ...distant } = storage
      const get: typeof storage.get = async (...asked) => {
        await beforeReading()
        return storage.get(...asked)
      }
      return { storage: { ...distant, get } }
    })
    try {
      const { tenant } = await createTenant(service)
      for (const query of ['?t=avatar', '']) {
        const { id } = await createFile(service, tenant.id, { mime: 'image/png' }, await png(picture))
        beforeReading = async () => {
          beforeReading = async () => {}
          await service.ok('deleteFile', { params: { id } })
          await runMediaJobs(service)
        }
        const url = `/api/v0/media/${tenant.id}/${id}/image${query}`
        assert.equal((await service.request({ method: 'GET', url })).status, 404, query)
      }
    } finally {
      await service.app.close()
    }
  })
})
