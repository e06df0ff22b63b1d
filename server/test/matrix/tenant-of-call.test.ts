// How a call of the frontend interface names its tenant, how it is refused if it does not, and what the log says about it.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type FrontendEndpoint, type Tenant, frontendEndpoints } from '@bailiwick/contract'
import { createLog } from '../../src/platform/log.ts'
import { describeOnEachEngine } from '../harness/databases/databases.ts'
import { assertDeclared } from '../harness/declared-answers.ts'
import { createTenant } from '../harness/factories.ts'
import { signedInUser } from '../harness/people/signed-in-user.ts'
import { type Answer, type TestService, startTestService, testEnv } from '../harness/service.ts'

const all: readonly FrontendEndpoint[] = Object.values(frontendEndpoints)
const namedInPath = (path: string) => path.startsWith('/tenants/')

describeOnEachEngine('a call of the frontend interface', (open) => {
  const lines: string[] = []
  let service: TestService
  let tenant: Tenant
  let authorization: string
  before(async () => {
    const log = createLog({ logLevel: 'info' }, { write: (line: string) => void lines.push(line) })
    service = await startTestService((await open()).database, testEnv, () => ({ log }))
    ;({ tenant } = await createTenant(service))
    authorization = (await signedInUser(service, tenant)).browser.headers['authorization'] ?? ''
  })
  after(() => service.app.close())

  const ask = (
    method: FrontendEndpoint['method'],
    path: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<Answer> =>
    service.request({
      method,
      url: `/frontend/api/v0${path.replaceAll(/\{\w+\}/g, 'x')}`,
      headers: { host: 'id.test', ...headers },
    })
  const lineOf = ({ headers }: Answer) =>
    lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .find(({ requestId }) => requestId === headers['x-request-id'])

  it('gets an error that explains how to name a tenant if it names none, whatever its credential', async () => {
    const asked = all.filter(({ path }) => !namedInPath(path))
    assert.ok(asked.length > 50)
    for (const endpoint of asked) {
      for (const headers of [{}, { authorization }]) {
        const answer = await ask(endpoint.method, endpoint.path, headers)
        assert.equal((answer.body as { code: string }).code, 'public_key_required', `${endpoint.id}: ${answer.text}`)
        assert.match(answer.text, /x-public-key/)
        const { error: _, ...body } = answer.body as { error: string }
        assertDeclared(endpoint, { ...answer, body })
      }
    }
    for (const path of ['/.well-known/jwks.json', '/.well-known/openid-configuration']) {
      assert.equal(((await ask('GET', path, {})).body as { code: string }).code, 'public_key_required')
    }
  })

  it('finds nothing if it names a tenant that does not exist', async () => {
    for (const path of [
      '/user/profile',
      '/user/profile?publicKey=pk_none',
      '/.well-known/jwks.json',
      '/tenants/id/x',
    ]) {
      const headers = path.includes('?') ? {} : { 'x-public-key': 'pk_none' }
      assert.equal(((await ask('GET', path, headers)).body as { code: string }).code, 'not_found', path)
    }
  })

  it('is logged with its tenant, whatever the outcome', async () => {
    const key = { 'x-public-key': tenant.publicKey }
    const answers = [
      await ask('GET', '/user/profile', { ...key, authorization }),
      await ask('GET', `/user/profile?publicKey=${tenant.publicKey}`, {}),
      await ask('GET', '/user/profile', { ...key, origin: 'https://evil.example' }),
      await ask('GET', '/.well-known/jwks.json', key),
      await ask('GET', `/tenants/id/${tenant.id}`, {}),
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 401, 403, 200, 200],
    )
    for (const answer of answers) assert.equal(lineOf(answer)?.['tenantId'], tenant.id, answer.text)
    const nobodys = await ask('GET', '/user/profile', { 'x-public-key': 'pk_none' })
    assert.equal(nobodys.status, 404)
    assert.ok(lineOf(nobodys) !== undefined && !('tenantId' in (lineOf(nobodys) ?? {})))
  })
})
