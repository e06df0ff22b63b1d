// The life of a secret key: it is replaced, works for a while beside its successor, and is then refused for ever.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { createClock } from '../../src/platform/clock.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { createTenantDirectory } from '../../src/tenancy/directory/tenant-directory.ts'
import { describeOnEachEngine } from '../harness/databases/databases.ts'
import { createTenant } from '../harness/factories.ts'
import { type TestService, startTestService, testEnv } from '../harness/service.ts'

const second = 1000
const day = 24 * 60 * 60 * second

describeOnEachEngine("a tenant's secret key", (open) => {
  let now = Date.UTC(2026, 10, 20)
  let service: TestService
  before(async () => {
    const { database } = await open()
    const clock = createClock(() => now)
    service = await startTestService(database, testEnv, () => ({
      clock,
      tenants: createTenantDirectory(database, clock),
    }))
  })
  after(() => service.app.close())

  const statusWith = async (token: string) => (await service.call('listTenants', { token })).status
  const rotate = (id: string, graceSeconds?: string, token?: string) =>
    service.ok('rotateTenantSecretKey', {
      params: { id },
      ...(graceSeconds === undefined ? {} : { query: { graceSeconds } }),
      ...(token === undefined ? {} : { token }),
    })
  const currentKey = async (id: string) => {
    const env = await service.ok<Record<string, string>>('getTenantEnv', { params: { id }, query: { scope: 'secret' } })
    return env['BAILIWICK_SECRET_KEY'] ?? ''
  }
  const readRows = (tenantId: string) =>
    service.deps.db.all<{ expires_at: string | null }>(
      sql`SELECT expires_at FROM secret_keys WHERE tenant_id = ${tenantId} ORDER BY created_at LIMIT 100`,
    )

  it('is replaced by a new one that works at once', async () => {
    const { tenant, secretKey } = await createTenant(service)
    assert.deepEqual(await rotate(tenant.id), { status: 'success' })
    const replacement = await currentKey(tenant.id)
    assert.notEqual(replacement, secretKey)
    assert.match(replacement, /^sk_dev_[0-9A-Za-z]{49}$/)
    assert.equal(await statusWith(replacement), 200)
  })

  it('is in the answer of its rotation if that is asked for, and otherwise not', async () => {
    const { tenant } = await createTenant(service)
    const params = { id: tenant.id }
    const { secretKey = '', ...rest } = await service.ok<{ secretKey?: string }>('rotateTenantSecretKey', {
      params,
      query: { reveal: 'true' },
    })
    assert.deepEqual(rest, { status: 'success' })
    assert.equal(secretKey, await currentKey(tenant.id))
    assert.equal(await statusWith(secretKey), 200)
    const hidden = await service.call('rotateTenantSecretKey', { params, query: { reveal: 'false' } })
    assert.equal(hidden.text, '{"status":"success"}')
    await service.refused('rotateTenantSecretKey', 'validation_failed', { params, query: { reveal: 'yes' } })
  })

  it('works for a day beside its successor, and not a moment longer', async () => {
    const { tenant, secretKey } = await createTenant(service)
    await rotate(tenant.id)
    now += day - second
    assert.equal(await statusWith(secretKey), 200)
    now += second + 1
    assert.equal(await statusWith(secretKey), 401)
    assert.equal(await statusWith(await currentKey(tenant.id)), 200)
  })

  it('works for as long as graceSeconds says', async () => {
    for (const seconds of [1, 3600, 604_800]) {
      const { tenant, secretKey } = await createTenant(service)
      await rotate(tenant.id, String(seconds))
      now += seconds * second - 1
      assert.equal(await statusWith(secretKey), 200, `${seconds} s`)
      now += 2
      assert.equal(await statusWith(secretKey), 401, `${seconds} s`)
    }
  })

  it('is refused at once without a grace period, also if it is in memory and in use', async () => {
    const { tenant, secretKey } = await createTenant(service)
    const inUse = Array.from({ length: 20 }, () => statusWith(secretKey))
    assert.deepEqual(new Set(await Promise.all(inUse)), new Set([200]))
    const meanwhile = Array.from({ length: 20 }, () => statusWith(secretKey))
    await rotate(tenant.id, '0')
    const afterwards = Array.from({ length: 20 }, () => statusWith(secretKey))
    assert.deepEqual(new Set(await Promise.all(afterwards)), new Set([401]))
    await Promise.all(meanwhile)
    assert.equal(await statusWith(secretKey), 401)
  })

  it('is invalid after a second rotation, whatever its grace period: at most two keys are live', async () => {
    const { tenant, secretKey } = await createTenant(service)
    await rotate(tenant.id, '604800')
    const middle = await currentKey(tenant.id)
    await rotate(tenant.id, '604800')
    const last = await currentKey(tenant.id)
    assert.deepEqual(await Promise.all([secretKey, middle, last].map(statusWith)), [401, 200, 200])
    assert.equal((await readRows(tenant.id)).length, 2)
  })

  it('can authenticate its own replacement, and no longer once it is refused', async () => {
    const { tenant, secretKey } = await createTenant(service)
    await rotate(tenant.id, '0', secretKey)
    await service.refused('rotateTenantSecretKey', 'unauthenticated', { params: { id: tenant.id }, token: secretKey })
  })

  it('leaves one current and at most one former key after ten simultaneous rotations', async () => {
    const { tenant, secretKey } = await createTenant(service)
    await Promise.all(Array.from({ length: 10 }, () => rotate(tenant.id)))
    const rows = await readRows(tenant.id)
    assert.deepEqual(
      rows.map((row) => row.expires_at === null),
      [false, true],
    )
    assert.equal(await statusWith(secretKey), 401)
    assert.equal(await statusWith(await currentKey(tenant.id)), 200)
  })

  it('does not affect the keys of other tenants', async () => {
    const { tenant } = await createTenant(service)
    const other = await createTenant(service)
    await rotate(tenant.id, '0')
    assert.equal(await statusWith(other.secretKey), 200)
  })

  it('stays unchanged if the grace period is refused', async () => {
    const { tenant, secretKey } = await createTenant(service)
    for (const graceSeconds of ['604801', '-1', '1.5', 'soon']) {
      const refused = { params: { id: tenant.id }, query: { graceSeconds } }
      const { issues } = await service.refused('rotateTenantSecretKey', 'validation_failed', refused)
      assert.equal(issues?.[0]?.path, '/graceSeconds')
    }
    assert.equal(await currentKey(tenant.id), secretKey)
  })

  it('contains the name of its environment', async () => {
    for (const [environment, prefix] of [
      ['development', 'sk_dev_'],
      ['staging', 'sk_stage_'],
      ['production', 'sk_live_'],
    ] as const) {
      const { tenant, secretKey } = await createTenant(service, { environment })
      await rotate(tenant.id)
      assert.ok(secretKey.startsWith(prefix) && (await currentKey(tenant.id)).startsWith(prefix))
    }
  })
})
