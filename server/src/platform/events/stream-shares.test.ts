// Places for event streams are few: a holder of many gives way to one with none, and a stream that nobody reads loses its place.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { it } from 'node:test'
import { createTenant } from '../../../test/harness/factories.ts'
import { describeService } from '../../../test/harness/service.ts'
import { ApiError } from '../http/api-error.ts'
import type { TenantId } from '../ids.ts'
import { createEventStreams } from './stream.ts'

const patientMs = 3_600_000
const isFull = (error: unknown) => error instanceof ApiError && error.code === 'too_many_streams'

describeService('the places of event streams', (service) => {
  const ids = async (count: number) =>
    Promise.all(Array.from({ length: count }, async () => (await createTenant(service())).tenant.id as TenantId))
  function opening(limits: Parameters<typeof createEventStreams>[1]) {
    const streams = createEventStreams(service().deps, limits)
    const open = async (tenantId: TenantId, credential = 'one') => {
      const stream = await streams.open({
        tenantId,
        credential,
        after: undefined,
        cut: () => stream.destroy(),
        onClosed: () => undefined,
        mayGoOn: async () => undefined,
      })
      return stream
    }
    return { streams, open }
  }

  // Guards: shared-streams
  it('are shared by tenants: the one with most gives its oldest to one with fewer, until they have the same', async () => {
    const [one, other, third] = (await ids(3)) as [TenantId, TenantId, TenantId]
    const { streams, open } = opening({ perTenantMax: 4, perNodeMax: 4, stalledMs: patientMs })
    const [oldest, second] = [await open(one), await open(one), await open(one), await open(one)]
    await assert.rejects(open(one), isFull)
    for (const evicted of [oldest, second]) {
      const ended = once(evicted, 'end')
      await open(other)
      evicted.resume()
      await ended
    }
    // Two each now; replacing one another would never end.
    await assert.rejects(open(other), isFull)
    await open(third)
    await assert.rejects(open(third), isFull)
    streams.end()
  })

  // Guards: shared-streams
  it('are shared by the credentials of a tenant in the same way', async () => {
    const [tenant] = (await ids(1)) as [TenantId]
    const { streams, open } = opening({ perTenantMax: 3, perNodeMax: 100, stalledMs: patientMs })
    const [oldest] = [await open(tenant), await open(tenant), await open(tenant)]
    await assert.rejects(open(tenant), isFull)
    const ended = once(oldest, 'end')
    await open(tenant, 'other')
    oldest.resume()
    await ended
    await assert.rejects(open(tenant, 'other'), isFull)
    streams.end()
  })

  // Guards: shared-streams
  it('are lost by a reader that takes nothing', async () => {
    const [tenant] = (await ids(1)) as [TenantId]
    const { streams, open } = opening({ perTenantMax: 1, perNodeMax: 1, stalledMs: 1 })
    const stream = await open(tenant)
    const closed = once(stream, 'close')
    // Requests the beginning, and never reads it.
    stream.on('readable', () => undefined)
    await closed
    await open(tenant)
    streams.end()
  })
})
