// The forms in which keys are sent, and where they are refused.
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { ErrorBody } from '@bailiwick/contract'
import { type TestTenant, createTenant } from '../harness/factories.ts'
import { worthlessHeaders } from '../harness/people/credentials.ts'
import { describeNodesInTurn, operatorKey } from '../harness/service.ts'

describeNodesInTurn('keys', (service) => {
  let own: TestTenant
  let other: TestTenant
  before(async () => {
    own = await createTenant(service())
    other = await createTenant(service())
  })

  const get = (id: string, headers: Readonly<Record<string, string>>) =>
    service().call<ErrorBody & { id: string }>('getTenant', { params: { id }, token: null, headers })
  const pair = ({ tenant, secretKey }: TestTenant) => ({ 'x-public-key': tenant.publicKey, 'x-secret-key': secretKey })
  const bearer = (token: string, scheme = 'Bearer') => ({ authorization: `${scheme} ${token}` })

  it('are accepted as a Bearer secret key, for its own tenant alone', async () => {
    assert.equal((await get(own.tenant.id, bearer(own.secretKey))).body.id, own.tenant.id)
    assert.equal((await get(other.tenant.id, bearer(own.secretKey))).body.code, 'not_found')
  })

  it('are accepted as a pair of public and secret key, for their own tenant alone', async () => {
    assert.equal((await get(own.tenant.id, pair(own))).body.id, own.tenant.id)
    assert.equal((await get(other.tenant.id, pair(own))).body.code, 'not_found')
  })

  it('are accepted as a Bearer operator key, for every tenant', async () => {
    for (const { tenant } of [own, other]) {
      assert.equal((await get(tenant.id, bearer(operatorKey))).body.id, tenant.id)
    }
  })

  it('are accepted in any case of the scheme, and with the own public key beside the token', async () => {
    for (const scheme of ['bearer', 'BEARER'])
      assert.equal((await get(own.tenant.id, bearer(own.secretKey, scheme))).status, 200)
    const both = { ...bearer(own.secretKey), 'x-public-key': own.tenant.publicKey }
    assert.equal((await get(own.tenant.id, both)).status, 200)
  })

  it('give the same answer in each form', async () => {
    const answers = [bearer(own.secretKey), pair(own), bearer(operatorKey)].map((headers) =>
      get(own.tenant.id, headers),
    )
    const [first, ...rest] = (await Promise.all(answers)).map(({ text }) => text)
    for (const text of rest) assert.equal(text, first)
  })

  it('are all refused alike, whatever is wrong with them', async () => {
    const texts = new Set<string>()
    for (const [what, headers] of Object.entries(await worthlessHeaders(service()))) {
      const { status, text, body } = await get(own.tenant.id, headers)
      assert.equal(status, 401, what)
      texts.add(text.replace(body.requestId, ''))
    }
    assert.equal(texts.size, 1)
  })

  it('are refused even if a loopback caller needs none, because a bad credential is never ignored', async () => {
    const local = { method: 'GET', url: '/api/v0/tenants', remoteAddress: '127.0.0.1' } as const
    const good = await service().request({ ...local, headers: { host: 'localhost:4000' } })
    assert.equal(good.status, 200)
    const { none: _none, 'a cookie': _cookie, ...refused } = await worthlessHeaders(service())
    for (const [what, headers] of Object.entries(refused)) {
      const { status } = await service().request({ ...local, headers: { host: 'localhost:4000', ...headers } })
      assert.equal(status, 401, what)
    }
  })

  it('restrict a caller on this machine to what they allow', async () => {
    const headers = { host: 'localhost:4000', ...bearer(own.secretKey) }
    const listed = await service().request({
      method: 'GET',
      url: '/api/v0/tenants',
      remoteAddress: '127.0.0.1',
      headers,
    })
    assert.deepEqual(
      (listed.body as { id: string }[]).map(({ id }) => id),
      [own.tenant.id],
    )
  })

  for (const origin of [
    'https://evil.example',
    'null',
    'http://id.test.evil.example',
    'https://id.test',
    'http://id.test:81',
    '',
  ]) {
    it(`are refused with 403 from a page of the origin ${JSON.stringify(origin)}`, async () => {
      for (const headers of [bearer(own.secretKey), pair(own), bearer(operatorKey)]) {
        const { status, body } = await get(own.tenant.id, { ...headers, origin })
        assert.deepEqual([status, body.code], [403, 'forbidden'])
      }
    })
  }

  it('are accepted from a page of the service itself', async () => {
    assert.equal((await get(own.tenant.id, { ...bearer(own.secretKey), origin: 'http://id.test' })).status, 200)
  })

  it('never open an answer to other origins', async () => {
    const origin = { origin: 'https://evil.example', 'access-control-request-method': 'GET' }
    for (const method of ['GET', 'OPTIONS'] as const) {
      const headers = { host: 'id.test', ...bearer(own.secretKey), ...origin }
      const answer = await service().request({ method, url: '/api/v0/tenants', headers })
      for (const name of Object.keys(answer.headers)) assert.ok(!name.startsWith('access-control-'), name)
    }
  })
})
