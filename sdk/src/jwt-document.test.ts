// Checks docs/jwt.md against the tokens that the service makes, and runs its JavaScript as it is printed.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { createTenant, createUser } from '../../server/test/harness/factories.ts'
import { openSession } from '../../server/test/harness/people/sessions.ts'
import { describeService } from '../../server/test/harness/service.ts'
import { currentToken, issuer, newKey } from '../test/issuer.ts'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/jwt.md'), 'utf8')
const named = new Set([...page.matchAll(/`([^`]+)`/g)].flatMap(([, text = '']) => text.replace('claims.', '')))

describe('the JavaScript of docs/jwt.md', () => {
  const folder = mkdtempSync(join(root, 'node_modules/.jwt-document-'))
  const [verifier = '', handler = '', ...rest] = [...page.matchAll(/^```js\n(.*?)^```$/gms)].map(
    ([, code = '']) => code,
  )
  let stop: () => void
  let token: string
  before(async () => {
    const key = await newKey('key')
    const keys = createServer((_request, response) => void response.end(JSON.stringify({ keys: [key.jwk] })))
    await once(keys.listen(0, '127.0.0.1'), 'listening')
    const settings = {
      BAILIWICK_JWKS_URL: `http://127.0.0.1:${(keys.address() as AddressInfo).port}/`,
      BAILIWICK_FRONTEND_API_URL: issuer,
      BAILIWICK_PUBLIC_KEY: 'pk_live_1',
    }
    Object.assign(process.env, settings)
    token = await currentToken(key, { claims: { sessionId: 'csession01', permissions: ['orders:read'] } })
    stop = () => {
      // Other test files share this process.
      for (const name of Object.keys(settings)) delete process.env[name]
      keys.closeAllConnections()
      keys.close()
    }
  })
  after(() => {
    stop()
    rmSync(folder, { recursive: true })
  })

  async function run(name: string, code: string): Promise<Record<string, unknown>> {
    const file = join(folder, name)
    writeFileSync(file, code)
    return (await import(pathToFileURL(file).href)) as Record<string, unknown>
  }

  it('consists of two pieces', () => assert.deepEqual(rest, []))

  it('checks a token', async () => {
    const { claims, sub } = await run('verifier.mjs', `const token = '${token}'\n${verifier}\nexport { sub, claims }\n`)
    assert.equal(sub, 'cuser00001')
    assert.deepEqual(claims, { sessionId: 'csession01', permissions: ['orders:read'] })
  })

  it('answers a request', async () => {
    const { GET } = (await run('handler.mjs', handler)) as { GET: (request: Request) => Promise<Response> }
    const request = (headers: Record<string, string>) => new Request('https://app.example.com/orders', { headers })
    const answer = await GET(request({ authorization: `Bearer ${token}` }))
    assert.deepEqual(await answer.json(), { orders: [], customer: 'cuser00001' })
    assert.equal((await GET(request({}))).status, 401)
  })
})

describeService('docs/jwt.md', (service) => {
  it('names every parameter and claim of a real token', async () => {
    const { tenant } = await createTenant(service())
    const { id } = await createUser(service(), tenant.id)
    const { token } = await openSession(service(), tenant.id, id)
    const headers = { 'x-public-key': tenant.publicKey, authorization: `Bearer ${token}`, host: 'id.test' }
    const answer = await service().request({
      method: 'POST',
      url: '/frontend/api/v0/user/sessions/token',
      headers,
      payload: {},
    })
    const { jwt } = (answer.body as { data: { jwt: string } }).data
    const [header, payload] = jwt
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>)
    const { claims, ...outer } = payload ?? {}
    assert.deepEqual(header, { alg: 'ES256', typ: 'at+jwt', kid: header?.['kid'] })
    const names = [header, outer, claims as object].flatMap((part) => Object.keys(part ?? {}))
    assert.ok(names.length > 20)
    for (const name of names) assert.ok(named.has(name), `${name} is not on the page`)
    assert.equal(Number(outer['exp']) - Number(outer['iat']), 60)
  })
})
