import assert from 'node:assert/strict'
import { it } from 'node:test'
import { describeServiceOnce } from '../../../test/harness/service.ts'

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
      assert.ok(!body.includes('%SIGN_IN%') && !body.includes('%NONCE%'))
    }
  })

  it('has a new nonce each time', async () => {
    const [one, another] = await Promise.all([get('/console'), get('/console')])
    assert.notEqual(one.headers['content-security-policy'], another.headers['content-security-policy'])
  })

  it('sends what the page loads compressed and to be kept for ever, and nothing else of the disk', async () => {
    const { body } = await get('/console')
    const [path = assert.fail()] = /\/console\/assets\/[\w-]+\.js/.exec(body) ?? []
    for (const encoding of ['br', 'gzip']) {
      const { headers } = await get(path, { 'accept-encoding': encoding })
      assert.equal(headers['content-encoding'], encoding)
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    }
    assert.equal((await get(path)).headers['content-encoding'], undefined)
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
