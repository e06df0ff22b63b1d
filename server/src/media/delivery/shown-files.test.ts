import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { pino } from 'pino'
import { newPostgresqlDatabase } from '../../../test/harness/databases/databases.ts'
import {
  createFile,
  createTenant,
  createTransformation,
  transformationBody,
  unique,
} from '../../../test/harness/factories.ts'
import { drawn, green, png } from '../../../test/harness/files/pictures.ts'
import { untilKnown } from '../../../test/harness/in-time.ts'
import { type TestService, describeService, startTestService, testEnv } from '../../../test/harness/service.ts'
import { followInvalidations } from '../../platform/cache/invalidation-feed.ts'
import { type OpenDatabase, openDatabase } from '../../platform/db/open.ts'
import { sql } from '../../platform/db/sql.ts'

const picture = drawn(8, 4, () => green)

async function newImage(service: TestService) {
  const tenantId = (await createTenant(service)).tenant.id
  const { id } = await createFile(service, tenantId, { mime: 'image/png' }, await png(picture))
  const name = unique()
  const transformation = await createTransformation(service, tenantId, { name, outputFormat: 'png', steps: [] })
  return {
    tenantId,
    id,
    name,
    transformationId: transformation.id,
    path: `/api/v0/media/${tenantId}/${id}/image?t=${name}`,
  }
}

const show = (service: TestService, url: string) =>
  service.request({ method: 'GET', url, headers: { host: 'id.test' } })

/** Often enough that everything is in memory. */
async function shown(service: TestService, url: string): Promise<unknown> {
  for (let times = 0; times < 2; times++) assert.equal((await show(service, url)).status, 200)
  const { status, headers } = await show(service, url)
  assert.equal(status, 200)
  return headers['etag']
}

const changed = (tenantId: string, name: string) =>
  transformationBody(tenantId, { name, outputFormat: 'png', outputWidth: 2, outputHeight: 2, steps: [] })

describeService('images that were shown before', (service) => {
  it('are shown without the database', async () => {
    const { db, tenants } = service().deps
    const { path, id, name } = await newImage(service())
    const etag = await shown(service(), path)
    await db.write(() => [
      sql`DELETE FROM media_files WHERE id = ${id}`,
      sql`UPDATE transformations SET output_width = 1 WHERE name = ${name}`,
    ])
    assert.equal((await show(service(), path)).headers['etag'], etag)
    tenants.clear()
    assert.equal((await show(service(), path)).status, 404)
  })

  it('disappear with the file, or the upload that it was', async () => {
    for (const operation of ['deleteFile', 'deleteUpload'] as const) {
      const { path, id } = await newImage(service())
      await shown(service(), path)
      await service().ok(operation, { params: { id } })
      assert.equal((await show(service(), path)).status, 404, operation)
    }
  })

  it('disappear with the tenant', async () => {
    const { path, tenantId } = await newImage(service())
    await shown(service(), path)
    await service().ok('deleteTenant', { params: { id: tenantId } })
    assert.equal((await show(service(), path)).status, 404)
  })

  it('change as soon as the transformation does, and disappear with it', async () => {
    const { path, tenantId, name, transformationId: id } = await newImage(service())
    const etag = await shown(service(), path)
    await service().ok('updateTransformation', { params: { id }, body: changed(tenantId, name) })
    assert.notEqual(await shown(service(), path), etag)
    await service().ok('deleteTransformation', { params: { id } })
    assert.equal((await show(service(), path)).status, 404)
  })
})

describe('images that were shown by two nodes (postgresql)', () => {
  const ends: (() => Promise<unknown>)[] = []
  let one: TestService
  let other: TestService

  async function startNode(url: string, storage?: TestService['deps']['storage']) {
    const db: OpenDatabase = await openDatabase({ kind: 'postgresql', url, poolSize: 4 })
    const service = await startTestService(db, testEnv, () => (storage === undefined ? {} : { storage }))
    const stop = await followInvalidations(db, service.deps, pino({ level: 'silent' }))
    ends.unshift(
      () => service.app.close(),
      stop,
      () => db.close(),
    )
    return service
  }

  before(async () => {
    const { options, remove } = await newPostgresqlDatabase()
    ends.push(remove)
    one = await startNode(options.url)
    other = await startNode(options.url, one.deps.storage)
  })
  after(async () => {
    for (const end of ends) await end()
  })

  it('are gone from both within a second of being deleted by one', async () => {
    const { path, id } = await newImage(one)
    await shown(other, path)
    await one.ok('deleteFile', { params: { id } })
    await untilKnown('the other node shows nothing', async () => (await show(other, path)).status === 404)
  })

  it('are changed on both within a second of being changed on one', async () => {
    const { path, tenantId, name, transformationId } = await newImage(one)
    const etag = await shown(other, path)
    await one.ok('updateTransformation', { params: { id: transformationId }, body: changed(tenantId, name) })
    await untilKnown('the other node shows another', async () => {
      const { status, headers } = await show(other, path)
      assert.equal(status, 200)
      return headers['etag'] !== etag
    })
  })
})
