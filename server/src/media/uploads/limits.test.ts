import assert from 'node:assert/strict'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import type { DayCount, MediaStatistic, UploadWithUrl } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { createFile, createTenant, createUpload, sendBytes } from '../../../test/harness/factories.ts'
import { png, pngOfBytes } from '../../../test/harness/files/images.ts'
import { filesOnDisk, runMediaJobs } from '../../../test/harness/files/media.ts'
import { type TestService, productionEnv, startTestService, testEnv } from '../../../test/harness/service.ts'
import { createClock } from '../../platform/clock.ts'
import { cleanUpUploads } from '../clean-up.ts'
import { stagingDirectory } from '../storage/create-storage.ts'

const hourMs = 60 * 60 * 1000
const env = { ...testEnv, BAILIWICK_MEDIA_FILES_PER_TENANT: '5', BAILIWICK_MEDIA_MIB_PER_TENANT: '1' }

describeOnEachEngine('what a tenant may have of files', (open) => {
  let service: TestService
  let aheadMs = 0
  before(async () => {
    const clock = createClock(() => Date.now() + aheadMs)
    service = await startTestService((await open()).database, env, () => ({ clock }))
  })
  after(() => service.app.close())

  const announceMany = async (tenantId: string, size: number) => {
    const body = { tenantId, access: 'public', originalFilename: 'a.png', mime: 'image/png', size }
    const answers = await atOnce(20, () => service.call('createUpload', { body }))
    for (const { status, body: answer } of answers) {
      if (status !== 200) assert.equal(answer['code'], 'media_quota_exceeded')
    }
    return answers.filter(({ status }) => status === 200).map(({ body: answer }) => answer as unknown as UploadWithUrl)
  }

  it('holds for the number, however many are announced at once', async () => {
    const { tenant } = await createTenant(service)
    const announced = await announceMany(tenant.id, 100)
    assert.equal(announced.length, 5)
    await service.ok('deleteUpload', { params: { id: announced[0]?.id ?? '' } })
    assert.equal((await announceMany(tenant.id, 100)).length, 1)
  })

  it('holds for the bytes, those that are only announced included', async () => {
    const { tenant } = await createTenant(service)
    const bytes = pngOfBytes(400 * 1024)
    const file = await createFile(service, tenant.id, {}, bytes)
    assert.equal((await announceMany(tenant.id, bytes.length)).length, 1)
    await service.ok('deleteFile', { params: { id: file.id } })
    assert.equal((await announceMany(tenant.id, bytes.length)).length, 1)
  })

  it('is released by uploads that do not arrive within an hour', async () => {
    const { tenant } = await createTenant(service)
    const announced = await announceMany(tenant.id, png(1, 1).length)
    const kept = announced[0]
    assert.ok(kept !== undefined)
    assert.equal((await sendBytes(service, kept.uploadUrl, png(1, 1))).status, 200)
    aheadMs += hourMs
    const late = announced[1]?.uploadUrl ?? ''
    assert.equal((await sendBytes(service, late, png(1, 1))).status, 404)
    await cleanUpUploads(service.deps)
    await service.refused('getUpload', 'not_found', { params: { id: announced[1]?.id ?? '' } })
    await service.ok('getFile', { params: { id: kept.id } })
    assert.equal((await announceMany(tenant.id, 100)).length, 4)
  })

  it('is counted by day', async () => {
    const { tenant } = await createTenant(service)
    const query = { tenantId: tenant.id }
    const bytes = png(1, 1).length
    await createFile(service, tenant.id)
    const { id } = await createFile(service, tenant.id)
    await createUpload(service, tenant.id)
    await service.ok('deleteFile', { params: { id } })
    const statistics = await service.ok<MediaStatistic[]>('listMediaStatistics', { query })
    assert.deepEqual(
      statistics.map(({ name, value, change }) => [name, value, change]),
      [
        ['Total Files', 1, 1],
        ['Total Bytes', bytes, bytes],
        ['Files Uploaded', 2, 2],
        ['Bytes Uploaded', 2 * bytes, 2 * bytes],
      ],
    )
    const files = await service.ok<DayCount[]>('listFilesByDay', { query })
    assert.deepEqual([files.length, files.at(-1)?.count, files.at(-2)?.count], [30, 2, 0])
    assert.equal((await service.ok<DayCount[]>('listBytesByDay', { query })).at(-1)?.count, 2 * bytes)
  })

  it('is one file, also when its first sender takes so long that a second one is let in', async () => {
    const { tenant } = await createTenant(service)
    await runMediaJobs(service)
    const held = filesOnDisk(service).length
    const upload = await createUpload(service, tenant.id)
    const put = service.deps.storage.put.bind(service.deps.storage)
    let second = 0
    service.deps.storage.put = async (...given) => {
      service.deps.storage.put = put
      aheadMs += hourMs / 4
      second = (await sendBytes(service, upload.uploadUrl, png(1, 1))).status
      await put(...given)
    }
    assert.equal((await sendBytes(service, upload.uploadUrl, png(1, 1))).status, 404)
    assert.equal(second, 200)
    await service.ok('getFile', { params: { id: upload.id } })
    await runMediaJobs(service)
    assert.equal(filesOnDisk(service).length, held + 1)
  })

  it('does not hold what a process that died has left behind', async () => {
    const { tenant } = await createTenant(service)
    const upload = await createUpload(service, tenant.id)
    await runMediaJobs(service)
    const put = service.deps.storage.put.bind(service.deps.storage)
    // As if the process had ended between storing the bytes and writing their row.
    service.deps.storage.put = async (...given) => {
      await put(...given)
      throw new Error('killed')
    }
    assert.equal((await sendBytes(service, upload.uploadUrl, png(1, 1))).status, 500)
    service.deps.storage.put = put
    const staging = stagingDirectory(service.deps.config)
    mkdirSync(staging, { recursive: true })
    writeFileSync(join(staging, 'left'), 'half')
    utimesSync(join(staging, 'left'), 1, 1)
    const held = filesOnDisk(service).length
    aheadMs += hourMs
    await cleanUpUploads(service.deps)
    await runMediaJobs(service)
    assert.equal(filesOnDisk(service).length, held - 2)
  })
})

describeOnEachEngine('how often a tenant may announce files', (open) => {
  let service: TestService
  before(async () => {
    const startedAt = Date.now()
    // The clock stands still, so that nothing is released meanwhile.
    const clock = createClock(() => startedAt)
    service = await startTestService((await open()).database, productionEnv, () => ({ clock }))
  })
  after(() => service.app.close())

  it('is sixty times a minute, and not limited for the operator', async () => {
    const headers = { host: new URL(service.deps.config.baseUrl).host }
    const created = await service.ok<{ id: string }>('createTenant', {
      body: { name: 'Gallery', environment: 'production' },
      headers,
    })
    const secrets = await service.ok<Record<string, string>>('getTenantEnv', {
      params: { id: created.id },
      query: { scope: 'secret' },
      headers,
    })
    const announce = (token?: string) =>
      service.call('createUpload', {
        body: { tenantId: created.id, access: 'public', originalFilename: 'a.png', mime: 'image/png', size: 9 },
        headers,
        ...(token === undefined ? {} : { token }),
      })
    const key = secrets['BAILIWICK_SECRET_KEY'] ?? ''
    for (let count = 0; count < 60; count++) assert.equal((await announce(key)).status, 200)
    const refused = await announce(key)
    assert.deepEqual([refused.status, refused.body['code']], [429, 'rate_limited'])
    assert.equal((await announce()).status, 200)
  })
})
