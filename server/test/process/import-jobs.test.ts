// The service is killed while it imports a file in the background: another process goes on where it was.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { engines } from '../harness/databases/databases.ts'
import { newDeployment, request, runCommand, startService, until } from './service-process.ts'

const users = 12_000
const kills = 2
const progressMsMax = 60_000

for (const engine of engines) {
  describe(`kill -9 of the service during an import in the background on ${engine}`, () => {
    it('loses no line and imports none twice', async () => {
      const deployment = await newDeployment(engine)
      let service = await startService(deployment.env)
      const { body: tenant } = await request(`${service.api}/tenants`, {
        json: { name: 'Crowded', environment: 'staging' },
      })
      const lines = Array.from({ length: users }, (_, index) => `{"email":"user${index}@example.com"}\n`)
      const { body: job } = await request(`${service.api}/auth/users/import-jobs?tenantId=${String(tenant['id'])}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson' },
        body: lines.join(''),
      })
      assert.equal(job['linesTotal'], users)
      const path = `/auth/users/import-jobs/${String(job['id'])}`
      const linesDone = async () => Number((await request(`${service.api}${path}`)).body['linesDone'])

      let before = 0
      for (let kill = 0; kill < kills; kill++) {
        before = await until('the import has gone on', progressMsMax, async () => {
          const done = await linesDone()
          return done > before ? done : undefined
        })
        assert.ok(before < users, 'it is killed in the middle')
        service.kill('SIGKILL')
        await service.exit()
        service = await startService(deployment.env)
        assert.ok((await linesDone()) >= before)
      }
      const done = await until('the import has finished', 5 * progressMsMax, async () => {
        const { body } = await request(`${service.api}${path}`)
        return body['state'] === 'running' ? undefined : body
      })
      assert.deepEqual(
        [done['state'], done['linesDone'], done['created'], done['error']],
        ['completed', users, users, 0],
      )
      const answer = await fetch(`${service.api}${path}/results`)
      const results = (await answer.text()).trimEnd().split('\n')
      assert.equal(results.length, users + 1)
      assert.deepEqual(JSON.parse(results.at(-1) ?? ''), { summary: { created: users, exists: 0, error: 0 } })
      service.kill('SIGTERM')
      await service.exit()
      // It counts the users, and compares them with their counters.
      const checked = await runCommand(['doctor', '--json'], deployment.env)
      const { findings } = JSON.parse(checked.stdout) as { findings: { check: string; status: string }[] }
      assert.equal(findings.find(({ check }) => check === 'counters')?.status, 'ok')
    })
  })
}
