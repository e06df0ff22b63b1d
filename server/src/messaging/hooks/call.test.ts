import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { HookWithSecret } from '@bailiwick/contract'
import { createTenant } from '../../../test/harness/factories.ts'
import { decide } from '../../../test/harness/outside/hook-server.ts'
import { WebhookReceiver } from '../../../test/harness/outside/webhook-receiver.ts'
import { describeService } from '../../../test/harness/service.ts'
import type { TenantId } from '../../platform/ids.ts'
import { callHook, callsOfTenantMax } from './call.ts'
import { selectHook } from './queries.ts'

describeService('calls of hooks', (service) => {
  let silent: WebhookReceiver
  let prompt: WebhookReceiver
  before(async () => {
    silent = await WebhookReceiver.start()
    prompt = await WebhookReceiver.start()
  })
  after(() => Promise.all([silent.stop(), prompt.stop()]))

  async function createHookAt(url: string) {
    const { tenant } = await createTenant(service())
    const body = { tenantId: tenant.id, point: 'sign_in.before_session', url, timeoutMs: 3000 }
    const { id, secret } = await service().ok<HookWithSecret>('createHook', { body })
    const row = await selectHook(service().deps.db, tenant.id as TenantId, id)
    assert.ok(row)
    return { row, secret }
  }

  // Guards: slow-hooks
  it('have turns of their own in each tenant, so that a server that never answers delays no other', async () => {
    const [slow, other] = [await createHookAt(silent.url), await createHookAt(prompt.url)]
    prompt.behaviour = decide({ decision: 'allow' }, other)
    const { promise: full, resolve } = Promise.withResolvers<undefined>()
    silent.behaviour = () => {
      if (silent.concurrent === callsOfTenantMax) resolve(undefined)
    }
    const calls = Array.from({ length: callsOfTenantMax * 2 }, () => callHook(service().deps, slow.row, {}))
    await full
    assert.equal((await callHook(service().deps, other.row, {})).answer?.decision, 'allow')
    assert.equal(silent.concurrentMax, callsOfTenantMax)
    await silent.stop()
    for (const { answer } of await Promise.all(calls)) assert.equal(answer, undefined)
  })
})
