import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { before, it } from 'node:test'
import { type Endpoint, type EndpointId, type Tenant, bodyBytesMaxDefault, endpoints } from '@bailiwick/contract'
import fc from 'fast-check'
import { rowCounts } from '../../../../test/harness/databases/stored.ts'
import { createTenant, unique } from '../../../../test/harness/factories.ts'
import { type Answer, type TestService, describeService } from '../../../../test/harness/service.ts'
import { apiPrefix } from '../../../service/app.ts'
import { routePath } from '../pipeline.ts'
import { structuralIssues } from './json-body.ts'

/** The body of an error, or of a user. */
interface SomeBody {
  readonly code?: string
  readonly issues?: readonly { readonly path: string; readonly code: string }[]
  readonly publicMeta?: unknown
}

const json = { 'content-type': 'application/json' }

/** Sends a body byte for byte, by default to POST /auth/users. */
const send = (service: TestService, body: string | Buffer | Readable, headers = json, id: EndpointId = 'createUser') =>
  service.call<SomeBody>(id, { body, headers })

const readIssues = ({ body }: Answer<SomeBody>) => (body.issues ?? []).map(({ path, code }) => `${path} ${code}`)

/** The operations that take a JSON body. */
const jsonOperations = ({ app }: TestService) =>
  (Object.entries(endpoints) as [EndpointId, Endpoint][]).filter(
    ([, { method, path, body, bodyType }]) =>
      body !== undefined && bodyType === undefined && app.hasRoute({ method, url: apiPrefix + routePath(path) }),
  )

const accepted = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'Application/JSON; Charset=Utf-8',
  'application/json ; charset="utf-8"',
]
const refused = [
  'text/plain',
  'text/plain; application/json',
  'text/json',
  'text/html',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data; boundary=application/json',
  'application/jsonp',
  'application/json5',
  'application/x-ndjson',
  'application/json-seq',
  'application/ld+json',
  'application/vnd.api+json',
  'application/problem+json',
  'application/xml',
  'application/octet-stream',
  'application/*',
  '*/*',
  'json',
  'application/',
  'application /json',
  'application/ json',
  'application/json/x',
  'application/json x',
  'application/json, text/plain',
  'text/plain, application/json',
  'application/json;',
  'application/json; a=b',
  'application/json; charset',
  'application/json; charset=',
  'application/json; charset=utf-16',
  'application/json; charset=latin1',
  'application/json; charset=utf-8; charset=utf-16',
  'application/json; charset=utf-8, text/plain',
  "application/json; charset='utf-8'",
  'application/json\u00a0',
]

describeService('the content type of a body', (service) => {
  let tenantId = ''
  before(async () => {
    tenantId = (await createTenant(service())).tenant.id
  })

  it('is JSON in UTF-8, however it is written, and then the body is validated', async () => {
    for (const type of accepted) {
      const headers = { 'content-type': type }
      const taken = await send(service(), JSON.stringify({ tenantId, name: unique() }), headers)
      assert.equal(taken.status, 200, type)
      const broken = await send(service(), JSON.stringify({ tenantId, name: 5 }), headers)
      assert.deepEqual([broken.status, readIssues(broken)], [400, ['/name invalid_type']], type)
    }
  })

  it('must not be anything else: answers 415 and writes nothing', async () => {
    const rows = await rowCounts(service())
    const body = JSON.stringify({ tenantId, name: unique() })
    for (const type of refused) {
      const answer = await send(service(), body, { 'content-type': type })
      assert.deepEqual([answer.status, answer.body.code], [415, 'unsupported_media_type'], type)
    }
    const untyped = await service().call<SomeBody>('createUser', { body: Buffer.from(body) })
    assert.equal(untyped.body.code, 'unsupported_media_type')
    assert.deepEqual(await rowCounts(service()), rows)
  })
})

describeService('the bytes of a body', (service) => {
  let tenantId = ''
  let text = ''
  before(async () => {
    tenantId = (await createTenant(service())).tenant.id
    text = JSON.stringify({ tenantId, name: 'Ada "\\ 日本', publicMeta: { list: [1, -2.5e3, true, null], 'k\n': '' } })
  })

  async function assertMalformed(bodies: readonly (string | Buffer)[]) {
    const rows = await rowCounts(service())
    for (const body of bodies) {
      const answer = await send(service(), body)
      assert.deepEqual([answer.status, answer.body.code], [400, 'malformed_json'], JSON.stringify(body))
    }
    assert.deepEqual(await rowCounts(service()), rows)
  }

  it('are refused if they are not UTF-8', async () => {
    const bad = [
      'ff',
      'c0 80',
      'c1 bf',
      '80',
      'bf',
      'e2 82',
      'f0 9f a6',
      'ed a0 80',
      'ed bf bf',
      'f4 90 80 80',
      'f5 80 80 80',
      'fe ff',
      'e0 80 af',
    ]
    const [head = '', tail = ''] = text.split('日本')
    await assertMalformed(
      bad.map((hex) =>
        Buffer.concat([Buffer.from(head), Buffer.from(hex.replaceAll(' ', ''), 'hex'), Buffer.from(tail)]),
      ),
    )
  })

  it('are refused with a byte order mark, or in UTF-16', async () => {
    const wide = Buffer.from(text, 'utf16le')
    await assertMalformed([
      `\ufeff${text}`,
      wide,
      Buffer.concat([Buffer.from('fffe', 'hex'), wide]),
      Buffer.from(wide).swap16(),
    ])
  })

  it('are refused if they are truncated at any byte', async () => {
    const whole = Buffer.from(text)
    await assertMalformed(Array.from({ length: whole.length - 1 }, (_, n) => whole.subarray(0, n + 1)))
    assert.equal((await send(service(), whole)).status, 200)
  })

  it('are refused if they are nearly JSON', async () => {
    await assertMalformed([
      `${text}x`,
      `${text}${text}`,
      `${text},`,
      `[${text},]`,
      "{'tenantId': 'x'}",
      '{tenantId: "x"}',
      '{"a": 01}',
      '{"a": .5}',
      '{"a": +1}',
      '{"a": NaN}',
      '{"a": Infinity}',
      '{"a": undefined}',
      '{"a": 0x10}',
      '{"a": "\t"}',
      '{"a": "\\x41"}',
      '{"a": 1} // comment',
      '/**/{"a": 1}',
      '{"a" 1}',
      '{"a": 1 "b": 2}',
      '{,}',
      '\u00a0{}',
    ])
  })

  it('may be nested a hundred thousand times without harm', async () => {
    const deep = '['.repeat(30_000)
    await assertMalformed([deep])
    const answer = await send(service(), deep + ']'.repeat(30_000))
    assert.deepEqual([answer.status, readIssues(answer).map((issue) => issue.split(' ')[1])], [400, ['too_deep']])
  })

  it('are required: an empty body is reported as missing', async () => {
    for (const [id, { isBodyOptional }] of jsonOperations(service())) {
      if (isBodyOptional === true) continue
      const answer = await send(service(), '', json, id)
      assert.equal(answer.status, 400, id)
      assert.ok(readIssues(answer).includes(' required'), `${id}: ${answer.text}`)
    }
  })

  it('must contain an object: anything else is refused', async () => {
    for (const body of ['null', '[]', '"x"', '5', 'true', '[{}]']) {
      const answer = await send(service(), body)
      assert.deepEqual([answer.status, readIssues(answer)], [400, [' invalid_type']], body)
    }
  })
})

/** Nested objects and arrays, this many in all. */
const nested = (levels: number): unknown =>
  levels === 0 ? 1 : levels % 2 === 0 ? [nested(levels - 1)] : { a: nested(levels - 1) }
const properties = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]))

describeService('what no body may hold', (service) => {
  let tenantId = ''
  before(async () => {
    tenantId = (await createTenant(service())).tenant.id
  })

  /** The body as text, so that it can hold what JSON.stringify never writes. */
  const meta = (text: string) => `{"tenantId":"${tenantId}","publicMeta":${text}}`

  async function assertIssues(body: string, issues: readonly string[]) {
    const rows = await rowCounts(service())
    const answer = await send(service(), body)
    assert.deepEqual([answer.status, readIssues(answer)], [400, issues], body.slice(0, 200))
    assert.deepEqual(await rowCounts(service()), rows)
  }

  it('is a level below the twentieth', async () => {
    // The body is the first level.
    assert.equal((await send(service(), meta(JSON.stringify(nested(19))))).status, 200)
    const answer = await send(service(), meta(JSON.stringify(nested(20))))
    assert.equal(answer.status, 400)
    const [issue = ''] = readIssues(answer)
    assert.match(issue, /^\/publicMeta(?:\/0|\/a){19} too_deep$/)
  })

  it('is a property beyond the thousandth, wherever they are', async () => {
    const half = properties(498)
    assert.equal((await send(service(), meta(JSON.stringify([half, properties(500)])))).status, 200)
    await assertIssues(meta(JSON.stringify([half, properties(501)])), ['/publicMeta/1 too_many'])
  })

  it('is a list of more than a thousand', async () => {
    assert.equal((await send(service(), meta(JSON.stringify(Array(1000).fill(0))))).status, 200)
    await assertIssues(meta(JSON.stringify(Array(1001).fill(0))), ['/publicMeta too_many'])
  })

  it('is a number that 64 bits cannot hold', async () => {
    for (const number of ['1e400', '-1e400', '1e309', `1${'0'.repeat(400)}`]) {
      await assertIssues(meta(`[${number}]`), ['/publicMeta/0 invalid_number'])
    }
    assert.equal((await send(service(), meta('[1e308, 1e-400, -0, 5e-324]'))).status, 200)
  })

  it('is NUL or half a character, in a value or a name', async () => {
    for (const bad of ['\\u0000', '\\ud800', 'a\\udfffb', '\\udc00\\ud800']) {
      await assertIssues(meta(`{"a/~":"${bad}"}`), ['/publicMeta/a~1~0 invalid_text'])
      const answer = await send(service(), meta(`{"${bad}":1}`))
      assert.equal(answer.status, 400)
      assert.match(readIssues(answer)[0] ?? '', /^\/publicMeta\/.+ invalid_text$/s)
    }
    assert.equal((await send(service(), meta('"\\ud83e\\udd8a"'))).status, 200)
  })

  // Guards: prototypes
  it('is a name that accesses the prototype, at any depth and in any spelling', async () => {
    for (const name of ['__proto__', 'constructor', 'prototype']) {
      await assertIssues(meta(`[{"x":{"${name}":{"isAdmin":true}}}]`), [`/publicMeta/0/x/${name} forbidden_property`])
      await assertIssues(`{"tenantId":"${tenantId}","${name}":{}}`, [`/${name} forbidden_property`])
    }
    await assertIssues(meta('{"__pr\\u006fto__":1}'), ['/publicMeta/__proto__ forbidden_property'])
  })

  it('is a property twice, in any spelling and at any depth', async () => {
    const twice = [
      `{"tenantId":"${tenantId}","name":"Ada","name":"Ada"}`,
      `{"tenantId":"x","tenantId":"${tenantId}"}`,
      `{"tenantId":"${tenantId}","n\\u0061me":"Ada","name":"Eve"}`,
      meta('{"a":{"b":[{"c":1,"c":2}]}}'),
      meta('{"":1,"":2}'),
      meta('{"a\\"b":1,"a\\u0022b":2}'),
    ]
    for (const body of twice) await assertIssues(body, [' duplicate_property'])
    assert.equal((await send(service(), meta('{"a":{"a":[{"a":":"},{"a:\\"":"\\\\"}]}}'))).status, 200)
  })

  it('is reported completely: every broken rule with its path', async () => {
    await assertIssues(meta('{"a":"\\u0000","b":[1e400,{"__proto__":1}],"c":{"d":"\\ud800"}}'), [
      '/publicMeta/a invalid_text',
      '/publicMeta/b/0 invalid_number',
      '/publicMeta/b/1/__proto__ forbidden_property',
      '/publicMeta/c/d invalid_text',
    ])
  })

  it('is nothing else: any other JSON comes back as it was sent', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 6 }), async (value) => {
        fc.pre(structuralIssues([[value]]).length === 0)
        const answer = await send(service(), meta(JSON.stringify(value)))
        assert.equal(answer.status, 200, answer.text)
        assert.deepEqual(answer.body.publicMeta, JSON.parse(JSON.stringify(value)))
      }),
      { numRuns: 150 },
    )
  })
})

describeService('the size of a body', (service) => {
  const padded = (body: object, bytes: number) => JSON.stringify(body).padEnd(bytes, ' ')

  it('is 64 KiB at most, to the byte', async () => {
    const body = () => ({ name: `Tenant ${unique()}`, environment: 'staging' })
    const most = await send(service(), padded(body(), bodyBytesMaxDefault), json, 'createTenant')
    assert.equal(most.status, 200)
    const rows = await rowCounts(service())
    const more = await send(service(), padded(body(), bodyBytesMaxDefault + 1), json, 'createTenant')
    assert.deepEqual([more.status, more.body.code], [413, 'payload_too_large'])
    assert.deepEqual(await rowCounts(service()), rows)
  })

  it('is 256 KiB at most where meta data is taken', async () => {
    const { tenant } = await createTenant(service())
    const body = { tenantId: tenant.id }
    assert.equal((await send(service(), padded(body, 256 * 1024))).status, 200)
    assert.equal((await send(service(), padded(body, 256 * 1024 + 1))).status, 413)
  })

  it('is bounded for every operation, even if it is sent in pieces without a length', async () => {
    const operations = jsonOperations(service())
    assert.ok(operations.length >= 14)
    for (const [id, { bodyBytesMax = bodyBytesMaxDefault }] of operations) {
      const over = Buffer.alloc(bodyBytesMax + 1, ' ')
      assert.equal((await send(service(), over, json, id)).status, 413, id)
      const pieces = Readable.from([over.subarray(0, 1000), over.subarray(1000)])
      assert.equal((await send(service(), pieces, json, id)).status, 413, id)
    }
  })

  it('does not matter if nothing takes it: the answer is 404 or 405, and the body stays unread', async () => {
    for (const [method, path, status] of [
      ['POST', '/nowhere', 404],
      ['PUT', '/tenants/x/y/z', 404],
      ['PUT', '/tenants', 405],
    ] as const) {
      for (const payload of ['{', Buffer.alloc(2_000_000, ' ')]) {
        const headers = { ...json, host: 'id.test' }
        const answer = await service().request({ method, url: `/api/v0${path}`, headers, payload })
        assert.equal(answer.status, status, path)
      }
    }
  })
})

describeService('an operation without a body', (service) => {
  it('refuses a body, and does nothing', async () => {
    const { tenant, secretKey } = await createTenant(service())
    const rows = await rowCounts(service())
    for (const body of ['{"a":1}', '[1]', '"x"', '5', 'false']) {
      const answer = await service().call<SomeBody>('rotateTenantSecretKey', {
        params: { id: tenant.id },
        body,
        headers: json,
      })
      assert.deepEqual([answer.status, readIssues(answer)], [400, [' unexpected_body']], body)
    }
    for (const body of ['{', '{"__proto__":1}']) {
      const answer = await service().call('rotateTenantSecretKey', { params: { id: tenant.id }, body, headers: json })
      assert.equal(answer.status, 400, body)
    }
    assert.deepEqual(await rowCounts(service()), rows)
    await service().ok('getTenant', { params: { id: tenant.id }, token: secretKey })
  })

  it('does not read the body of a GET', async () => {
    const { tenant } = await createTenant(service())
    for (const body of ['{"id":"x"}', '{', Buffer.from('ff', 'hex')]) {
      const seen = await service().ok('getTenant', { params: { id: tenant.id }, body, headers: json })
      assert.deepEqual(seen, tenant)
    }
  })
})

const headerNames = [
  'cookie',
  'accept',
  'accept-encoding',
  'accept-language',
  'accept-charset',
  'if-none-match',
  'if-modified-since',
  'range',
  'referer',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'forwarded',
  'via',
  'x-http-method-override',
  'x-original-url',
  'x-request-id',
  'prefer',
  'priority',
  'traceparent',
]
/** What HTTP allows in a header: visible ASCII, spaces, tabs and bytes above 127. */
const headerValue = fc
  .array(fc.oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff }), fc.constant(9)), {
    maxLength: 800,
  })
  .map((codes) => String.fromCharCode(...codes).trim())

describeService('headers and cookies full of junk', (service) => {
  let tenant: Tenant | undefined
  before(async () => {
    tenant = (await createTenant(service())).tenant
  })

  it('do not change an answer', async () => {
    const { id } = tenant ?? assert.fail()
    const junk = fc.dictionary(fc.constantFrom(...headerNames), headerValue, { maxKeys: 8 })
    await fc.assert(
      fc.asyncProperty(junk, async (headers) => {
        const read = await service().call('getTenant', { params: { id }, headers })
        assert.deepEqual([read.status, read.body], [200, tenant])
        assert.notEqual(read.headers['x-request-id'], headers['x-request-id'] ?? '')
        const written = await service().call('createUser', { body: { tenantId: id }, headers })
        assert.equal(written.status, 200)
      }),
      { numRuns: 60 },
    )
  })
})
