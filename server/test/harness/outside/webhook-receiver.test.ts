import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { WebhookReceiver } from './webhook-receiver.ts'

describe('a receiver of webhooks', () => {
  it('keeps what is sent to its own address, and not what is meant for another receiver at its port', async () => {
    const receiver = await WebhookReceiver.start()
    const { url } = receiver
    const { origin } = new URL(url)
    const statuses: number[] = []
    for (const address of [url, `${url}?of=tenant`, `${origin}/in`]) {
      const { status } = await fetch(address, { method: 'POST', body: '{}' })
      statuses.push(status)
    }
    await receiver.stop()
    assert.deepEqual(
      receiver.received.map((received) => `${origin}${received.url}`),
      [url, `${url}?of=tenant`],
    )
    assert.deepEqual(statuses, [200, 200, 404])
  })
})
