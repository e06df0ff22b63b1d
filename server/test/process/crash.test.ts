// The service is killed while it writes. Whatever it has acknowledged must be there, and nothing may be there in part.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { engines } from '../harness/databases/databases.ts'
import { assertWholeAndKept } from './audit.ts'
import { newDeployment, request, startService, until } from './service-process.ts'
import { nothingPromised, startLoad } from './write-load.ts'

const rounds = 8
/** How long the load runs before the kill: a moment that no two rounds share. */
const randomMoment = () => 50 + Math.random() * 400

for (const engine of engines) {
  describe(`kill -9 of the service under load on ${engine}`, () => {
    it('loses nothing that was acknowledged and leaves nothing half-made', async () => {
      const deployment = await newDeployment(engine)
      const promised = nothingPromised()
      let service = await startService(deployment.env)
      const { body } = await request(`${service.api}/tenants`, {
        json: { name: 'Crowded', slug: 'crowded', environment: 'production', domain: 'crowded.example' },
      })
      const tenantId = String(body['id'])
      promised.tenants.set(tenantId, { slug: 'crowded' })

      for (let round = 0; round < rounds; round++) {
        const before = promised.users.size
        const load = startLoad({ api: service.api, tenantId, name: `round-${round}`, promised, mayBeUnavailable: true })
        await until('the load is under way', 60_000, () => (promised.users.size > before + 10 ? true : undefined))
        await sleep(randomMoment())
        service.kill('SIGKILL')
        assert.equal((await service.exit()).signal, 'SIGKILL')
        await load.stop()

        service = await startService(deployment.env)
        await assertWholeAndKept(deployment, promised)
      }
      for (const [id, { slug }] of promised.tenants) {
        const found = await request(`${service.api}/tenants/slug/${slug}`)
        assert.deepEqual([found.status, found.body['id']], [200, id])
      }
      assert.ok(promised.users.size > rounds * 10 && promised.tenants.size > rounds)
    })
  })
}
