import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { Event, File, Upload } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { createFile, createTenant, createUpload, sendBytes } from '../../../test/harness/factories.ts'
import {
  avif,
  gif,
  jpegHeader,
  png,
  pngOfBytes,
  svg,
  webpExtended,
  webpLossy,
} from '../../../test/harness/files/images.ts'
import { filesOnDisk, readAll, runMediaJobs } from '../../../test/harness/files/media.ts'
import { describeService } from '../../../test/harness/service.ts'
import type { TenantId } from '../../platform/ids.ts'
import { findStoredFile } from '../files.ts'
import { readImageHeader } from '../image-header/image-header.ts'
import { removeMediaOf } from '../remove-bytes.ts'

const readError = ({ status, body }: { status: number; body: unknown }) => {
  const { code, issues } = body as { code: string; issues?: { path: string; code: string }[] }
  return [status, code, ...(issues ?? []).map((issue) => `${issue.path} ${issue.code}`)]
}

describeService('uploads', (service) => {
  let tenantId: string
  before(async () => {
    tenantId = (await createTenant(service())).tenant.id
  })
  const send = (url: string, bytes: Uint8Array, headers: object = {}) => sendBytes(service(), url, bytes, headers)
  const get = <T>(id: 'getUpload' | 'getFile', fileId: string) => service().ok<T>(id, { params: { id: fileId } })

  it('become a file of the same id whose bytes are what was sent', async () => {
    const bytes = png(3, 2)
    const upload = await createUpload(service(), tenantId, { size: bytes.length, path: 'a/b.png', meta: { x: 1 } })
    assert.deepEqual(upload.fields, {})
    assert.equal(upload.finishedAt, null)
    await service().refused('getFile', 'not_found', { params: { id: upload.id } })
    const answer = await send(upload.uploadUrl, bytes, { 'content-type': 'image/png' })
    assert.deepEqual([answer.status, answer.body], [200, { status: 'success', id: upload.id }])
    const file = await get<File>('getFile', upload.id)
    const { width, height, size, path, originalFilename, mime, meta } = file
    assert.deepEqual(
      { width, height, size, path, originalFilename, mime, meta },
      {
        width: 3,
        height: 2,
        size: bytes.length,
        path: 'a/b.png',
        originalFilename: 'dot.png',
        mime: 'image/png',
        meta: { x: 1 },
      },
    )
    assert.notEqual((await get<Upload>('getUpload', upload.id)).finishedAt, null)
    const stored = await findStoredFile(service().deps.db, tenantId as TenantId, upload.id)
    assert.ok(stored !== undefined)
    const content = await service().deps.storage.get(stored.storage_key)
    assert.ok(content !== undefined)
    assert.deepEqual(await readAll(content.stream), bytes)
  })

  it('accept every kind of image that may be announced', async () => {
    const images = [
      ['image/jpeg', jpegHeader(8, 6)],
      ['image/png', png(8, 6)],
      ['image/gif', gif(8, 6, 2)],
      ['image/webp', webpLossy(8, 6)],
      ['image/webp', webpExtended(8, 6, 3)],
      ['image/avif', avif(8, 6)],
      ['image/svg+xml', svg('', 'width="8" height="6"')],
    ] as const
    for (const [mime, bytes] of images) {
      const { id } = await createFile(service(), tenantId, { mime }, bytes)
      const file = await get<File>('getFile', id)
      assert.deepEqual([file.mime, file.width, file.height], [mime, 8, 6])
    }
  })

  it('have the size that browsers show, of an SVG that names it in millimetres', async () => {
    const drawing = svg(
      '<rect width="254" height="127" fill="red"/>',
      'width="25.4mm" height="0.5in" viewBox="0 0 254 127"',
    )
    const { id } = await createFile(service(), tenantId, { mime: 'image/svg+xml' }, drawing)
    const { width, height } = await get<File>('getFile', id)
    assert.deepEqual([width, height], [96, 48])
    const url = `/api/v0/media/${tenantId}/${id}/image?f=png`
    const shown = await service().app.inject({ method: 'GET', url, headers: { host: 'id.test' } })
    const made = readImageHeader(shown.rawPayload)
    assert.deepEqual([made?.width, made?.height], [96, 48])
  })

  it('store the sanitised form of an SVG', async () => {
    const hostile = svg(
      '<script>alert(1)</script><rect onclick="x()" width="1" height="1"/><image href="https://evil.example/x"/>',
    )
    const { id } = await createFile(service(), tenantId, { mime: 'image/svg+xml' }, hostile)
    const stored = await findStoredFile(service().deps.db, tenantId as TenantId, id)
    const content = stored && (await service().deps.storage.get(stored.storage_key))
    const text = String(content && (await readAll(content.stream)))
    assert.match(text, /<rect width="1" height="1"\/>/)
    assert.doesNotMatch(text, /script|onclick|evil/)
    assert.equal((await get<File>('getFile', id)).size, text.length)
  })

  it('refuse bytes that differ from the announcement, store none of them, and accept the right ones afterwards', async () => {
    const { tenant } = await createTenant(service())
    const right = png(1, 1)
    const upload = await createUpload(service(), tenant.id)
    const held = filesOnDisk(service())
    const html = Buffer.from('<html><script>alert(1)</script></html>'.padEnd(right.length, ' '))
    const wrong: readonly [string, Uint8Array, unknown[]][] = [
      ['too few bytes', right.subarray(0, -1), [400, 'validation_failed', '/size wrong_size']],
      ['nothing', Buffer.alloc(0), [400, 'validation_failed', '/size wrong_size']],
      ['a byte too many', Buffer.concat([right, Buffer.alloc(1)]), [413, 'payload_too_large']],
      ['HTML', html.subarray(0, right.length), [400, 'validation_failed', ' malformed_image']],
      ['a PDF', Buffer.from('%PDF-1.7'.padEnd(right.length)), [400, 'validation_failed', ' malformed_image']],
      ['a damaged header', Buffer.from(right).fill(0, 8, 24), [400, 'validation_failed', ' malformed_image']],
      [
        'a GIF',
        Buffer.concat([gif(1, 1), Buffer.alloc(99)]).subarray(0, right.length),
        [400, 'validation_failed', '/mime wrong_type'],
      ],
      ['too wide', png(16_385, 1), [413, 'image_too_large']],
      ['too many pixels', png(10_000, 10_000), [413, 'image_too_large']],
    ]
    for (const [what, bytes, expected] of wrong) {
      assert.deepEqual(readError(await send(upload.uploadUrl, bytes)), expected, what)
      assert.deepEqual(filesOnDisk(service()), held, what)
    }
    assert.equal((await send(upload.uploadUrl, right)).status, 200)
  })

  it('refuse more frames than are taken, and frames that are large together', async () => {
    for (const bytes of [
      png(1, 1, { frames: 101 }),
      gif(1, 1, 101),
      webpExtended(1, 1, 101),
      avif(1, 1, 101),
      gif(1000, 1000, 51),
    ]) {
      const mime =
        bytes[0] === 0x89
          ? 'image/png'
          : bytes[0] === 0x47
            ? 'image/gif'
            : bytes[0] === 0x52
              ? 'image/webp'
              : 'image/avif'
      const upload = await createUpload(service(), tenantId, { size: bytes.length, mime })
      assert.deepEqual(readError(await send(upload.uploadUrl, bytes)), [413, 'image_too_large'])
    }
  })

  it('name the limit that is passed: of a side, of pixels, of frames', async () => {
    for (const [bytes, rule] of [
      [png(1, 30_000), 'The image is 1 by 30000 pixels; the maximum for a side is 16384.'],
      [png(10_000, 10_000), 'The image has 100000000 pixels; the maximum is 50000000.'],
      [png(1, 1, { frames: 101 }), 'The image has 101 frames; the maximum is 100.'],
    ] as const) {
      const upload = await createUpload(service(), tenantId, { size: bytes.length })
      const { body } = await send(upload.uploadUrl, bytes)
      assert.equal((body as { message: string }).message, rule)
    }
  })

  for (const [what, size] of [
    ['small', 20_000],
    ['large', 300_000],
  ] as const) {
    it(`take the bytes once, of a hundred that are sent at the same time: ${what}`, async () => {
      const bytes = pngOfBytes(size)
      const upload = await createUpload(service(), tenantId, { size: bytes.length })
      const answers = await atOnce(100, () => send(upload.uploadUrl, bytes))
      assert.equal(answers.filter(({ status }) => status === 200).length, 1)
      for (const answer of answers.filter(({ status }) => status !== 200)) {
        assert.ok(['upload_under_way', 'upload_finished'].includes(String(readError(answer)[1])), answer.text)
      }
      assert.deepEqual(readError(await send(upload.uploadUrl, bytes)), [409, 'upload_finished'])
      const stored = await findStoredFile(service().deps.db, tenantId as TenantId, upload.id)
      const folder = stored?.storage_key.split('/')[1] ?? ''
      assert.equal(filesOnDisk(service()).filter((name) => name.includes(folder)).length, 1)
    })
  }

  it('refuse large bodies that differ from the announcement, store nothing, and accept the right bytes afterwards', async () => {
    const right = pngOfBytes(300_000)
    const upload = await createUpload(service(), tenantId, { size: right.length })
    const held = filesOnDisk(service())
    const wrong: readonly [string, Uint8Array, unknown[]][] = [
      ['too few bytes', right.subarray(0, -1), [400, 'validation_failed', '/size wrong_size']],
      ['a byte too many', Buffer.concat([right, Buffer.alloc(1)]), [413, 'payload_too_large']],
      ['a damaged header', Buffer.from(right).fill(0, 8, 24), [400, 'validation_failed', ' malformed_image']],
    ]
    for (const [what, bytes, expected] of wrong) {
      assert.deepEqual(readError(await send(upload.uploadUrl, bytes)), expected, what)
      assert.deepEqual(filesOnDisk(service()), held, what)
    }
    assert.equal((await send(upload.uploadUrl, right)).status, 200)
  })

  it('are found by the token of their address alone', async () => {
    const upload = await createUpload(service(), tenantId)
    const other = await createUpload(service(), tenantId)
    const url = new URL(upload.uploadUrl)
    const tokenOfOther = new URL(other.uploadUrl).searchParams.get('token') ?? ''
    const swapped = url.href.replace(url.searchParams.get('token') ?? '', tokenOfOther)
    for (const address of [
      url.href.split('?')[0] ?? '',
      `${url.href}x`,
      swapped,
      `${url.href}&token=${tokenOfOther}`,
    ]) {
      assert.deepEqual(readError(await send(address, png(1, 1))), [404, 'not_found'], address)
    }
    assert.equal(
      (await service().request({ method: 'GET', url: url.pathname + url.search, headers: { host: 'id.test' } })).status,
      405,
    )
  })

  it('accept a form with one file, whatever its name', async () => {
    const bytes = png(2, 2)
    for (const name of ['a.png', '../../etc/passwd', '%2e%2e%2f', 'C:\\x', '/absolute', 'a\0b']) {
      const upload = await createUpload(service(), tenantId, { size: bytes.length })
      const answer = await send(upload.uploadUrl, ...form([part('file', bytes, name)]))
      assert.equal(answer.status, 200, answer.text)
    }
    for (const name of filesOnDisk(service()))
      assert.match(name, /\/media\/objects\/[\da-f]{32}\/c[a-z\d]{24}\/original$/)
  })

  it('refuse every other form', async () => {
    const bytes = png(2, 2)
    const many = Array.from({ length: 30 }, (_, index) => part(`field${index}`, Buffer.from('x')))
    const upload = await createUpload(service(), tenantId, { size: bytes.length })
    const held = filesOnDisk(service())
    const cases: readonly [string, [Buffer, object]][] = [
      ['no file', form([part('x', Buffer.from('y'))])],
      ['another field', form([part('picture', bytes, 'a.png')])],
      ['two files', form([part('file', bytes, 'a.png'), part('file', bytes, 'b.png')])],
      ['too many parts', form([...many, part('file', bytes, 'a.png')])],
      ['a file cut short', [form([part('file', bytes, 'a.png')])[0].subarray(0, -20), form([])[1]]],
      ['a long boundary', form([part('file', bytes, 'a.png')], 'b'.repeat(71))],
    ]
    for (const [what, [body, headers]] of cases) {
      const answer = await send(upload.uploadUrl, body, headers)
      assert.ok(answer.status === 400 || answer.status === 415, `${what}: ${answer.text}`)
      assert.deepEqual(filesOnDisk(service()), held, what)
    }
    assert.equal(
      (await send(upload.uploadUrl, ...form([part('a', Buffer.from('b')), part('file', bytes, 'a.png')]))).status,
      200,
    )
  })

  it('refuse other types and codings before they read anything', async () => {
    const upload = await createUpload(service(), tenantId)
    for (const headers of [
      { 'content-type': 'text/html' },
      { 'content-type': 'image/gif' },
      { 'content-encoding': 'gzip' },
    ]) {
      assert.deepEqual(readError(await send(upload.uploadUrl, png(1, 1), headers)), [415, 'unsupported_media_type'])
    }
  })

  it('accept their type in any case and with parameters, as browsers send it', async () => {
    const picture = svg('<rect width="1" height="1"/>')
    for (const type of ['image/svg+xml;charset=utf-8', 'IMAGE/SVG+XML', 'application/octet-stream ; x=y']) {
      const upload = await createUpload(service(), tenantId, { mime: 'image/svg+xml', size: picture.length })
      assert.equal((await send(upload.uploadUrl, picture, { 'content-type': type })).status, 200, type)
    }
  })

  it('name the rule that an SVG breaks', async () => {
    for (const [document, rule] of [
      ['<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg"/>', /entities/],
      ['<svg width="1" height="1"/>', /namespace/],
      ['<svg xmlns="http://www.w3.org/2000/svg"><g></svg>', /well-formed/],
    ] as const) {
      const bytes = Buffer.from(document)
      const upload = await createUpload(service(), tenantId, { mime: 'image/svg+xml', size: bytes.length })
      const { status, body } = await send(upload.uploadUrl, bytes)
      const { issues } = body as { issues: { code: string; message: string }[] }
      assert.deepEqual([status, issues[0]?.code], [400, 'malformed_image'])
      assert.match(String(issues[0]?.message), rule)
    }
  })

  it('refuse names that could be taken for paths', async () => {
    const refused = async (body: object, path: string) => {
      const request = { tenantId, access: 'public', originalFilename: 'a.png', mime: 'image/png', size: 10, ...body }
      const { issues } = await service().refused('createUpload', 'validation_failed', { body: request })
      assert.deepEqual(
        issues?.map((issue) => issue.path),
        [path],
      )
    }
    for (const name of ['../a', '/etc/passwd', 'a\\b', '..', 'a/b'])
      await refused({ originalFilename: name }, '/originalFilename')
    for (const path of ['../a', '/a', 'a/../b', 'a\\b', '%2e%2e/a', 'a//b']) await refused({ path }, '/path')
    for (const mime of ['text/html', 'image/bmp', 'image/tiff']) await refused({ mime }, '/mime')
    await refused({ mime: 'image/svg+xml', size: 3_000_000 }, '/size')
  })

  it('are deleted with their file, whose bytes go soon after', async () => {
    for (const id of ['deleteFile', 'deleteUpload'] as const) {
      const held = filesOnDisk(service())
      const upload = await createFile(service(), tenantId)
      assert.equal(filesOnDisk(service()).length, held.length + 1)
      await service().ok(id, { params: { id: upload.id } })
      await service().refused('getFile', 'not_found', { params: { id: upload.id } })
      await service().refused('getUpload', 'not_found', { params: { id: upload.id } })
      await runMediaJobs(service())
      assert.deepEqual(filesOnDisk(service()), held)
    }
  })

  it('keep nothing when they are deleted while their bytes arrive', async () => {
    const { deps } = service()
    const upload = await createUpload(service(), tenantId)
    const held = filesOnDisk(service())
    const put = deps.storage.put.bind(deps.storage)
    deps.storage.put = async (...given) => {
      await put(...given)
      await service().ok('deleteUpload', { params: { id: upload.id } })
    }
    try {
      assert.deepEqual(readError(await send(upload.uploadUrl, png(1, 1))), [404, 'not_found'])
    } finally {
      deps.storage.put = put
    }
    assert.deepEqual(filesOnDisk(service()), held)
  })

  it('write one event each, without the names that people gave', async () => {
    const { tenant } = await createTenant(service())
    const { id } = await createFile(service(), tenant.id, { originalFilename: 'passport of ada.png' })
    await service().ok('deleteFile', { params: { id } })
    const events = await service().ok<{ data: Event[] }>('listEvents', { params: { tenantId: tenant.id } })
    const own = events.data.filter(({ subject }) => subject.id === id)
    assert.deepEqual(
      own.map(({ type }) => type),
      ['upload.deleted', 'upload.completed', 'upload.created'],
    )
    assert.ok(!JSON.stringify(own).includes('passport'))
  })

  it('are removed for a whole tenant at once, and for no other', async () => {
    const [{ tenant: one }, { tenant: other }] = [await createTenant(service()), await createTenant(service())]
    await createFile(service(), one.id)
    await createFile(service(), one.id)
    const kept = await createFile(service(), other.id)
    const held = filesOnDisk(service()).length
    await removeMediaOf(service().deps, one.id as TenantId)
    assert.equal(filesOnDisk(service()).length, held - 2)
    const stored = await findStoredFile(service().deps.db, other.id as TenantId, kept.id)
    assert.ok(stored !== undefined && (await service().deps.storage.head(stored.storage_key)) !== undefined)
  })
})

interface FormPart {
  readonly name: string
  readonly content: Uint8Array
  readonly fileName: string | undefined
}
const part = (name: string, content: Uint8Array, fileName?: string): FormPart => ({ name, content, fileName })

function form(parts: readonly FormPart[], boundary = 'x-boundary-x'): [Buffer, object] {
  const pieces = parts.flatMap(({ name, content, fileName }) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"`),
    Buffer.from(fileName === undefined ? '\r\n\r\n' : `; filename="${fileName}"\r\nContent-Type: image/png\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ])
  const body = Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)])
  return [body, { 'content-type': `multipart/form-data; boundary=${boundary}` }]
}
