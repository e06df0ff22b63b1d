import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { DeploymentHealth, DeploymentJobs } from '@bailiwick/contract'
import { createTenant } from '../../../test/harness/factories.ts'
import { describeService } from '../../../test/harness/service.ts'
import { addMilliseconds } from '../../platform/clock.ts'
import { sql } from '../../platform/db/sql.ts'
import { type TenantId, newId } from '../../platform/ids.ts'
import { jobStatement } from '../../platform/jobs/jobs.ts'
import { getConsoleTenantId } from '../../tenancy/tenants/console-tenant.ts'

describeService('GET /deployment/health', (service) => {
  it('tells what the quick checks of doctor have found, and the worst of it', async () => {
    const health = await service().ok<DeploymentHealth>('getDeploymentHealth')
    const found = health.findings.map(({ check }) => check)
    for (const check of [
      'configuration',
      'disk',
      'backup',
      'mail',
      'media',
      'database',
      'schema',
      'clock',
      'master key',
    ]) {
      assert.ok(found.includes(check), `${check} is not among ${found.join(', ')}`)
    }
    assert.equal(new Set(found).size, found.length)
    const ranks = health.findings.map(({ status }) => ['ok', 'warn', 'fail'].indexOf(status))
    assert.equal(health.status, ['ok', 'warn', 'fail'][Math.max(...ranks)])
    for (const { status, hint } of health.findings) assert.equal(hint === null, status === 'ok')
    assert.ok(health.startedAt < health.checkedAt)
  })
})

describeService('the jobs of the deployment', (service) => {
  async function newJobs(states: readonly ('waiting' | 'scheduled' | 'retrying' | 'givenUp' | 'running')[]) {
    const { db, clock } = service().deps
    const tenantId = (await createTenant(service())).tenant.id as TenantId
    const kind = `test.${newId()}`
    const later = addMilliseconds(clock.now(), 600_000)
    for (const state of states) {
      const key = newId()
      const runAt = state === 'waiting' || state === 'running' ? clock.now() : later
      await db.write(() => [jobStatement(clock, { tenantId, kind, key, runAt })])
      const where = sql`tenant_id = ${tenantId} AND kind = ${kind} AND key = ${key}`
      const error = `550 <ada@acme.example> unknown at https://mail.acme.example/in/${key}`
      const change = {
        waiting: sql`attempts = 0`,
        scheduled: sql`attempts = 0`,
        running: sql`leased_until = ${later}, lease = ${key}`,
        retrying: sql`attempts = 3, last_error = ${error}`,
        givenUp: sql`attempts = 20, last_error = ${error}, dead_at = ${clock.now()}`,
      }[state]
      await db.transaction((tx) => tx.run(sql`UPDATE jobs SET ${change} WHERE ${where}`))
    }
    return kind
  }

  const read = async (kind: string) => {
    const { kinds, isComplete } = await service().ok<DeploymentJobs>('getDeploymentJobs')
    assert.ok(isComplete)
    return kinds.find((each) => each.kind === kind)
  }

  it('are counted by kind and state, with a reason without personal data', async () => {
    const kind = await newJobs(['waiting', 'waiting', 'running', 'scheduled', 'retrying', 'givenUp'])
    const { oldestDueAt, ...counts } = (await read(kind)) ?? assert.fail('the kind is not listed')
    assert.deepEqual(counts, {
      kind,
      waiting: 2,
      running: 1,
      scheduled: 1,
      retrying: 1,
      givenUp: 1,
      error: '550 <<address>> unknown at https://mail.acme.example',
    })
    assert.ok((oldestDueAt ?? '') <= service().deps.clock.now())
    assert.equal(await read('test.none'), undefined)
  })

  it('are due again when the operator tries them again, and the event says so', async () => {
    const { db } = service().deps
    const [kind, other] = [await newJobs(['givenUp', 'retrying', 'scheduled', 'running']), await newJobs(['givenUp'])]
    assert.deepEqual(await service().ok('retryDeploymentJobs', { body: { kind } }), { jobs: 2 })
    const { waiting, retrying, scheduled, running, givenUp } = (await read(kind)) ?? assert.fail()
    // A job that has failed before keeps the count of its failures, unless it was given up.
    assert.deepEqual(
      { waiting, retrying, scheduled, running, givenUp },
      { waiting: 1, retrying: 1, scheduled: 1, running: 1, givenUp: 0 },
    )
    const due = await db.all<{ id: string }>(
      sql`SELECT id FROM jobs WHERE kind = ${kind} AND run_at <= ${service().deps.clock.now()} LIMIT 10`,
    )
    assert.equal(due.length, 3)
    assert.equal((await read(other))?.givenUp, 1)
    const event = await db.first<{ data: string }>(sql`SELECT data FROM events
      WHERE tenant_id = ${await getConsoleTenantId(db)} AND type = 'deployment.jobs_retried'
      ORDER BY created_at DESC LIMIT 1`)
    assert.deepEqual(JSON.parse(event?.data ?? 'null'), { kind, jobs: 2 })
    assert.deepEqual(await service().ok('retryDeploymentJobs', { body: { kind: 'test.none' } }), { jobs: 0 })
  })

  it('are shown to the operator alone', async () => {
    const { secretKey } = await createTenant(service())
    for (const id of ['getDeploymentHealth', 'getDeploymentJobs'] as const) {
      await service().refused(id, 'forbidden', { token: secretKey })
      await service().refused(id, 'unauthenticated', { token: null })
    }
    await service().refused('retryDeploymentJobs', 'validation_failed', { body: { kind: '' } })
  })
})
