import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, it } from 'node:test'
import { listenAtNewPort } from './new-port.ts'

describe('the port of a test’s server', () => {
  it('is never that of a server which listened before, even if the system would assign it again', async () => {
    const server = createServer()
    const first = await listenAtNewPort(server)
    server.close()
    await once(server, 'close')
    const other = createServer()
    const listen = other.listen.bind(other) as (port: number, host: string) => typeof other
    const chosen = [first]
    // As if the system chose the same port first.
    other.listen = ((_port: number, host: string) => listen(chosen.pop() ?? 0, host)) as typeof other.listen
    assert.notEqual(await listenAtNewPort(other), first)
    assert.deepEqual(chosen, [])
    other.close()
  })
})
