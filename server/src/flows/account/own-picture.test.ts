import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { type Profile, type User, pictureBytesMax } from '@bailiwick/contract'
import sharp from 'sharp'
import { createTenant, createUpload } from '../../../test/harness/factories.ts'
import { exported, imported, newService } from '../../../test/harness/files/archives.ts'
import { gif, svg } from '../../../test/harness/files/images.ts'
import { filesOnDisk, runMediaJobs } from '../../../test/harness/files/media.ts'
import { drawn, patchwork, png, raw } from '../../../test/harness/files/pictures.ts'
import { type SignedInUser, signedInUser } from '../../../test/harness/people/signed-in-user.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'
import { tenantPrefix } from '../../media/storage/storage.ts'
import { type Database, DatabaseUnavailable } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'

const picture = (width: number, height: number) => png(drawn(width, height, patchwork))
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

/** The path at which the picture of a profile is seen. */
const pathOf = (service: TestService, { imageUri }: Pick<Profile, 'imageUri'>) => {
  const { baseUrl } = service.deps.config
  assert.ok(imageUri !== null && imageUri.startsWith(`${baseUrl}/media/`), String(imageUri))
  return `/api/v0${imageUri.slice(baseUrl.length)}`
}

/** A database whose transactions and writes are begun by `begin`. */
const withTransactions = (db: Database, begin: (run: () => Promise<unknown>) => Promise<unknown>): Database =>
  new Proxy(db, {
    get(_target, name) {
      const value: unknown = Reflect.get(db, name)
      if (typeof value !== 'function') return value
      const method = value.bind(db) as (...given: unknown[]) => Promise<unknown>
      if (name !== 'transaction' && name !== 'write') return method
      return async (...given: unknown[]) => begin(() => method(...given))
    },
  })

describeService('POST and DELETE /user/picture', (service) => {
  async function someone() {
    const { tenant } = await createTenant(service())
    return { tenant, ...(await signedInUser(service(), tenant)) }
  }
  const set = async ({ browser }: Pick<SignedInUser, 'browser'>, bytes: Uint8Array) =>
    (await browser.ok<{ user: Profile }>('setOwnPicture', { body: { image: base64(bytes) } })).user
  const look = (url: string) => service().app.inject({ method: 'GET', url, headers: { accept: 'image/webp' } })
  const keptFor = (tenantId: string) => filesOnDisk(service()).filter((path) => path.includes(tenantPrefix(tenantId)))
  const filesOf = async (tenantId: string) =>
    (await service().ok<{ meta: { total: number } }>('listFiles', { params: { tenantId } })).meta.total

  it('stores a newly encoded square, upright and without metadata, and shows it in the profile', async () => {
    const me = await someone()
    const sent = await raw(drawn(300, 120, patchwork))
      .jpeg()
      .withExif({ IFD0: { Copyright: 'canary' }, IFD3: { GPSLatitude: '52/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    assert.ok(sent.includes('canary'))
    const user = await set(me, sent)
    // What is delivered is also stored, some time after it was sent.
    const kept = keptFor(me.tenant.id)
    const answer = await look(pathOf(service(), user))
    assert.equal(answer.statusCode, 200)
    const { width, height, exif, orientation } = await sharp(answer.rawPayload).metadata()
    assert.deepEqual([width, height, exif, orientation], [512, 512, undefined, undefined])
    assert.equal(kept.length, 1)
    for (const file of kept) assert.ok(!readFileSync(file).includes('canary'))
    assert.deepEqual((await me.browser.ok<{ user: Profile }>('getProfile')).user.imageUri, user.imageUri)
    const { data } = await service().ok<{ data: User }>('getUser', { params: { id: me.user.id } })
    assert.equal(data.imageUri, user.imageUri)
  })

  it('accepts the data: address of a file, and each kind of picture', async () => {
    const me = await someone()
    const source = raw(drawn(40, 60, patchwork))
    const kinds = {
      'image/png': await source.clone().png().toBuffer(),
      'image/jpeg': await source.clone().jpeg().toBuffer(),
      'image/webp': await source.clone().webp().toBuffer(),
      'image/avif': await source.clone().avif().toBuffer(),
      'image/gif': await source.clone().gif().toBuffer(),
    }
    for (const [mime, bytes] of Object.entries(kinds)) {
      await me.browser.ok('setOwnPicture', { body: { image: `data:${mime};base64,${base64(bytes)}` } })
    }
  })

  it('removes the picture before, and the last one with the DELETE, the address elsewhere or the user', async () => {
    const me = await someone()
    const { id } = me.tenant
    const first = pathOf(service(), await set(me, await picture(30, 30)))
    const second = pathOf(service(), await set(me, await picture(31, 30)))
    assert.deepEqual([(await look(first)).statusCode, (await look(second)).statusCode], [404, 200])
    assert.equal(await filesOf(id), 1)
    const { user } = await me.browser.ok<{ user: Profile }>('deleteOwnPicture')
    assert.deepEqual([user.imageUri, await filesOf(id)], [null, 0])
    await set(me, await picture(32, 30))
    await me.browser.ok('updateProfile', { body: { imageUri: 'https://pictures.example/me.png' } })
    assert.equal(await filesOf(id), 0)
    await set(me, await picture(33, 30))
    await me.browser.ok('deleteOwnUser')
    assert.equal(await filesOf(id), 0)
    await runMediaJobs(service())
    assert.deepEqual(keptFor(id), [])
  })

  it('keeps the file from being deleted as long as it is shown', async () => {
    const me = await someone()
    const [, fileId = ''] = /\/([^/]+)\/image$/.exec((await set(me, await picture(30, 30))).imageUri ?? '') ?? []
    await service().refused('deleteFile', 'file_in_use', { params: { id: fileId } })
    await service().ok('updateUser', { params: { id: me.user.id }, body: { imageUri: null } })
    await service().refused('deleteFile', 'not_found', { params: { id: fileId } })
  })

  it('keeps a file that is also shown elsewhere when the user no longer shows it and when the user is deleted', async () => {
    const [me, other] = [await someone(), await someone()]
    for (const { tenant, browser, user } of [me, other]) {
      const [, fileId = ''] =
        /\/([^/]+)\/image$/.exec((await set({ browser }, await picture(30, 30))).imageUri ?? '') ?? []
      await service().ok('updateTenant', { params: { id: tenant.id }, body: { logoId: fileId } })
      await (browser === me.browser
        ? browser.ok('deleteOwnPicture')
        : service().ok('deleteUser', { params: { id: user.id } }))
      await service().ok('getFile', { params: { id: fileId } })
      await service().refused('deleteFile', 'file_in_use', { params: { id: fileId } })
    }
  })

  it('removes a picture whose address a node of the previous version has unset', async () => {
    const me = await someone()
    await set(me, await picture(30, 30))
    const { db } = service().deps
    await db.write(() => [sql`UPDATE users SET image_uri = NULL WHERE tenant_id = ${me.tenant.id}`])
    await me.browser.ok('deleteOwnPicture')
    assert.equal(await filesOf(me.tenant.id), 0)
    const [row] = await db.all(sql`SELECT picture_id FROM users WHERE tenant_id = ${me.tenant.id} LIMIT 1`)
    assert.deepEqual(row, { picture_id: null })
  })

  it('answers 503 if the picture is stored, but its confirmation is lost', async () => {
    let isLost = false
    const losing = (db: Database) =>
      withTransactions(db, async (run) => {
        const result = await run()
        const shown = await db.first(sql`SELECT id FROM users WHERE picture_id IS NOT NULL LIMIT 1`)
        if (isLost || shown === undefined) return result
        isLost = true
        throw new DatabaseUnavailable('the connection was lost')
      })
    const cut = await newService(service().deps.db.engine, ({ db }) => ({ db: losing(db) }))
    const { tenant } = await createTenant(cut)
    const { browser } = await signedInUser(cut, tenant)
    const image = base64(await picture(30, 30))
    await browser.refused('setOwnPicture', 'unavailable', { body: { image } })
    assert.ok(isLost)
    const { user } = await browser.ok<{ user: Profile }>('getProfile')
    assert.equal((await cut.app.inject({ method: 'GET', url: pathOf(cut, user) })).statusCode, 200)
  })

  it('leaves no unused file, whenever the process ends', async () => {
    let left = Number.POSITIVE_INFINITY
    const ending = (db: Database) =>
      withTransactions(db, (run) => {
        if (left === 0) throw new DatabaseUnavailable('the process has ended')
        left -= 1
        return run()
      })
    const cut = await newService(service().deps.db.engine, ({ db }) => ({ db: ending(db) }))
    const { tenant } = await createTenant(cut)
    const { browser } = await signedInUser(cut, tenant)
    const image = base64(await picture(30, 30))
    let status = 0
    for (let commits = 0; status !== 200; commits++) {
      assert.ok(commits < 10, String(status))
      left = commits
      ;({ status } = await browser.call('setOwnPicture', { body: { image } }))
      left = Number.POSITIVE_INFINITY
      const files = await cut.deps.db.all(sql`SELECT id FROM media_files WHERE tenant_id = ${tenant.id} AND id NOT IN
        (SELECT picture_id FROM users WHERE tenant_id = ${tenant.id} AND picture_id IS NOT NULL) LIMIT 10`)
      assert.deepEqual(files, [], `after ${commits} commits`)
    }
  })

  it('keeps one of several pictures that are sent at once', async () => {
    const me = await someone()
    const pictures = await Promise.all(Array.from({ length: 6 }, (_, n) => picture(20 + n, 20)))
    await Promise.all(pictures.map((bytes) => set(me, bytes)))
    assert.equal(await filesOf(me.tenant.id), 1)
    const { user } = await me.browser.ok<{ user: Profile }>('getProfile')
    assert.equal((await look(pathOf(service(), user))).statusCode, 200)
  })

  it('refuses what is not a picture, and stores nothing of it', async () => {
    const me = await someone()
    const damaged = (await picture(64, 64)).subarray(0, 400)
    for (const [image, code] of [
      [base64(Buffer.from('hello')), 'validation_failed'],
      [base64(Buffer.from(svg())), 'validation_failed'],
      ['data:text/html;base64,aGVsbG8=', 'validation_failed'],
      ['not base64!', 'validation_failed'],
      ['', 'validation_failed'],
      [base64(Buffer.concat([await picture(8, 8), Buffer.alloc(pictureBytesMax)])), 'validation_failed'],
      [base64(gif(20_000, 20_000)), 'image_too_large'],
      [base64(damaged), 'image_unprocessable'],
    ] as const) {
      await me.browser.refused('setOwnPicture', code, { body: { image } })
    }
    assert.equal(await filesOf(me.tenant.id), 0)
    const uploads = await service().ok<{ meta: { total: number } }>('listUploads', {
      params: { tenantId: me.tenant.id },
    })
    assert.equal(uploads.meta.total, 0)
  })

  it('never removes a file that is not the picture of the user', async () => {
    const me = await someone()
    const { id: fileId } = await createUpload(service(), me.tenant.id)
    const imageUri = `https://id.test/api/v0/media/${me.tenant.id}/${fileId}/image`
    await me.browser.ok('updateProfile', { body: { imageUri } })
    await me.browser.ok('deleteOwnPicture')
    await service().ok('getUpload', { params: { id: fileId } })
  })

  it('moves with the tenant, and is shown at the new deployment', async () => {
    const source = await newService('sqlite')
    const { tenant } = await createTenant(source)
    const me = await signedInUser(source, tenant)
    await set(me, await picture(30, 30))
    const target = await newService('sqlite', (deps) => ({
      config: { ...deps.config, baseUrl: 'https://elsewhere.test/api/v0' },
    }))
    await imported(target, await exported(source, tenant.id))
    const [row] = await target.deps.db.all<{ image_uri: string; picture_id: string }>(
      sql`SELECT image_uri, picture_id FROM users WHERE tenant_id = ${tenant.id} LIMIT 1`,
    )
    const url = `https://elsewhere.test/api/v0/media/${tenant.id}/${row?.picture_id}/image`
    assert.equal(row?.image_uri, url)
    assert.equal((await target.app.inject({ method: 'GET', url: new URL(url).pathname })).statusCode, 200)
  })
})
