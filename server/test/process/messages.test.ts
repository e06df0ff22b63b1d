// Messages of the service as it is run and killed: everybody who was to get a message gets it, with one id however often it is sent.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { Client } from 'pg'
import { engines } from '../harness/databases/databases.ts'
import { MailServer } from '../harness/outside/mail-server.ts'
import { type Deployment, newDeployment, request, startService, until } from './service-process.ts'

const count = 12
/** On a machine that stands still, calls to the silent server time out before the kill, and are repeated minutes later. */
const sentMsMax = 300_000
const servers: MailServer[] = []
after(async () => {
  for (const server of servers) await server.stop()
})

/** A dead node is recognised by its lease, which ends at once here. */
async function endLeases({ databaseUrl }: Deployment) {
  if (databaseUrl === undefined) return
  const client = new Client(databaseUrl)
  await client.connect()
  try {
    await client.query('UPDATE jobs SET leased_until = created_at WHERE leased_until IS NOT NULL')
  } finally {
    await client.end()
  }
}

const idOf = (raw: string) => /^Message-ID: <([^@]+)@/im.exec(raw)?.[1]

for (const engine of engines) {
  describe(`messages over a crash (${engine})`, () => {
    it('loses none that was queued before kill -9, whether it waits or is at the mail server', async () => {
      const deployment = await newDeployment(engine)
      let isHanging = true
      let connections = 0
      const mail = await MailServer.start({
        onConnect: (_session, done) => {
          connections++
          if (!isHanging) done()
        },
      })
      servers.push(mail)
      const env = {
        ...deployment.env,
        BAILIWICK_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
        BAILIWICK_SMTP_FROM: 'no-reply@acme.example',
      }
      const first = await startService(env)
      const { body: tenant } = await request(`${first.api}/tenants`, { json: { name: 'Acme', environment: 'staging' } })
      const { body: organization } = await request(`${first.api}/auth/organizations`, {
        json: { tenantId: tenant['id'], name: 'Engineering' },
      })
      const wanted = Array.from({ length: count }, (_, index) => `user${index}@example.com`)
      for (const email of wanted) {
        const json = { organizationId: organization['id'], email }
        const { status } = await request(`${first.api}/auth/organization-invitations`, { json })
        assert.equal(status, 200)
      }
      await until('some are under way', 60_000, () => (connections >= 2 ? true : undefined))
      first.kill('SIGKILL')
      await first.exit()
      assert.equal(mail.received.length, 0)
      await endLeases(deployment)

      isHanging = false
      const second = await startService(env)
      await until('all have arrived', sentMsMax, () =>
        new Set(mail.received.flatMap(({ to }) => to)).size === count ? true : undefined,
      )
      assert.deepEqual(mail.received.flatMap(({ to }) => to).toSorted(), wanted.toSorted())
      assert.equal(new Set(mail.received.map(({ raw }) => idOf(raw))).size, count)
      second.kill('SIGTERM')
      assert.equal((await second.exit()).code, 0)
    })
  })
}
