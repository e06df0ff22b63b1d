import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { describe, it } from 'node:test'
import { anyEngine, isOnCitus } from '../harness/databases/engines.ts'
import { type ServiceProcess, newDeployment, request, startService, until } from './service-process.ts'

const operatorKey = `op_${randomBytes(32).toString('hex')}`

/** Returns every line once the service has ended, which writes what it still holds. */
async function wholeLog(service: ServiceProcess): Promise<Record<string, unknown>[]> {
  service.kill('SIGTERM')
  assert.equal((await service.exit()).code, 0)
  return service.log()
}

describe('the log', () => {
  it('is one line of JSON for each request, found by the id in the answer', async () => {
    const { env } = await newDeployment(anyEngine)
    const service = await startService(env)
    const answer = await request(`${service.api}/tenants/cnotthere0000/brand`)
    const requestId = answer.headers.get('x-request-id')
    assert.equal(answer.body['requestId'], requestId)
    await until('the line is written without waiting for more', 60_000, () =>
      service.log().find((line) => line['requestId'] === requestId),
    )
    const lines = (await wholeLog(service)).filter((line) => line['requestId'] === requestId)
    assert.equal(lines.length, 1)
    const { time, ms, ...line } = lines[0] ?? {}
    assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.equal(typeof ms, 'number')
    assert.deepEqual(line, {
      level: 'info',
      requestId,
      method: 'GET',
      route: '/api/v0/tenants/:id/brand',
      status: 404,
      ip: '127.0.0.1',
      principal: 'operator',
      msg: 'request',
    })
  })

  it('says that the service started and stopped, and why', async () => {
    const { env } = await newDeployment(anyEngine)
    const log = await wholeLog(await startService(env))
    assert.deepEqual(
      log.map((line) => line['msg']),
      [
        // A database on Citus has its tables already.
        ...(isOnCitus ? [] : ['migrated']),
        'sign-up at the console is closed, as BAILIWICK_CONSOLE_SIGN_UP decides',
        'ready',
        'stopping',
        'stopped',
      ],
    )
    assert.equal(log.at(-2)?.['signal'], 'SIGTERM')
  })

  it('contains no secret: neither keys, passwords nor addresses, nor what clients put into paths', async () => {
    const { env } = await newDeployment(anyEngine)
    const service = await startService({ ...env, BAILIWICK_OPERATOR_KEY: operatorKey, BAILIWICK_LOG_LEVEL: 'trace' })
    const headers = { authorization: `Bearer ${operatorKey}` }
    const tenant = await request(`${service.api}/tenants`, {
      headers,
      json: { name: 'Quiet', environment: 'production' },
    })
    const tenantId = String(tenant.body['id'])
    const secretKey = String(
      (await request(`${service.api}/auth/tenants/${tenantId}/env`)).body['BAILIWICK_SECRET_KEY'],
    )
    assert.match(secretKey, /^sk_live_/)
    const own = { authorization: `Bearer ${secretKey}` }
    const user = { tenantId, email: 'quiet@example.com', password: 'a password of some length', name: 'Quiet Person' }
    assert.equal((await request(`${service.api}/auth/users`, { headers: own, json: user })).status, 200)
    assert.equal((await request(`${service.api}/auth/users`, { headers: own, json: user })).status, 409)
    const provider = { tenantId, providerKey: 'github', enabled: true, clientId: 'id', clientSecret: 'client-secret-1' }
    assert.equal((await request(`${service.api}/auth/social-providers`, { headers: own, json: provider })).status, 200)
    await request(`${service.api}/tenants/slug/${secretKey}?token=${secretKey}`)
    await request(`${service.api}/tenants`, { headers: { authorization: `Bearer ${secretKey}x` } })
    await request(`${service.api}/tenants`, { method: 'POST', body: `{"password":"a password of some length"` })

    await wholeLog(service)
    const written = service.stdout() + service.stderr()
    for (const secret of [operatorKey, secretKey, user.password, user.email, user.name, provider.clientSecret]) {
      assert.ok(!written.includes(secret), `${secret} is in the log`)
    }
  })

  it('is reported once if it cannot be written, as on a full disk, and the service continues and ends as usual', async () => {
    const { env } = await newDeployment(anyEngine)
    const unwritable = openSync('/dev/null', 'r')
    const service = await startService(env, { stdout: unwritable })
    closeSync(unwritable)
    await until('it is told', 60_000, () => (/The log cannot be written/.test(service.stderr()) ? true : undefined))
    for (let n = 0; n < 5; n++) assert.equal((await request(`${service.url}/livez`)).status, 200)
    service.kill('SIGTERM')
    const { code, stderr } = await service.exit()
    assert.equal(code, 0, stderr)
    assert.equal(stderr.split('The log cannot be written').length, 2, stderr)
  })
})
