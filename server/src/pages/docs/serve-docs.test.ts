import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describeServiceOnce } from '../../../test/harness/service.ts'

describeServiceOnce('GET /docs', (service) => {
  const get = (url: string, headers: Record<string, string> = {}) =>
    service().app.inject({ method: 'GET', url, headers: { host: 'id.test', ...headers } })
  const brotli = { 'accept-encoding': 'gzip, br' }

  it('sends a page compressed, under a policy that lets in nothing but its own files and one script by its hash', async () => {
    const { statusCode, headers, rawPayload } = await get('/docs/scim/', brotli)
    assert.equal(statusCode, 200)
    assert.equal(headers['content-encoding'], 'br')
    const page = brotliDecompressSync(rawPayload).toString()
    assert.match(page, /<h1>Provisioning by SCIM<\/h1>/)
    assert.match(
      String(headers['content-security-policy']),
      /^default-src 'none'; script-src 'self' 'sha256-[\w+/]{43}='; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'$/,
    )
    assert.doesNotMatch(page, /(?:src|href)="(?:https?:)?\/\/|<style| style=| on\w+=/)
    assert.equal((await get('/docs/scim/')).body, page)
  })

  it('says of a page that has not changed so', async () => {
    const { headers } = await get('/docs/')
    assert.equal(headers['cache-control'], 'no-cache')
    const again = await get('/docs/', { 'if-none-match': `"x", W/${String(headers.etag)}` })
    assert.deepEqual([again.statusCode, again.body, again.headers.etag], [304, '', headers.etag])
    assert.equal((await get('/docs/', { 'if-none-match': '"x"' })).statusCode, 200)
  })

  it('sends what a page loads compressed and to be kept for ever, and nothing else of the disk', async () => {
    const { body } = await get('/docs/')
    const [, path = assert.fail()] = /src="\.\/(assets\/site-\w+\.js)"/.exec(body) ?? []
    const plain = await get(`/docs/${path}`)
    for (const [encoding, decompress] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const { headers, rawPayload } = await get(`/docs/${path}`, { 'accept-encoding': encoding })
      assert.deepEqual(
        [headers['content-encoding'], headers['cache-control'], headers['content-type']],
        [encoding, 'public, max-age=31536000, immutable', 'text/javascript; charset=utf-8'],
      )
      assert.equal(decompress(rawPayload).toString(), plain.body)
    }
    for (const name of [
      '..%2Findex.html',
      '%2e%2e/package.json',
      '../../package.json',
      'site.br',
      'inputs.sha256',
      'index.html',
      'nothing/',
      'nothing',
      'assets/',
      '.git/',
      'a/'.repeat(150),
    ])
      assert.equal((await get(`/docs/${name}`)).statusCode, 404, name)
  })

  it('leads from an address without its slash, and from where the reference was, to the page', async () => {
    for (const [from, to] of [
      ['/docs', '/docs/'],
      ['/docs/scim', '/docs/scim/'],
      ['/api/v0/reference', '/docs/reference/'],
      ['/api/v0/reference/', '/docs/reference/'],
      ['/docs/reference/openapi.json', '/api/v0/openapi.json'],
    ] as const) {
      const { statusCode, headers } = await get(from)
      assert.deepEqual([statusCode, headers.location], [308, to], from)
    }
  })

  it('sends the description of both interfaces compressed, and says whether it has changed', async () => {
    for (const url of ['/api/v0/openapi.json', '/frontend/api/v0/openapi.json']) {
      const plain = await get(url)
      const { headers, rawPayload } = await get(url, brotli)
      assert.equal(gunzipSync(rawPayload).toString(), plain.body)
      assert.ok(rawPayload.length < plain.rawPayload.length / 5)
      assert.equal((await get(url, { 'if-none-match': String(headers.etag) })).statusCode, 304)
    }
  })

  it('offers sources for apps with Tailwind as shadcn reads them, whose packages have all that they import', async () => {
    interface Item {
      readonly name: string
      readonly type: string
      readonly dependencies: readonly string[]
      readonly files: readonly { readonly type: string; readonly target: string; readonly content: string }[]
    }
    const read = async <Value>(name: string): Promise<Value> => {
      const { headers, statusCode, json } = await get(`/docs/r/${name}.json`)
      assert.deepEqual([statusCode, headers['content-type']], [200, 'application/json; charset=utf-8'], name)
      return json<Value>()
    }
    const { items } = await read<{ items: readonly Pick<Item, 'name'>[] }>('registry')
    const readme = readFileSync(new URL('../../../../react/README.md', import.meta.url), 'utf8')
    assert.ok(items.length >= 5)
    for (const { name } of items) {
      const item = await read<Item>(name)
      assert.deepEqual([item.name, item.type, readme.includes(`\`${name}\``)], [name, 'registry:component', true])
      const packages = item.dependencies.map((each) => each.replace(/(?<=.)@.*/, ''))
      for (const { content, target, type } of item.files) {
        assert.deepEqual([target, type], [`components/bailiwick/${name}.tsx`, 'registry:component'])
        for (const [, from = ''] of content.matchAll(/from '([^']+)'/g)) {
          const [scope = '', own = '', entry] = from.split('/')
          if (scope === 'react') continue
          const imported = `${scope}/${own}`
          assert.ok(packages.includes(imported), `${name} imports ${from}`)
          const manifest = new URL(`../../../../${own}/package.json`, import.meta.url)
          const { exports } = JSON.parse(readFileSync(manifest, 'utf8')) as { exports: object }
          assert.ok((entry === undefined ? '.' : `./${entry}`) in exports, from)
        }
      }
    }
  })
})
