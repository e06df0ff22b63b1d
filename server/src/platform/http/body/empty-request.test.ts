// Requests without a body have no stream (http/body/empty-request.ts); code that waits for its end must still see it.
import assert from 'node:assert/strict'
import { createConnection } from 'node:net'
import { before, it } from 'node:test'
import { createTenant, createUpload, createUser } from '../../../../test/harness/factories.ts'
import { describeService, operatorKey } from '../../../../test/harness/service.ts'

const withoutIds = (text: string) => text.replaceAll(/"requestId":"[^"]+"/g, '').replaceAll(/"c0[a-z0-9]+"/g, '"id"')

describeService('a request without a body', (service) => {
  let port: number
  let tenantId: string
  let publicKey: string
  before(async () => {
    port = Number(new URL(await service().app.listen({ host: '127.0.0.1', port: 0 })).port)
    ;({ id: tenantId, publicKey } = (await createTenant(service())).tenant)
  })

  /** Sends a request byte for byte, and returns all answers until the connection closes. */
  function send(requests: readonly string[]): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = createConnection({ port, host: '127.0.0.1' }, () => void socket.write(requests.join('')))
      const chunks: Buffer[] = []
      socket.setTimeout(60_000, () => socket.destroy(new Error('no answer')))
      socket.on('data', (chunk) => chunks.push(chunk))
      socket.once('error', reject)
      socket.once('close', () => resolve(Buffer.concat(chunks).toString('utf8')))
    })
  }

  const request = (line: string, headers: readonly string[] = [], isLast = true, body = '') =>
    [
      `${line} HTTP/1.1`,
      'host: id.test',
      `authorization: Bearer ${operatorKey}`,
      ...headers,
      ...(isLast ? ['connection: close'] : []),
      '',
      body,
    ].join('\r\n')

  const outcome = (answer: string) => {
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    return [head.split('\r\n')[0], withoutIds(body)]
  }

  const users = 'POST /api/v0/auth/users'
  const types = [
    [],
    ['content-type: application/json'],
    ['content-type: application/x-ndjson'],
    ['content-type: application/x-www-form-urlencoded'],
    ['content-type: multipart/form-data; boundary=b'],
    ['content-type: text/plain'],
    ['content-type: no type at all'],
  ]

  it('is answered like one with a declared length of 0, whatever type it declares', async () => {
    const [upload, another] = [await createUpload(service(), tenantId), await createUpload(service(), tenantId)]
    const content = new URL(upload.uploadUrl)
    const form = new URL(another.uploadUrl)
    const lines = [
      users,
      `POST /api/v0/auth/users/import?tenantId=${tenantId}`,
      `POST /api/v0/tenants/${tenantId}/rotate-secret-key`,
      `POST /frontend/api/v0/sign-ins?publicKey=${publicKey}`,
      'POST /frontend/api/v0/oauth/callback/google',
      'POST /frontend/api/v0/nothing',
      'PUT /api/v0/nothing',
      'DELETE /api/v0/tenants/c0nothing',
      `PUT ${content.pathname}${content.search}`,
      `POST ${form.pathname}${form.search}`,
    ]
    for (const line of lines) {
      for (const headers of types) {
        const [silent, said] = [
          await send([request(line, headers)]),
          await send([request(line, [...headers, 'content-length: 0'])]),
        ]
        assert.match(silent, /^HTTP\/1\.1 [2345]\d\d /, `${line} ${headers.join()}`)
        assert.deepEqual(outcome(silent), outcome(said), `${line} ${headers.join()}`)
      }
    }
  })

  it('may be followed by others on its connection, which are answered in order', async () => {
    const user = await createUser(service(), tenantId)
    const body = JSON.stringify({ tenantId, name: 'Zoë' })
    const answers = await send([
      request(`GET /api/v0/tenants/${tenantId}`, [], false),
      request(users, ['content-type: application/json'], false),
      request(users, ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`], false, body),
      request(`GET /api/v0/auth/users/${user.id}`, ['content-length: 5'], false, 'xxxxx'),
      request(`GET /api/v0/tenants/${tenantId}`),
    ])
    const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
    assert.deepEqual(statuses, ['200', '400', '200', '200', '200'])
  })

  it('gets an answer from memory with the right length, even if characters take several bytes', async () => {
    for (const name of ['Plain', 'Zoë & 東京 🦉']) {
      const { publicKey: key } = (await createTenant(service(), { name })).tenant
      const { body: record } = await service().call('getTenantByPublicKey', { params: { publicKey: key } })
      // Made for the first request, kept for the second.
      for (let count = 0; count < 2; count++) {
        const answer = await send([request(`GET /api/v0/tenants/pkey/${key}`)])
        const [head = '', body = ''] = answer.split('\r\n\r\n')
        assert.equal(/^content-length: (\d+)\r$/m.exec(head)?.[1], String(Buffer.byteLength(body)))
        assert.match(head, /^content-type: application\/json; charset=utf-8\r$/m)
        assert.equal((JSON.parse(body) as { name: string }).name, name)
        assert.deepEqual(JSON.parse(body), record)
      }
    }
  })
})
