import assert from 'node:assert/strict'
import { it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describeServiceOnce } from '../../../test/harness/service.ts'
import type { S3Config } from '../../platform/config.ts'
import { consolePolicy } from './serve-console.ts'

describeServiceOnce('GET /console', (service) => {
  const get = (url: string, headers: Record<string, string> = {}) =>
    service().app.inject({ method: 'GET', url, headers })

  it('sends the same page for every address below it, under a policy that lets nothing in', async () => {
    for (const url of ['/console', '/console/t/c0mwq1xz3pqos6t8bx4g5h9pv/users', '/console/nothing/there']) {
      const { statusCode, headers, body } = await get(url)
      assert.equal(statusCode, 200, url)
      assert.equal(headers['cache-control'], 'no-store')
      const policy = String(headers['content-security-policy'])
      for (const part of ["default-src 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"]) {
        assert.ok(policy.includes(part), part)
      }
      assert.ok(!policy.includes('unsafe'))
      assert.ok(!/%[A-Z_]+%/.test(body))
    }
  })

  it('lets pictures and bytes come and go nowhere but to the service, and to the object store where there is one', async () => {
    const splitIntoParts = (policy: unknown) => String(policy).split('; ')
    const policy = splitIntoParts((await get('/console')).headers['content-security-policy'])
    const own = new URL(service().deps.config.baseUrl).origin
    assert.ok(policy.includes(`img-src 'self' ${own} data: blob:`))
    assert.ok(policy.includes(`connect-src 'self' ${own}`))
    const frame = splitIntoParts((await get('/console/frame')).headers['content-security-policy'])
    assert.ok(frame.includes(`img-src 'self' ${own} data:`))
    const s3 = { endpoint: 'https://store.example:9000', bucket: 'b', region: 'r' } as S3Config
    const config = { ...service().deps.config, s3 }
    assert.ok(
      splitIntoParts(consolePolicy('n', config)).includes(`connect-src 'self' ${own} https://store.example:9000`),
    )
  })

  it('says whom the page is opened by: nobody, unless there is a cookie or the caller is on the same machine', async () => {
    const callerOf = async (headers: Record<string, string>) =>
      /name="bailiwick-caller" content="(\w+)"/.exec((await get('/console', headers)).body)?.[1]
    assert.equal(await callerOf({ host: 'id.test' }), 'nobody')
    assert.equal(await callerOf({ host: 'localhost:4000' }), 'operator')
    assert.equal(await callerOf({ host: 'localhost:4000', 'x-forwarded-for': '192.0.2.1' }), 'nobody')
    assert.equal(await callerOf({ host: 'localhost:4000', cookie: '__Host-console=se_x' }), 'user')
  })

  it('has a new nonce each time', async () => {
    const [one, another] = await Promise.all([get('/console'), get('/console')])
    assert.notEqual(one.headers['content-security-policy'], another.headers['content-security-policy'])
  })

  it('sends what the page loads compressed and to be kept for ever, and nothing else of the disk', async () => {
    const { body } = await get('/console')
    const [path = assert.fail()] = /\/console\/assets\/[\w-]+\.js/.exec(body) ?? []
    const plain = await get(path)
    assert.equal(plain.headers['content-encoding'], undefined)
    assert.match(plain.body, /^import|^(?:const|var|function) /)
    for (const [encoding, decompress] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
      // The second time from memory.
      ['gzip', gunzipSync],
    ] as const) {
      const { headers, rawPayload } = await get(path, { 'accept-encoding': encoding })
      assert.equal(headers['content-encoding'], encoding)
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
      assert.ok(rawPayload.length < plain.rawPayload.length / 2)
      assert.equal(decompress(rawPayload).toString(), plain.body)
    }
    for (const name of [
      '..%2Findex.html',
      '%2e%2e%2findex.html',
      'none-12345678.js',
      '.vite',
      '..%2F..%2Fpackage.json',
      'index.html',
    ]) {
      assert.equal((await get(`/console/assets/${name}`)).statusCode, 404, name)
    }
  })
})
