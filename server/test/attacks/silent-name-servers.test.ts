// Name servers that never answer, chosen by tenants through the names they enter: what waits for them delays nobody else.
import assert from 'node:assert/strict'
import { randomBytes, scrypt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { after, before, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { createEgress } from '../../src/platform/net/egress.ts'
import { createNames } from '../../src/platform/net/names.ts'
import { createTxtResolver } from '../../src/tenancy/domains/txt-resolver.ts'
import { describeOnEachEngine } from '../harness/databases/databases.ts'
import { createTenant, createUser, createWebhook, unique } from '../harness/factories.ts'
import { startNameServer } from '../harness/outside/name-server.ts'
import { DeliveryWorld } from '../harness/outside/webhook-deliveries.ts'
import { type TestService, startTestService } from '../harness/service.ts'

const endlessMs = 600_000

describeOnEachEngine('a tenant whose name servers never answer', (open) => {
  let names: Awaited<ReturnType<typeof startNameServer>>
  let service: TestService
  let world: DeliveryWorld
  before(async () => {
    names = await startNameServer()
    const { database } = await open()
    service = await startTestService(database, undefined, () => {
      // Endless, so that nothing here depends on time.
      const patient = createNames({ dnsServers: [names.address] }, { tryMs: endlessMs, lookupMs: 6 * endlessMs })
      return {
        egress: createEgress({ isPrivateAllowed: true }, patient.addresses),
        resolveTxt: createTxtResolver(patient),
      }
    })
    world = new DeliveryWorld(service, endlessMs)
  })
  after(async () => {
    await world.close()
    await service.app.close()
    await names.close()
  })

  // Guards: silent-servers
  it('delays neither threads nor the deliveries and look-ups of other tenants', async () => {
    names.isSilent = (name) => name.endsWith('silent.example')
    const other = await world.set()
    const url = new URL(other.receiver.url)
    url.hostname = 'receiver.example'
    await service.ok('updateWebhook', {
      params: { id: other.webhook.id },
      body: { url: url.href },
    })
    names.addresses.set('receiver.example', '127.0.0.1')
    const { tenant } = await createTenant(service)
    // More of each than there are threads, or jobs that a node runs.
    for (let n = 0; n < 40; n++) {
      await createWebhook(service, tenant.id, { url: `https://${n}.silent.example/`, events: ['user.created'] })
    }
    await world.createUsers(tenant, 2)
    const runner = world.node()
    const claimUntil = async (isDone: () => boolean) => {
      while (!isDone()) {
        await runner.claim()
        await setTimeout(10)
      }
    }
    let ended = 0
    const domains = Array.from({ length: 8 }, async (_, n) => {
      const body = { tenantId: tenant.id, name: `${n}-${unique()}.silent.example` }
      const { id } = await service.ok<{ id: string }>('createDomain', { body })
      await service.call('verifyDomain', { params: { id } })
      ended++
    })
    const asked = (isProof: boolean) =>
      new Set(names.unanswered.filter(({ name }) => name.startsWith('_bailiwick') === isProof).map(({ name }) => name))
    // Four jobs of the tenant with two deliveries each, and eight domains: as many look-ups as it may have at once.
    await claimUntil(() => asked(false).size >= 4 && asked(true).size >= 8)

    await Promise.all([
      readFile(import.meta.filename),
      promisify(gzip)('x'),
      promisify(randomBytes)(8),
      promisify(scrypt)('x', 'y', 8),
      createUser(service, tenant.id, { password: 'correct horse battery staple' }),
    ])
    await world.createUsers(other.tenant, 1)
    await claimUntil(() => other.receiver.received.length > 0)
    assert.equal(ended, 0)
    await runner.stop()
    // Once they are answered, what waits ends.
    names.isSilent = () => false
    for (const question of names.unanswered) question.answer()
    await Promise.all(domains)
  })
})
