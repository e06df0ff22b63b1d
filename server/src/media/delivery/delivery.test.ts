import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, it } from 'node:test'
import type { File, TransformationStep } from '@bailiwick/contract'
import sharp from 'sharp'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import {
  createFile,
  createTenant,
  createTransformation,
  transformationBody,
  unique,
} from '../../../test/harness/factories.ts'
import { svg } from '../../../test/harness/files/images.ts'
import { filesOnDisk, runMediaJobs } from '../../../test/harness/files/media.ts'
import { animation, blue, decoded, difference, drawn, green, png, red } from '../../../test/harness/files/pictures.ts'
import { describeService, operatorKey, startTestService, testEnv } from '../../../test/harness/service.ts'
import { createClock } from '../../platform/clock.ts'
import { ImageError } from '../engine/image-error.ts'

interface Shown {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly bytes: Buffer
}

const readError = ({ status, bytes }: Shown) => {
  const { code, issues } = JSON.parse(bytes.toString()) as { code: string; issues?: { path: string }[] }
  return [status, code, ...(issues ?? []).map(({ path }) => path)]
}
const picture = drawn(40, 20, (x) => (x < 20 ? red : blue))
const flush: TransformationStep = { type: 'flush', options: {} }

describeService('images', (service) => {
  let tenantId: string
  let fileId: string
  before(async () => {
    tenantId = (await createTenant(service())).tenant.id
    fileId = await upload(await png(picture))
  })

  async function upload(bytes: Buffer, body: object = {}, owner = tenantId): Promise<string> {
    return (await createFile(service(), owner, { mime: 'image/png', ...body }, bytes)).id
  }
  async function show(
    query: string,
    headers: object = {},
    id = fileId,
    owner = tenantId,
    method = 'GET',
  ): Promise<Shown> {
    const url = `/api/v0/media/${owner}/${id}/image${query === '' ? '' : `?${query}`}`
    return at(url, headers, method)
  }
  async function at(url: string, headers: object = {}, method = 'GET'): Promise<Shown> {
    const answer = await service().app.inject({
      method: method as 'GET',
      url,
      headers: { host: 'id.test', ...headers },
    })
    return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload }
  }
  /** How often the workers were asked for an image meanwhile. */
  async function countTries(act: () => Promise<void>, firstFailure?: ImageError): Promise<number> {
    const pool = service().deps.imagePool
    const make = pool.make.bind(pool)
    let tries = 0
    pool.make = async (...asked) => {
      if (++tries === 1 && firstFailure !== undefined) throw firstFailure
      return make(...asked)
    }
    try {
      await act()
    } finally {
      pool.make = make
    }
    return tries
  }
  async function named(body: object = {}, owner = tenantId): Promise<string> {
    const name = unique()
    await createTransformation(service(), owner, { name, outputFormat: 'png', steps: [], ...body })
    return name
  }

  it('are made by the named transformation, for every caller', async () => {
    const t = await named({ outputWidth: 20, outputHeight: 0, outputResizeMode: 'stretch', steps: [flush] })
    const shown = await show(`t=${t}`)
    assert.equal(shown.status, 200)
    assert.equal(shown.headers['content-type'], 'image/png')
    const expected = drawn(20, 10, (x) => (x < 10 ? blue : red))
    const made = await decoded(shown.bytes)
    assert.deepEqual(
      [made.width, made.height, made.at(2, 5), made.at(17, 5)],
      [20, 10, expected.at(2, 5), expected.at(17, 5)],
    )
  })

  it('are made by the parameters, if addresses may have any', async () => {
    const shown = await show('w=10&h=10&rm=stretch&q=90&c=0&f=webp')
    assert.equal(shown.status, 200)
    const { format, width, height } = await sharp(shown.bytes).metadata()
    assert.deepEqual([format, width, height], ['webp', 10, 10])
  })

  it('refuse parameters that are unknown, repeated, out of bounds or beside a name, at their place', async () => {
    for (const [query, path] of [
      ['w=4097', '/w'],
      ['h=-1', '/h'],
      ['w=1e3', '/w'],
      ['q=101', '/q'],
      ['c=x', '/c'],
      ['f=tiff', '/f'],
      ['rm=fit', '/rm'],
      ['x=1', '/x'],
      ['w=1&w=2', '/w'],
      ['t=', '/t'],
      ['t=%00', '/t'],
      ['t=avatar&w=5', '/t'],
      [`t=${'x'.repeat(65)}`, '/t'],
    ]) {
      assert.deepEqual(readError(await show(query ?? '')), [400, 'validation_failed', path], query)
    }
    const [, , ...paths] = readError(await show('w=-1&h=x&f=tiff&e=x&y=1&y=2&a%2Fb=1&t='))
    assert.deepEqual(paths, ['/y', '/a~1b', '/t', '/t', '/f', '/w', '/h', '/e'])
  })

  it('have a format that the request accepts, and a Vary header', async () => {
    const t = await named({ outputFormat: 'auto' })
    for (const [accept, type] of [
      ['image/avif,image/webp,*/*', 'image/avif'],
      ['image/webp,*/*', 'image/webp'],
      ['*/*', 'image/png'],
    ]) {
      const shown = await show(`t=${t}`, { accept })
      assert.deepEqual([shown.headers['content-type'], shown.headers['vary']], [type, 'Accept'])
    }
    assert.equal((await show(`t=${await named()}`)).headers['vary'], undefined)
  })

  it('stay animations, and stand upright without a trace of where they were taken', async () => {
    const moving = await animation([drawn(8, 8, () => red), drawn(8, 8, () => green)])
      .gif()
      .toBuffer()
    const gif = await upload(moving, { mime: 'image/gif' })
    const shown = await show(`t=${await named({ outputFormat: 'auto' })}`, { accept: 'image/avif,image/webp' }, gif)
    assert.equal((await sharp(shown.bytes, { animated: true }).metadata()).pages, 2)
    const taken = await sharp(await png(picture))
      .withExif({ IFD3: { GPSLatitude: '48/1 12/1 29/1' } })
      .jpeg()
      .toBuffer()
    const jpeg = await upload(taken, { mime: 'image/jpeg' })
    const plain = await show('', {}, jpeg)
    assert.equal(plain.headers['content-type'], 'image/jpeg')
    assert.equal((await sharp(plain.bytes).metadata()).exif, undefined)
  })

  it('can be requested by their tag, in part, and by HEAD', async () => {
    const t = await named()
    const whole = await show(`t=${t}`)
    const tag = String(whole.headers['etag'])
    assert.match(tag, /^"[\da-f]{64}"$/)
    const again = await show(`t=${t}`, { 'if-none-match': `"other", W/${tag}` })
    assert.deepEqual([again.status, again.bytes.length, again.headers['etag']], [304, 0, tag])
    const part = await show(`t=${t}`, { range: 'bytes=2-5' })
    assert.deepEqual([part.status, part.headers['content-range']], [206, `bytes 2-5/${whole.bytes.length}`])
    assert.deepEqual(part.bytes, whole.bytes.subarray(2, 6))
    const end = await show(`t=${t}`, { range: 'bytes=-3' })
    assert.deepEqual(end.bytes, whole.bytes.subarray(-3))
    assert.equal((await show(`t=${t}`, { range: `bytes=${whole.bytes.length}-` })).status, 416)
    assert.equal((await show(`t=${t}`, { range: 'bytes=0-1', 'if-range': '"other"' })).status, 200)
    const rest = await show(`t=${t}`, { range: 'Bytes=1-18446744073709551615', 'if-range': tag })
    assert.deepEqual([rest.status, rest.bytes], [206, whole.bytes.subarray(1)])
    const head = await show(`t=${t}`, {}, fileId, tenantId, 'HEAD')
    assert.deepEqual(
      [head.status, head.bytes.length, head.headers['content-length']],
      [200, 0, String(whole.bytes.length)],
    )
    assert.equal((await show(`t=${t}`, { range: 'bytes=0-1' }, fileId, tenantId, 'HEAD')).status, 200)
  })

  it('are not sent if If-Match names another version', async () => {
    const t = await named()
    const { headers, bytes } = await show(`t=${t}`)
    const tag = String(headers['etag'])
    for (const wanted of ['"other"', `W/${tag}`, `"other", ${tag.slice(0, -1)}`]) {
      const refused = await show(`t=${t}`, { 'if-match': wanted, 'if-none-match': tag })
      assert.deepEqual([refused.status, refused.bytes.length, refused.headers['cache-control']], [412, 0, 'no-store'])
    }
    for (const wanted of ['*', tag, `"other", ${tag}`]) {
      const { status, bytes: part } = await show(`t=${t}`, { 'if-match': wanted, range: 'bytes=-2' })
      assert.deepEqual([status, part], [206, bytes.subarray(-2)])
    }
  })

  it('run nothing and must not be sniffed', async () => {
    const { headers } = await show('')
    assert.match(String(headers['content-security-policy']), /default-src 'none'.*sandbox/)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
    assert.equal(headers['access-control-allow-credentials'], undefined)
    assert.equal(headers['set-cookie'], undefined)
  })

  it('of a changed transformation are the new ones; only an address that names the version is kept for ever', async () => {
    const t = await named({ steps: [] })
    const first = await show(`t=${t}`)
    assert.match(String(first.headers['cache-control']), /^public, max-age=300$/)
    const { url } = await service().ok<{ url: string }>('signFile', {
      params: { id: fileId },
      body: { transformation: t },
    })
    const versioned = new URL(url).pathname + new URL(url).search
    assert.match(String((await at(versioned)).headers['cache-control']), /immutable/)
    const list = await service().ok<{ data: { id: string; name: string }[] }>('listTransformations', {
      params: { tenantId },
    })
    const { id = '' } = list.data.find(({ name }) => name === t) ?? {}
    const body = {
      ...transformationBody(tenantId),
      name: t,
      outputFormat: 'png',
      steps: [flush],
      outputWidth: 0,
      outputHeight: 0,
    }
    await service().ok('updateTransformation', { params: { id }, body })
    const changed = await show(`t=${t}`, { 'if-none-match': first.headers['etag'] })
    assert.equal(changed.status, 200)
    assert.deepEqual((await decoded(changed.bytes)).at(2, 2), blue)
    assert.doesNotMatch(String((await at(versioned)).headers['cache-control']), /immutable/)
  })

  it('are made once for a hundred simultaneous requests, stored, and removed with the file', async () => {
    const id = await upload(await png(drawn(300, 300, (x, y) => [x % 256, y % 256, 7, 255])))
    const t = await named({ outputFormat: 'webp' })
    const kept = filesOnDisk(service()).length
    const shown = await Promise.all(Array.from({ length: 100 }, () => show(`t=${t}`, {}, id)))
    assert.deepEqual(new Set(shown.map(({ status }) => status)), new Set([200]))
    assert.equal(new Set(shown.map(({ bytes }) => bytes.toString('base64'))).size, 1)
    await service().deps.keptImages.settled()
    assert.equal(filesOnDisk(service()).length, kept + 1)
    await show('w=17', {}, id)
    await service().deps.keptImages.settled()
    assert.equal(filesOnDisk(service()).length, kept + 1, 'what anybody may ask for is not kept')
    await service().ok('deleteFile', { params: { id } })
    assert.deepEqual(readError(await show(`t=${t}`, {}, id)), [404, 'not_found'])
    await runMediaJobs(service())
    assert.equal(filesOnDisk(service()).length, kept - 1)
  })

  it('are shown with a signature of their own if they are private, and otherwise treated as missing', async () => {
    const id = await upload(await png(picture), { access: 'private' })
    const t = await named({ steps: [flush] })
    const sign = async (body: object, of = id) => {
      const { url, expiresAt } = await service().ok<{ url: string; expiresAt: string }>('signFile', {
        params: { id: of },
        body,
      })
      return { path: new URL(url).pathname + new URL(url).search, expiresAt }
    }
    const { path, expiresAt } = await sign({ transformation: t })
    assert.ok(Math.abs(Date.parse(expiresAt) - Date.now() - 600_000) < 60_000)
    const shown = await at(path)
    assert.equal(shown.status, 200)
    assert.match(String(shown.headers['cache-control']), /^private, max-age=\d{1,3}, immutable$/)
    assert.equal(shown.headers['access-control-allow-origin'], undefined)
    const query = path.split('?')[1] ?? ''
    const changed = (name: string, value: string) => {
      const search = new URLSearchParams(query)
      search.set(name, value)
      return search.toString()
    }
    const other = await named()
    const stranger = await upload(await png(picture), { access: 'private' })
    for (const [search, of] of [
      ['', id],
      [`t=${t}`, id],
      [changed('t', other), id],
      [changed('e', String(Number(new URLSearchParams(query).get('e')) + 1)), id],
      [changed('s', 'x'), id],
      [changed('s', `${new URLSearchParams(query).get('s')?.slice(0, -1)}_`), id],
      [query, stranger],
      ['w=10', id],
    ] as const) {
      const missing = readError(await show(search, {}, of))
      assert.deepEqual(missing, [404, 'not_found'], search)
    }
    const plain = (await sign({})).path
    assert.equal((await at(plain)).status, 200)
    assert.deepEqual(readError(await at(`${plain}&w=5`)), [404, 'not_found'], 'parameters are signed by nobody')
    assert.deepEqual(readError(await at(`${plain}&t=${t}`)), [404, 'not_found'])
  })

  it('of another tenant’s file, transformation or name of either are not found', async () => {
    const stranger = (await createTenant(service())).tenant.id
    const theirs = await upload(await png(picture), {}, stranger)
    const t = await named({}, stranger)
    for (const [query, id, owner] of [
      ['', theirs, tenantId],
      ['', fileId, stranger],
      [`t=${t}`, fileId, tenantId],
      ['t=nobody', fileId, tenantId],
      ['', 'c12345678', tenantId],
      ['', fileId, 'c12345678'],
      ['', '%00', '%00'],
    ] as const) {
      assert.deepEqual(readError(await show(query, {}, id, owner)), [404, 'not_found'])
    }
    const issue = await service().refused('signFile', 'validation_failed', {
      params: { id: fileId },
      body: { transformation: t },
    })
    assert.deepEqual(
      issue.issues?.map(({ path }) => path),
      ['/transformation'],
    )
  })

  it('have layers of the tenant’s own files, and of nobody else’s', async () => {
    const stranger = (await createTenant(service())).tenant.id
    const stamp = await png(drawn(5, 5, () => green))
    const own = await upload(stamp, { access: 'private' })
    const theirs = await upload(stamp, {}, stranger)
    const layer = (url: string): TransformationStep[] => [{ type: 'layer', options: { url } }]
    const base = service().deps.config.baseUrl
    for (const url of [own, `${base}/media/${tenantId}/${own}/image`]) {
      const shown = await show(`t=${await named({ steps: layer(url), outputWidth: 0, outputHeight: 0 })}`)
      const expected = drawn(40, 20, (x, y) => (x < 5 && y < 5 ? green : picture.at(x, y)))
      assert.equal(difference(await decoded(shown.bytes), expected), undefined)
    }
    const square = svg('<rect width="1" height="1" fill="#0f0"/>', 'viewBox="0 0 1 1" width="1" height="1"')
    const vector = await upload(square, { mime: 'image/svg+xml' })
    const drawnLarger = { type: 'layer', options: { url: vector, width: 5, height: 5, resizeMode: 'minimum' } } as const
    const shown = await show(`t=${await named({ steps: [drawnLarger], outputWidth: 0, outputHeight: 0 })}`)
    const { at: pixel } = await decoded(shown.bytes)
    assert.deepEqual([pixel(4, 4), pixel(5, 4), pixel(4, 5)], [green, red, red])
    for (const url of [theirs, 'http://169.254.169.254/latest/meta-data/']) {
      const refusal = readError(await show(`t=${await named({ steps: layer(url) })}`))
      assert.deepEqual(refusal, [422, 'image_unprocessable'], url)
    }
  })

  it('have raster layers from the web, but no SVG that was not sanitised', async () => {
    const stamp = await png(drawn(5, 5, () => green))
    const web = createServer((request, response) => {
      response.end(request.url === '/stamp.png' ? stamp : svg('<rect width="5" height="5" fill="#0f0"/>'))
    }).listen(0, '127.0.0.1')
    await once(web, 'listening')
    const { port } = web.address() as AddressInfo
    const layer = (path: string): TransformationStep => ({
      type: 'layer',
      options: { url: `http://127.0.0.1:${port}${path}` },
    })
    try {
      assert.equal((await show(`t=${await named({ steps: [layer('/stamp.png')] })}`)).status, 200)
      const refused = await show(`t=${await named({ steps: [layer('/stamp.svg')] })}`)
      assert.deepEqual(readError(refused), [422, 'image_unprocessable'])
      assert.match(refused.bytes.toString(), /A layer cannot be drawn/)
    } finally {
      web.close()
    }
  })

  it('are previewed privately with a definition, and neither is stored', async () => {
    const id = await upload(await png(picture), { access: 'private' })
    const kept = filesOnDisk(service()).length
    const { name: _, ...body } = transformationBody(tenantId, { steps: [flush], outputWidth: 0, outputHeight: 0 })
    const headers = { accept: 'image/png' }
    const answer = await service().app.inject({
      method: 'POST',
      url: '/api/v0/media/transformations/preview',
      headers: { ...headers, authorization: `Bearer ${operatorKey}`, host: 'id.test' },
      payload: { ...body, fileId: id },
    })
    assert.deepEqual([answer.statusCode, answer.headers['content-type']], [200, 'image/png'])
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.deepEqual((await decoded(answer.rawPayload)).at(2, 2), blue)
    assert.equal(filesOnDisk(service()).length, kept)
  })

  it('are refused for damaged files without another try by a worker', async () => {
    const whole = await sharp(await png(drawn(200, 200, (x, y) => [x, y, (x * y) % 256, 255])))
      .jpeg()
      .toBuffer()
    const id = await upload(whole.subarray(0, whole.length >> 1), { mime: 'image/jpeg' })
    const tried = await countTries(async () => {
      const answers = [await show('', {}, id), await show('', {}, id)]
      for (const answer of answers) assert.deepEqual(readError(answer), [422, 'image_unprocessable'])
      const [first, second] = answers.map(({ bytes }) => JSON.parse(bytes.toString()) as { message: string })
      assert.equal(second?.message, first?.message)
    })
    assert.equal(tried, 1)
  })

  it('are tried again if they failed for lack of time, or of a layer', async () => {
    const own = await upload(await png(drawn(5, 5, () => green)))
    const layered = await named({ steps: [{ type: 'layer', options: { url: own } }] })
    for (const [query, failure] of [
      ['w=7', new ImageError('time_out', 'The image took too long.')],
      [`t=${layered}`, new ImageError('unreadable', 'The address of a layer does not answer.')],
    ] as const) {
      const tried = await countTries(async () => {
        assert.deepEqual(readError(await show(query)), [422, 'image_unprocessable'])
        assert.equal((await show(query)).status, 200)
      }, failure)
      assert.equal(tried, 2)
    }
  })

  it('of vectors stay vectors where nothing else is asked for, as a file to keep when opened alone', async () => {
    const id = await upload(Buffer.from(svg('<rect width="4" height="4" fill="red"/>', 'width="8" height="8"')), {
      mime: 'image/svg+xml',
    })
    const vector = await show('', { accept: 'image/avif,image/webp' }, id)
    assert.deepEqual(
      [vector.headers['content-type'], vector.headers['content-disposition']],
      ['image/svg+xml', 'attachment'],
    )
    assert.match(vector.bytes.toString(), /<rect/)
    const shown = await show(
      `t=${await named({ outputWidth: 80, outputHeight: 80, outputResizeMode: 'stretch' })}`,
      {},
      id,
    )
    assert.deepEqual((await decoded(shown.bytes)).at(10, 10), red)
    const { width } = await service().ok<File>('getFile', { params: { id } })
    assert.equal(width, 8)
  })
})

describeService(
  'images of named transformations alone',
  (service) => {
    it('are the only ones if the deployment is configured so', async () => {
      const { tenant } = await createTenant(service())
      const { id } = await createFile(service(), tenant.id, { mime: 'image/png' }, await png(picture))
      const show = (query: string) =>
        service().request({
          method: 'GET',
          url: `/api/v0/media/${tenant.id}/${id}/image${query}`,
          headers: { host: 'id.test' },
        })
      const refused = await show('?w=10&f=png')
      const { issues } = refused.body as { issues: { path: string; code: string }[] }
      assert.deepEqual(
        [refused.status, ...issues.map(({ path, code }) => `${path} ${code}`)],
        [400, '/w not_allowed', '/f not_allowed'],
      )
      assert.equal((await show('?t=avatar')).status, 200)
      // The size of the picture in the components, and no other.
      assert.equal((await show('?w=64&h=64&rm=crop')).status, 200)
      for (const other of ['?w=65&h=64&rm=crop', '?w=64&h=64', '?w=64&h=64&rm=crop&q=1']) {
        assert.equal((await show(other)).status, 400, other)
      }
    })
  },
  { ...testEnv, BAILIWICK_MEDIA_ADDRESSES: 'named' },
)

describeOnEachEngine('an image that a hundred ask for at the same time', (open) => {
  it('is made and kept once', async () => {
    const kept: string[] = []
    const service = await startTestService((await open()).database, testEnv, ({ storage }) => ({
      storage: {
        ...storage,
        put: (...[key, bytes, mime]: Parameters<typeof storage.put>) => {
          kept.push(key)
          return storage.put(key, bytes, mime)
        },
      },
    }))
    try {
      const { tenant } = await createTenant(service)
      const { id } = await createFile(service, tenant.id, { mime: 'image/png' }, await png(picture))
      const url = `/api/v0/media/${tenant.id}/${id}/image?t=avatar`
      const answers = await Promise.all(Array.from({ length: 100 }, () => service.request({ method: 'GET', url })))
      for (const { status } of answers) assert.equal(status, 200)
      await service.deps.keptImages.settled()
      assert.equal(kept.length, 2, 'the file itself, and the one image')
    } finally {
      await service.app.close()
    }
  })
})

describeOnEachEngine('a signed address', (open) => {
  it('shows nothing any more once its time is over', async () => {
    let ahead = 0
    const startedAt = Date.now()
    const clock = createClock(() => startedAt + ahead)
    const service = await startTestService((await open()).database, testEnv, () => ({ clock }))
    try {
      const { tenant } = await createTenant(service)
      const { id } = await createFile(service, tenant.id, { mime: 'image/png', access: 'private' }, await png(picture))
      const { url } = await service.ok<{ url: string }>('signFile', { params: { id }, body: { expiresIn: 60 } })
      const show = () => service.request({ method: 'GET', url: new URL(url).pathname + new URL(url).search })
      assert.equal((await show()).status, 200)
      ahead = 58_000
      assert.equal((await show()).status, 200)
      ahead = 60_001
      assert.equal((await show()).status, 404)
    } finally {
      await service.app.close()
    }
  })
})
