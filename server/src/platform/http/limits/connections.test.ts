import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type Server, createServer } from 'node:http'
import { type AddressInfo, type Socket, connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { SilentConnections, followConnections } from './connections.ts'

describe('connections that never send a byte', () => {
  it('are closed some at a time, so that requests are served in between', async () => {
    let closed = 0
    const socket = { destroy: () => void closed++ } as unknown as Socket
    const silent = new SilentConnections()
    for (let count = 0; count < 1000; count++) silent.close(socket)
    const closedByTurn: number[] = []
    for (let turn = 0; turn < 12; turn++) {
      closedByTurn.push(closed)
      await nextTurn()
    }
    assert.equal(closed, 1000)
    for (const [turn, count] of closedByTurn.entries()) assert.ok(count - (closedByTurn[turn - 1] ?? 0) <= 100)
    await nextTurn()
    silent.close(socket)
    await nextTurn()
    assert.equal(closed, 1001, 'closing begins anew')
  })
})

describe('the end of listening', () => {
  let server: Server
  before(async () => {
    server = createServer((_request, response) => void response.end('here'))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  after(() => {
    server.closeAllConnections()
  })

  it('waits for a request from clients that have just connected, and refuses new ones', async () => {
    const { port } = server.address() as AddressInfo
    const connections = followConnections(server, 60_000)
    const accepted = once(server, 'connection')
    const client = connect(port, '127.0.0.1').setEncoding('utf8')
    await accepted
    const ended = once(server, 'request')
    const stopped = connections.stopListening()
    while (server.listening) await nextTurn()
    const [error] = (await once(connect(port, '127.0.0.1'), 'error')) as [NodeJS.ErrnoException]
    assert.equal(error.code, 'ECONNREFUSED')
    let received = ''
    client.on('data', (text: string) => (received += text))
    client.write('GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
    await Promise.all([stopped, ended, once(client, 'end')])
    assert.match(received, /^HTTP\/1\.1 200 OK.*here/s)
  })
})
