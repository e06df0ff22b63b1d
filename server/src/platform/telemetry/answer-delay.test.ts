import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ServerResponse, createServer } from 'node:http'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { AnswerDelay } from './answer-delay.ts'

describe('the delay of answers', () => {
  it('is that of a caller who still waits, and is forgotten once it was read', async () => {
    const held: ServerResponse[] = []
    const server = createServer((_request, response) => void held.push(response))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const delay = new AnswerDelay(server)
    try {
      assert.equal(delay.take(), 0)
      await once(server, 'request')
      const waiting = delay.take()
      assert.ok(waiting > 0)
      held[0]?.end('done')
      // The caller reads the answer in a later turn; the next one comes after a second.
      while (delay.take() > 0) await setImmediate()
    } finally {
      delay.stop()
      server.closeAllConnections()
      server.close()
    }
  })
})
