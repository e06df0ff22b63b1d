// In production the service answers only for its public address, because links and cookies use that name.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type ErrorBody, endpoints } from '@bailiwick/contract'
import { describeService, operatorKey, productionEnv } from '../harness/service.ts'

const authorization = `Bearer ${operatorKey}`
const foreignHosts = [
  'evil.example',
  'id.example.com.evil.example',
  'evil.id.example.com',
  'id.example.com:8443',
  'example.com',
  'localhost:4000',
  '127.0.0.1',
  'id.example.com@evil.example',
  'id.example.com,evil.example',
  '',
]

describeService(
  'the host that a request names',
  (service) => {
    const ask = (host: string, headers: Readonly<Record<string, string>> = {}, url = '/api/v0/tenants') =>
      service().request({ method: 'GET', url, headers: { host, ...headers } })

    it('is accepted if it is the public one', async () => {
      assert.equal((await ask('id.example.com', { authorization })).status, 200)
      assert.equal((await ask('id.example.com')).status, 401)
      for (const host of ['ID.Example.com', 'id.example.com:443']) {
        assert.equal((await ask(host, { authorization })).status, 200, host)
      }
    })

    // Guards: links-from-configuration
    it('is refused with 421 before anything else if it is another', async () => {
      for (const host of foreignHosts) {
        for (const headers of [{}, { authorization }]) {
          const { status, body } = await ask(host, headers)
          assert.deepEqual([status, (body as ErrorBody).code], [421, 'misdirected_request'], host)
          assert.match((body as ErrorBody).message, /The request is for ".*", and this service is "id\.example\.com"/)
        }
      }
    })

    it('is refused on every path of the interface, known or not', async () => {
      const paths = [...Object.values(endpoints).map(({ path }) => path), '/openapi.json', '/reference', '/unknown']
      for (const path of paths)
        assert.equal((await ask('evil.example', { authorization }, `/api/v0${path}`)).status, 421, path)
    })

    // Guards: links-from-configuration
    it('cannot be replaced by a header of a proxy that is not trusted', async () => {
      const claimed = { authorization, 'x-forwarded-host': 'id.example.com', forwarded: 'host=id.example.com' }
      assert.equal((await ask('evil.example', claimed)).status, 421)
      const masked = { authorization, 'x-forwarded-host': 'evil.example' }
      assert.equal((await ask('id.example.com', masked)).status, 200)
    })

    it('does not matter for health checks', async () => {
      for (const path of ['/livez', '/readyz']) assert.equal((await ask('10.0.0.7:4000', {}, path)).status, 200)
    })

    it('does not matter for health checks by HEAD or with a query either', async () => {
      for (const path of ['/livez', '/readyz']) {
        for (const url of [path, `${path}?verbose`]) {
          const { status, text } = await service().request({ method: 'HEAD', url, headers: { host: '10.0.0.7:4000' } })
          assert.deepEqual([status, text], [200, ''], url)
        }
      }
      assert.equal((await ask('10.0.0.7:4000', {}, '/livezz')).status, 421)
    })

    // Guards: links-from-configuration
    it('never appears in an answer', async () => {
      for (const query of ['', '?perPage=1']) {
        const { text, headers } = await ask(
          'id.example.com',
          { authorization, 'x-forwarded-host': 'evil.example' },
          `/api/v0/tenants${query}`,
        )
        assert.ok(!text.includes('evil.example') && !JSON.stringify(headers).includes('evil.example'))
      }
    })
  },
  productionEnv,
)
