// Pictures move with their tenant, from either kind of storage into either, and nothing of them remains if that fails.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { File, PageSettings } from '@bailiwick/contract'
import { engines } from '../../../test/harness/databases/databases.ts'
import { storedEvents } from '../../../test/harness/databases/stored.ts'
import { assertLeavesNothing } from '../../../test/harness/databases/table-dump.ts'
import { createFile, createTenant, createUpload, createUser } from '../../../test/harness/factories.ts'
import { exported, imported, inspected, newService } from '../../../test/harness/files/archives.ts'
import { pngOfBytes } from '../../../test/harness/files/images.ts'
import { filesOnDisk, readAll, runMediaJobs } from '../../../test/harness/files/media.ts'
import { drawn, png, red } from '../../../test/harness/files/pictures.ts'
import { type ObjectStore, startObjectStore } from '../../../test/harness/outside/object-store.ts'
import type { TestService } from '../../../test/harness/service.ts'
import type { Deps } from '../../identity/deps.ts'
import { setUserPicture } from '../../identity/people/user-changes.ts'
import { selectFile } from '../../media/queries.ts'
import { createS3Storage } from '../../media/storage/s3.ts'
import { type Storage, storageKey, tenantPrefix } from '../../media/storage/storage.ts'
import { sql } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'
import { findWrongCounters } from '../tenant-tables/real-counts.ts'
import { ArchiveError } from './archive-error.ts'
import { newHeader } from './archive-header.ts'
import type { ArchiveLine } from './archive-lines.ts'
import { wholeLines } from './archived-files.ts'
import type { Archive } from './read-archive.ts'

type StorageKind = 'disk' | 's3'
const directory = mkdtempSync(join(tmpdir(), 'bailiwick-archived-'))
let store: ObjectStore
before(async () => void (store = await startObjectStore(directory)))
after(async () => {
  await store.stop()
  rmSync(directory, { recursive: true, force: true })
})

/** Each has a bucket of its own; otherwise they would share objects, because names are kept. */
let buckets = 0
async function storageOf(kind: StorageKind): Promise<(deps: Deps) => Partial<Deps>> {
  if (kind === 'disk') return () => ({})
  const bucket = `media-${++buckets}`
  const { AwsClient } = await import('aws4fetch')
  const { endpoint, region, accessKeyId, secretAccessKey } = store.config
  const client = new AwsClient({ accessKeyId, secretAccessKey: secretAccessKey.reveal(), region, service: 's3' })
  const made = await client.fetch(`${endpoint}/${bucket}`, { method: 'PUT' })
  assert.ok(made.ok, await made.text())
  // Uploads through the service, like the tests of uploads.
  const { presignPost: _direct, ...storage } = createS3Storage({ ...store.config, bucket })
  return () => ({ storage })
}

async function bytesOf({ deps: { storage, db } }: TestService, tenantId: string, id: string): Promise<Buffer> {
  const row = await selectFile(db, tenantId as TenantId, id)
  const content = row && (await storage.get(row.storage_key))
  assert.ok(content !== undefined)
  return readAll(content.stream)
}

const picture = await png(drawn(30, 20, () => red))
const large = pngOfBytes(300_000)

async function tenantWithFiles(service: TestService) {
  const { tenant } = await createTenant(service)
  const logo = await createFile(service, tenant.id, {}, picture)
  const other = await createFile(service, tenant.id, { access: 'private', path: 'a/b.png' }, large)
  await createUpload(service, tenant.id)
  const body = { logoId: logo.id, iconId: logo.id }
  await service.ok('updateTenant', { params: { id: tenant.id }, body })
  return { tenantId: tenant.id, logoId: logo.id, otherId: other.id }
}

for (const [from, to] of [
  ['disk', 's3'],
  ['s3', 'disk'],
] as const) {
  describe(`the files of a tenant from ${from} in ${to}`, () => {
    for (const [one, other] of [
      ['sqlite', 'postgresql'],
      ['postgresql', 'sqlite'],
    ] as const) {
      it(`are the same ones, shown and counted, from ${one} in ${other}; uploads under way stay`, async () => {
        const source = await newService(one, await storageOf(from))
        const target = await newService(other, await storageOf(to))
        const { tenantId, logoId, otherId } = await tenantWithFiles(source)
        const path = await exported(source, tenantId)
        await assertLeavesNothing(target.deps.db, async () => {
          const { rows } = await inspected(target, path)
          assert.deepEqual([rows['media_files'], rows['media_uploads']], [2, 2])
        })
        assert.deepEqual((await imported(target, path)).conflicts, [])
        assert.deepEqual(await bytesOf(target, tenantId, logoId), picture)
        assert.deepEqual(await bytesOf(target, tenantId, otherId), large)
        const id = otherId
        assert.deepEqual(
          await target.ok<File>('getFile', { params: { id } }),
          await source.ok('getFile', { params: { id } }),
        )
        const tenant = await target.ok<{ logoUri: string; iconUri: string }>('getTenant', { params: { id: tenantId } })
        assert.ok(tenant.logoUri.startsWith(target.deps.config.baseUrl) && tenant.iconUri !== null)
        // Compared before anything is shown: showing changes counters, which are read one after the other.
        assert.deepEqual(await findWrongCounters(target.deps.db, tenantId), [])
        const url = tenant.logoUri.slice(new URL(tenant.logoUri).origin.length)
        assert.equal((await target.request({ method: 'GET', url, headers: { host: 'id.test' } })).status, 200)
        await target.ok('deleteFile', { params: { id: otherId } })
        await runMediaJobs(target)
        await assert.rejects(bytesOf(target, tenantId, otherId))
      })
    }
  })
}

for (const engine of engines) {
  describe(`files on ${engine}, when something goes wrong`, () => {
    it('leave no bytes behind if the import fails half-way', async () => {
      const source = await newService(engine)
      const { tenantId } = await tenantWithFiles(source)
      const path = await exported(source, tenantId)
      let puts = 0
      const target = await newService(engine, ({ storage }) => ({
        storage: {
          ...storage,
          put: async (...kept: Parameters<Storage['put']>) => {
            if (++puts === 2) throw new Error('the disk is full')
            return storage.put(...kept)
          },
        },
      }))
      await assertLeavesNothing(target.deps.db, async () => {
        await assert.rejects(imported(target, path), /the disk is full/)
      })
      assert.deepEqual([puts, filesOnDisk(target)], [2, []])
      puts = 10
      assert.deepEqual((await imported(target, path)).conflicts, [])
      assert.equal(filesOnDisk(target).length, 2)
    })

    it('are not in an export if they are deleted meanwhile, and no logo leads to them', async () => {
      let beforeReading = async () => {}
      const source = await newService(engine, ({ storage }) => ({
        storage: {
          ...storage,
          get: async (...asked: Parameters<Storage['get']>) => {
            await beforeReading()
            return storage.get(...asked)
          },
        },
      }))
      const { tenantId, logoId, otherId } = await tenantWithFiles(source)
      beforeReading = async () => {
        beforeReading = async () => {}
        await source.ok('updateTenant', { params: { id: tenantId }, body: { logoId: null, iconId: null } })
        await source.ok('deleteFile', { params: { id: logoId } })
        await runMediaJobs(source)
      }
      const path = await exported(source, tenantId)
      const target = await newService(engine)
      assert.deepEqual((await imported(target, path)).conflicts, [])
      assert.deepEqual(await bytesOf(target, tenantId, otherId), large)
      await target.refused('getUpload', 'not_found', { params: { id: logoId } })
      const { logoId: shown, logoUri } = await target.ok('getTenant', { params: { id: tenantId } })
      assert.deepEqual([shown, logoUri], [null, null])
    })

    it('are not named by dark pages or users either if they are deleted meanwhile, even after the next change', async () => {
      let beforeReading = async () => {}
      const source = await newService(engine, ({ storage }) => ({
        storage: {
          ...storage,
          get: async (...asked: Parameters<Storage['get']>) => {
            await beforeReading()
            return storage.get(...asked)
          },
        },
      }))
      const { tenantId } = await tenantWithFiles(source)
      const [logo, shown] = [await createFile(source, tenantId), await createFile(source, tenantId)]
      const kept = await createFile(source, tenantId)
      const user = await createUser(source, tenantId)
      const other = await createUser(source, tenantId)
      const system = { type: 'system', id: null, ip: null, ua: null } as const
      const shows = (userId: string, fileId: string) =>
        source.deps.db.transaction((tx) =>
          setUserPicture(source.deps, tx, tenantId as TenantId, userId, fileId, system),
        )
      await shows(user.id, shown.id)
      await shows(other.id, kept.id)
      const onPages = { params: { id: tenantId } }
      await source.ok('putPages', { ...onPages, body: { darkLogoId: logo.id } })
      beforeReading = async () => {
        beforeReading = async () => {}
        await source.ok('putPages', { ...onPages, body: { darkLogoId: null } })
        await source.ok('deleteFile', { params: { id: logo.id } })
        await source.ok('updateUser', { params: { id: user.id }, body: { imageUri: null } })
        await runMediaJobs(source)
      }
      const path = await exported(source, tenantId)
      const target = await newService(engine)
      assert.deepEqual((await imported(target, path)).conflicts, [])
      const pictures = await target.deps.db.all<{ id: string; picture_id: string | null; image_uri: string | null }>(
        sql`SELECT id, picture_id, image_uri FROM users WHERE tenant_id = ${tenantId} LIMIT 10`,
      )
      const pictureOf = (id: string) => pictures.find((row) => row.id === id)
      assert.deepEqual(pictureOf(user.id), { id: user.id, picture_id: null, image_uri: null })
      assert.equal(pictureOf(other.id)?.picture_id, kept.id)
      assert.equal((await target.ok('getPages', onPages))['darkLogoId'], null)
      const changed = await target.ok<PageSettings>('putPages', { ...onPages, body: { layout: 'split' } })
      assert.deepEqual([changed.version, changed.darkLogoId, changed.darkLogoUri], [2, null, null])
      const [event] = (await storedEvents(target, tenantId, 'tenant.pages_updated')).slice(-1)
      assert.deepEqual(event?.data['after'], { layout: 'split' })
    })

    it('make the export fail if their bytes are lost, which then leaves no archive', async () => {
      const source = await newService(engine)
      const { tenantId, otherId } = await tenantWithFiles(source)
      await source.deps.storage.deleteAll(tenantPrefix(tenantId))
      await assert.rejects(exported(source, tenantId), /are not in the storage/)
      const row = await selectFile(source.deps.db, tenantId as TenantId, otherId)
      assert.ok(row !== undefined)
    })
  })
}

describe('the lines of an archive', () => {
  const header = newHeader('c123', '2026-11-21T13:00:00.000000Z', '0001-version-0-1-0')
  const key = storageKey(tenantPrefix('c123'), 'folder', 'original')
  const bytes = Buffer.from('a picture')
  const sumOf = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
  const sha256 = sumOf(bytes)
  const row = { id: 'f', mime: 'image/png', size: bytes.length, sha256, storage_key: key }

  async function read(lines: readonly ArchiveLine[]) {
    async function* given() {
      yield* lines as readonly Exclude<ArchiveLine, { kind: 'end' }>[]
    }
    const archive: Archive = { header, lines: given, close: async () => {} }
    const all = []
    for await (const line of wholeLines(archive)) all.push(line)
    return all
  }
  const file = (changes: object = {}) => ({ kind: 'row', table: 'media_files', row: { ...row, ...changes } }) as const
  const piece = (text: string, of = 'f') => ({ kind: 'bytes', of, data: Buffer.from(text) }) as const
  const other = { kind: 'row', table: 'roles', row: { id: 'r' } } as const

  it('return each file with its bytes, and refuse one whose bytes are missing, different, too many or elsewhere', async () => {
    const [whole] = await read([piece('a pic'), piece('ture'), file()])
    assert.deepEqual(whole?.kind === 'row' && whole.file, { key, mime: 'image/png', bytes })
    for (const lines of [
      [file()],
      [piece('a pic'), file()],
      [piece('a picturE'), file()],
      [piece('a picture', 'g'), file()],
      [piece('a pic'), piece('ture', 'g'), file()],
      [piece('a picture'), other, file()],
      [piece('a picture')],
      [piece('a picture'), file({ storage_key: '../../etc/passwd' })],
      [piece('a picture'), file({ storage_key: storageKey(tenantPrefix('c124'), 'folder', 'original') })],
      [piece('a picture'), file({ storage_key: tenantPrefix('c123') })],
      [piece('a picture'), file({ size: null })],
      Array.from({ length: 21 }, () => piece('x'.repeat(2 ** 20))),
      [
        ...Array.from({ length: 200_000 }, () => piece('x')),
        file({ size: 200_000, sha256: sumOf('x'.repeat(200_000)) }),
      ],
    ]) {
      await assert.rejects(read(lines), ArchiveError, JSON.stringify(lines).slice(0, 300))
    }
  })
})
