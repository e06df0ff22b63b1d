import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, it, mock } from 'node:test'
import { inspect } from 'node:util'
import { Bailiwick, type BailiwickOptions, createClient, isBailiwickError } from '@bailiwick/sdk'
import { baseUrl, describeFailure, json, requestId, scripted } from '../test/answers.ts'

const secretKey = 'sk_dev_1'
const params = { id: 'ctenant0001' }

describe('new Bailiwick', () => {
  const refused: Readonly<Record<string, object>> = {
    'no base address': {},
    'a relative base address': { baseUrl: '/api/v0' },
    'a base address of another scheme': { baseUrl: 'file:///api/v0' },
    'an address without the path of the interface': { baseUrl: 'https://id.example.com' },
    'the address of the frontend interface': { baseUrl: 'https://id.example.com/frontend/api/v0' },
    'a base address with a user': { baseUrl: 'https://ada:pw@id.example.com/api/v0' },
    'a base address with a query': { baseUrl: `${baseUrl}?a=b` },
    'a base address with a fragment': { baseUrl: `${baseUrl}#` },
    'a secret key that is undefined': { baseUrl, secretKey: undefined },
    'a token that is undefined': { baseUrl, token: undefined },
    'two credentials': { baseUrl, secretKey, operatorKey: 'op_1' },
    'a secret key that is an operator key': { baseUrl, secretKey: 'op_1' },
    'an operator key that is a secret key': { baseUrl, operatorKey: 'sk_1' },
    'an API key that is a secret key': { baseUrl, apiKey: 'sk_1' },
    'a key with a line break': { baseUrl, secretKey: 'sk_1\n' },
    'an empty token': { baseUrl, token: '' },
    'no time at all': { baseUrl, timeoutMs: 0 },
    'a time limit that no timer keeps': { baseUrl, timeoutMs: 2 ** 31 },
    'half a retry': { baseUrl, retries: 0.5 },
    'endless retries': { baseUrl, retries: Infinity },
  }
  for (const [what, options] of Object.entries(refused)) {
    it(`refuses ${what}`, () => {
      assert.throws(() => new Bailiwick(options as BailiwickOptions), TypeError)
    })
  }

  it('says that a key is undefined, and which one', () => {
    const missing = { baseUrl, secretKey: undefined } as unknown as BailiwickOptions
    assert.throws(
      () => new Bailiwick(missing),
      /^TypeError: secretKey is undefined\. Is the environment variable set\?/,
    )
    const both = { baseUrl, secretKey: 'sk_1', operatorKey: undefined } as unknown as BailiwickOptions
    assert.doesNotThrow(() => new Bailiwick(both))
  })

  it('says how the base address ends', () => {
    for (const wrong of ['https://id.example.com', 'https://id.example.com/frontend/api/v0/']) {
      assert.throws(
        () => new Bailiwick({ baseUrl: wrong }),
        /^TypeError: baseUrl .*such as https:\/\/id\.example\.com\/api\/v0$/,
      )
    }
  })

  it('never reveals the key that it refuses', () => {
    assert.throws(
      () => new Bailiwick({ baseUrl, secretKey: 'sk_dev_1 2' }),
      (error: Error) => !error.message.includes('dev'),
    )
  })

  it('does not show its credential when it is printed', () => {
    const client = new Bailiwick({ baseUrl, secretKey: 'sk_dev_hidden' })
    assert.doesNotMatch(inspect(client, { depth: 10, showHidden: true }) + JSON.stringify(client), /hidden/)
  })
})

describe('a call', () => {
  const sentBy = async (options: Partial<BailiwickOptions>, call: (client: Bailiwick) => Promise<unknown>) => {
    const { fetch, sent } = scripted(json({}))
    await call(new Bailiwick({ baseUrl, fetch, ...options } as BailiwickOptions))
    const [first] = sent
    assert.ok(first)
    return first
  }

  it('goes to the address of its operation, whatever slashes the base address ends with', async () => {
    const { method, url } = await sentBy({ baseUrl: `${baseUrl}//` }, (client) => client.getTenant({ params }))
    assert.deepEqual([method, url], ['GET', `${baseUrl}/tenants/ctenant0001`])
  })

  it('encodes parameters and query', async () => {
    const { url } = await sentBy({}, (client) =>
      client.listRoles({ params: { tenantId: 'a/b?c#d%2e é' }, query: { cursor: '2026-11-20T22:49:43.018032Z' } }),
    )
    assert.equal(
      url,
      `${baseUrl}/auth/tenants/a%2Fb%3Fc%23d%252e%20%C3%A9/roles?cursor=2026-11-20T22%3A49%3A43.018032Z`,
    )
  })

  for (const id of ['', '.', '..', undefined, 7, ['a']]) {
    it(`refuses ${JSON.stringify(id)} as a path parameter, which would call another operation`, async () => {
      const { fetch, sent } = scripted(json({}))
      const client = new Bailiwick({ baseUrl, secretKey, fetch })
      await assert.rejects(client.getTenantBrand({ params: { id: id as string } }), TypeError)
      assert.equal(sent.length, 0)
    })
  }

  it('sends each kind of credential as a Bearer token, and sends no token without one', async () => {
    const cases: readonly (readonly [Partial<BailiwickOptions>, string | undefined])[] = [
      [{ secretKey }, `Bearer ${secretKey}`],
      [{ operatorKey: 'op_1' }, 'Bearer op_1'],
      [{ apiKey: 'ak_1' }, 'Bearer ak_1'],
      [{ token: 'a.b.c' }, 'Bearer a.b.c'],
      [{ token: async () => 'd.e.f' }, 'Bearer d.e.f'],
      [{}, undefined],
    ]
    for (const [credential, header] of cases) {
      const { headers } = await sentBy(credential, (client) => client.getTenant({ params }))
      assert.equal(headers['authorization'], header)
    }
  })

  it('asks for a token before every request', async () => {
    let count = 0
    const { fetch, sent } = scripted(json({}))
    const client = new Bailiwick({ baseUrl, fetch, token: () => `token${++count}` })
    await client.getTenant({ params })
    await client.getTenant({ params })
    assert.deepEqual(
      sent.map(({ headers }) => headers['authorization']),
      ['Bearer token1', 'Bearer token2'],
    )
  })

  it('does not follow a redirect, which would send the credential elsewhere', async () => {
    const { redirect } = await sentBy({ secretKey }, (client) => client.getTenant({ params }))
    assert.equal(redirect, 'manual')
    const { fetch } = scripted(new Response(null, { status: 302, headers: { location: 'https://evil.example' } }))
    const error = await describeFailure(new Bailiwick({ baseUrl, fetch }).getTenant({ params }))
    assert.deepEqual([error.code, error.status], ['invalid_response', 302])
  })

  it('reports where the service found the error and which rules were broken', async () => {
    const issues = [{ path: '/slug', code: 'too_short', message: 'It is too short.' }]
    const { fetch } = scripted(
      json({ status: 'error', code: 'validation_failed', message: 'No.', issues, requestId }, { status: 400 }),
    )
    const error = await describeFailure(new Bailiwick({ baseUrl, fetch }).getTenant({ params }))
    assert.deepEqual(error.issues, issues)
    assert.deepEqual([error.message, error.requestId, error.name], ['No.', requestId, 'BailiwickError'])
    assert.ok(isBailiwickError(error) && isBailiwickError(error, 'not_found', 'validation_failed'))
    assert.ok(!isBailiwickError(error, 'not_found') && !isBailiwickError(new Error('No.')))
  })

  const foreign: Readonly<Record<string, Response>> = {
    "a proxy's page": new Response('<h1>Welcome</h1>', { headers: { 'content-type': 'text/html' } }),
    'JSON that breaks off': new Response('{"id":', { headers: { 'content-type': 'application/json' } }),
    'JSON that is called text': new Response('{}', { headers: { 'content-type': 'text/plain' } }),
    'an empty answer': new Response(null, { status: 204 }),
    'an error of another kind': json({ error: 'nope' }, { status: 400 }),
    'an error that is null': json(null, { status: 502 }),
    'an error with issues that are no list': json(
      { code: 'not_found', message: 'No.', requestId, issues: 'many' },
      { status: 404 },
    ),
  }
  for (const [what, answer] of Object.entries(foreign)) {
    it(`treats ${what} as an invalid response`, async () => {
      const { fetch } = scripted(answer)
      const error = await describeFailure(new Bailiwick({ baseUrl, fetch }).getTenant({ params }))
      assert.deepEqual([error.code, error.status], ['invalid_response', answer.status])
    })
  }
})

describe('over the platform’s fetch', () => {
  afterEach(() => mock.reset())

  it('survives a connection that breaks, one that breaks within the answer, and a busy service', async () => {
    mock.method(Math, 'random', () => 0)
    const keys = new Set<unknown>()
    let count = 0
    const server = createServer((request, response) => {
      keys.add(request.headers['idempotency-key'])
      count++
      if (count === 1) return void request.socket.destroy()
      response.setHeader('content-type', 'application/json')
      if (count === 2) {
        response.setHeader('content-length', '100')
        return void response.write('{"id":', () => request.socket.destroy())
      }
      if (count === 3) return void response.writeHead(503, { 'retry-after': '0' }).end('{}')
      response.end('{"id":"cuser00001"}')
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = server.address() as AddressInfo
      const client = new Bailiwick({ baseUrl: `http://127.0.0.1:${port}/api/v0`, secretKey, retries: 3 })
      const user = await client.createUser({ body: { tenantId: 'ctenant0001' } })
      assert.deepEqual([user.id, count, keys.size], ['cuser00001', 4, 1])
    } finally {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    }
  })
})

describe('the groups of a client', () => {
  const list = {
    data: [{ id: 'c1' }],
    meta: { total: 2, count: 1, numPages: 2, perPage: 1, prev: null, next: 'after' },
  }
  const last = { data: [{ id: 'c2' }], meta: { ...list.meta, prev: 'before', next: null } }

  it('send what the flat functions send', async () => {
    const { fetch, sent } = scripted(json({}))
    const client = new Bailiwick({ baseUrl, secretKey, fetch })
    await client.users.update({ params: { id: 'cuser00001' }, body: { name: 'Ada' } })
    await client.updateUser({ params: { id: 'cuser00001' }, body: { name: 'Ada' } })
    const [grouped, flat] = sent.map(({ body, method, url }) => [method, url, body])
    assert.deepEqual(grouped, flat)
  })

  it('take ids in params, wherever the interface wants them', async () => {
    const { fetch, sent } = scripted(json([]))
    const client = new Bailiwick({ baseUrl, secretKey, fetch })
    await client.users.list({ params: { tenantId: 'c1' }, query: { perPage: '5' } })
    await client.emailAddresses.delete({ params: { id: 'c2' } })
    await client.emailAddresses.update({ params: { id: 'c2' }, body: { email: 'a@b.example' } })
    await client.emailAddresses.makePrimary({ params: { id: 'c2' } })
    await client.permissions.evaluate({ params: { tenantId: 'c1' }, body: { evaluations: [] } })
    assert.deepEqual(
      sent.map(({ body, method, url }) => [method, url.slice(baseUrl.length), body]),
      [
        ['GET', '/auth/users?perPage=5&tenantId=c1', undefined],
        ['DELETE', '/auth/email-addresses?id=c2', undefined],
        ['PUT', '/auth/email-addresses', '{"email":"a@b.example","id":"c2"}'],
        ['POST', '/auth/email-addresses/make-primary', '{"id":"c2"}'],
        ['POST', '/auth/evaluations?tenantId=c1', '{"evaluations":[]}'],
      ],
    )
  })

  it('give a list its first page, and all of its rows to a loop', async () => {
    const { fetch, sent } = scripted(json(list), json(list), json(last))
    const client = new Bailiwick({ baseUrl, secretKey, fetch })
    const input = { params: { tenantId: 'c1' }, query: { perPage: '1' } }
    assert.deepEqual(await client.roles.list(input), list)
    const ids: string[] = []
    for await (const { id } of client.roles.list(input)) ids.push(id)
    assert.deepEqual(ids, ['c1', 'c2'])
    assert.equal(sent.length, 3)
  })

  it('give a list that comes as a whole the same shape', async () => {
    const { fetch } = scripted(json([{ id: 'c1' }, { id: 'c2' }]))
    const client = new Bailiwick({ baseUrl, secretKey, fetch })
    const meta = { total: 2, count: 2, numPages: 1, perPage: 2, prev: null, next: null }
    assert.deepEqual(await client.tenants.list(), { data: [{ id: 'c1' }, { id: 'c2' }], meta })
    const ids: string[] = []
    for await (const { id } of client.tenants.list()) ids.push(id)
    assert.deepEqual(ids, ['c1', 'c2'])
  })
})

describe('createClient()', () => {
  it('makes a client of the operations that it is given', async () => {
    const { fetch, sent } = scripted(json({ id: 'c1' }))
    const client = createClient({ baseUrl, secretKey, fetch }, { getTenant: { method: 'GET', path: '/tenants/{id}' } })
    assert.deepEqual(Object.keys(client), ['getTenant'])
    assert.deepEqual(await client.getTenant({ params }), { id: 'c1' })
    assert.equal(sent[0]?.url, `${baseUrl}/tenants/ctenant0001`)
  })
})
