// What the operator sees when something that the service depends on goes away: PostgreSQL, and the mail server.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { PrivatePostgres } from '../../../scripts/private-postgres.ts'
import { engines, startOwnPostgres } from '../harness/databases/databases.ts'
import { freePort } from '../harness/free-port.ts'
import { MailServer } from '../harness/outside/mail-server.ts'
import { type ServiceProcess, newDeployment, request, runCommand, startService, until } from './service-process.ts'

/** The pause after the third failure is of two minutes, and a slow machine may get that far. */
const sentMsMax = 300_000

/** Returns the value of each sample, by its name with labels. */
async function readMetrics(port: number): Promise<Map<string, number>> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
  assert.equal(answer.status, 200)
  const lines = (await answer.text()).split('\n').filter((line) => line.startsWith('bailiwick_'))
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ')
      return [line.slice('bailiwick_'.length, end), Number(line.slice(end + 1))]
    }),
  )
}

describe('the metrics while PostgreSQL is away', () => {
  let postgres: PrivatePostgres
  let port: number
  before(async () => {
    postgres = await startOwnPostgres()
    port = await freePort()
    const { env } = await newDeployment('sqlite')
    await startService({ ...env, DATABASE_URL: postgres.url, BAILIWICK_METRICS_PORT: String(port) })
  })
  after(() => postgres.stop())

  let last = ''
  const untilUp = (isUp: 0 | 1) =>
    until(
      () => `database_up is ${isUp}; the last metrics: ${last}`,
      60_000,
      async () => {
        const metrics = await readMetrics(port)
        last = [...metrics].filter(([name]) => /^(?:database|not_ready)/.test(name)).join(' ')
        return metrics.get('database_up') === isUp && metrics.get('not_ready{reason="database"}') === 1 - isUp
          ? metrics
          : undefined
      },
    )

  it('say that it is there', async () => {
    const metrics = await untilUp(1)
    assert.equal(metrics.get('jobs_due'), 0)
    assert.ok((metrics.get('disk_free_bytes') ?? 0) > 0)
    assert.ok(!metrics.has('backup_age_seconds'))
  })

  it('say that it is away, be it killed or silent, and everything that they know without it', async () => {
    for (const [leave, comeBack] of [
      [() => postgres.kill(), () => postgres.restart()],
      [() => postgres.pause(), () => postgres.resume()],
    ] as const) {
      await leave()
      const metrics = await untilUp(0)
      assert.ok((metrics.get('disk_free_bytes') ?? 0) > 0)
      assert.equal(metrics.get('passwords{state="running"}'), 0)
      assert.ok(!metrics.has('jobs_due'), 'a value that cannot be read is absent')
      await comeBack()
      assert.equal((await untilUp(1)).get('jobs_due'), 0)
    }
  })
})

for (const engine of engines) {
  describe(`a mail server that is away (${engine})`, () => {
    let service: ServiceProcess
    let env: Readonly<Record<string, string>>
    let metricsPort: number
    let mailPort: number
    before(async () => {
      metricsPort = await freePort()
      mailPort = await freePort()
      env = {
        ...(await newDeployment(engine)).env,
        BAILIWICK_SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
        BAILIWICK_SMTP_FROM: 'no-reply@acme.example',
        BAILIWICK_METRICS_PORT: String(metricsPort),
      }
      service = await startService(env)
    })

    const messagesFinding = async () => {
      const { body } = await request(`${service.api}/deployment/health`)
      const findings = body['findings'] as { check: string; status: string; detail: string }[]
      return findings.find(({ check }) => check === 'messages')
    }
    const told = (text: string) => service.log().filter(({ msg }) => msg === text)
    const isAway = "the deployment's mail server does not send messages"

    it('is seen at the first message that it does not take', async () => {
      const first = await readMetrics(metricsPort)
      assert.equal(first.get('message_attempts_total{channel="deployment",outcome="failed"}'), 0)
      assert.equal((await messagesFinding())?.status, 'ok')
      const { body: tenant } = await request(`${service.api}/tenants`, {
        json: { name: 'Acme', environment: 'staging' },
      })
      await request(`${service.api}/auth/users`, { json: { tenantId: tenant['id'], email: 'ada@example.com' } })
      const signIn = await request(`${service.url}/frontend/api/v0/sign-ins`, {
        json: { identifier: 'ada@example.com', strategy: 'email_code' },
        headers: { 'x-public-key': String(tenant['publicKey']), 'x-session-transport': 'body' },
      })
      assert.equal(signIn.status, 200)
      const [line] = await until('the log says so', 60_000, () => {
        const lines = told(isAway)
        return lines.length > 0 ? lines : undefined
      })
      assert.equal(line?.['level'], 'error')
      assert.doesNotMatch(JSON.stringify(line), /ada@/)
      const metrics = await until('the metrics say so', 60_000, async () => {
        const now = await readMetrics(metricsPort)
        return (now.get('codes_oldest_waiting_seconds') ?? 0) > 0 ? now : undefined
      })
      assert.ok((metrics.get('message_attempts_total{channel="deployment",outcome="failed"}') ?? 0) >= 1)
      const finding = await until('the health says so', 60_000, async () => {
        const now = await messagesFinding()
        return now?.status === 'warn' ? now : undefined
      })
      assert.match(finding.detail, /^the deployment's mail server took none/)
      const doctor = await runCommand(['doctor'], env)
      assert.match(doctor.stdout, /^WARN {2}messages: the deployment's mail server took none/m)
      assert.doesNotMatch(doctor.stdout, /ada@/)
    })

    it('is logged once, and ends with the first message that is sent', async () => {
      await until('it was tried again', 60_000, async () => {
        const metrics = await readMetrics(metricsPort)
        return (metrics.get('message_attempts_total{channel="deployment",outcome="failed"}') ?? 0) >= 2 || undefined
      })
      assert.equal(told(isAway).length, 1)
      const mail = await MailServer.start({}, mailPort)
      after(() => mail.stop())
      await until('it is sent', sentMsMax, () => mail.received.length > 0 || undefined)
      await until('the log says so', 60_000, () => told('a channel sends messages again').length > 0 || undefined)
      await until('the health says so', 60_000, async () => (await messagesFinding())?.status === 'ok' || undefined)
      assert.equal((await readMetrics(metricsPort)).get('codes_oldest_waiting_seconds'), 0)
    })
  })
}
