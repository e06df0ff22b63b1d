import assert from 'node:assert/strict'
import { type RequestListener, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { bareAnswer } from '../servers/bare.ts'
import { HttpConnection, answerLength } from './http-connection.ts'
import { p99sInTurns } from './latency.ts'
import { runLoad } from './load.ts'
import { bodyText, requestBytes } from './request.ts'

const closers: (() => void)[] = []
after(() => {
  for (const close of closers) close()
})

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  closers.push(() => server.close().closeAllConnections())
  await new Promise((done) => server.once('listening', done))
  return (server.address() as AddressInfo).port
}

const get = requestBytes({ method: 'GET', path: '/' })

describe('the load generator', () => {
  it('sends whole requests and reads whole answers, of known length and in chunks, over one connection', async () => {
    const port = await serve((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const text = `${request.headers['x-kind'] as string} ${Buffer.concat(chunks).toString()}`
        if (request.url === '/chunks') {
          response.write(text)
          setImmediate(() => response.end('more'))
        } else response.end(text)
      })
    })
    const connection = await HttpConnection.open(port)
    const post = (path: string) =>
      connection.send(requestBytes({ method: 'POST', path, headers: { 'x-kind': 'test' }, body: 'é'.repeat(50_000) }))
    assert.equal(bodyText((await post('/')).bytes), `test ${'é'.repeat(50_000)}`)
    const chunked = await post('/chunks')
    assert.equal(chunked.status, 200)
    assert.ok(chunked.bytes.includes('more\r\n0\r\n\r\n'))
    assert.equal(bodyText((await post('/')).bytes).length, 50_005)
    connection.close()
  })

  it('waits for the rest of an answer, wherever it was cut', () => {
    const whole = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc')
    for (let end = 0; end < whole.length; end++) assert.equal(answerLength(whole.subarray(0, end)), undefined)
    assert.equal(answerLength(whole), whole.length)
  })

  it('counts the answers that came, over all connections', async () => {
    let answers = 0
    const port = await serve((_request, response) => {
      answers++
      response.end('ok')
    })
    // Time for a second answer on some connection, on a machine that is busy with other things as well.
    const seconds = 1
    const { perSecond, p99 } = await runLoad({ port, connections: 3, seconds, next: () => get })
    assert.ok(answers > 3)
    assert.ok(perSecond > 0 && perSecond <= answers / seconds)
    assert.ok(p99 !== undefined && p99 > 0)
  })

  it('fails at the first answer that is not 200', async () => {
    const port = await serve((_request, response) => void response.writeHead(503).end('no'))
    await assert.rejects(runLoad({ port, connections: 2, seconds: 10, next: () => get }), /503 Service Unavailable/)
  })

  it('fails to send over a connection that the server has closed meanwhile', async () => {
    const port = await serve((_request, response) => response.end('ok').socket?.end())
    const connection = await HttpConnection.open(port)
    await connection.send(get)
    // Until the client knows that it was closed, a request is lost on the way, which is a failure too.
    await assert.rejects(connection.send(get), /closed|ECONNRESET|EPIPE/)
    await assert.rejects(connection.send(get), /closed|ECONNRESET|EPIPE/)
  })

  it('fails when the server goes away', async () => {
    const port = await serve((request) => request.socket.destroy())
    await assert.rejects(runLoad({ port, connections: 2, seconds: 10, next: () => get }), /closed|ECONNRESET/)
  })
})

describe('comparing latencies', () => {
  it('calls the servers in turn, and returns a figure for each round except the warm-up', async () => {
    const order: string[] = []
    const serveAs = (name: string) =>
      serve((_request, response) => {
        order.push(name)
        response.end('ok')
      })
    const asked = [await serveAs('one'), await serveAs('other')].map((port) => ({ port, next: () => get }))
    const pace = { rounds: 2, secondsPerRound: 0.2, warmUpSeconds: 0.1 }
    const p99s = await p99sInTurns(asked, pace)
    assert.deepEqual(
      p99s.map((rounds) => rounds.filter((p99) => p99 > 0).length),
      [2, 2],
    )
    // Each has one turn in the warm-up and two in each round.
    assert.deepEqual(
      order.filter((name, index) => name !== order[index - 1]),
      Array.from({ length: 1 + 2 * 2 }, () => ['one', 'other']).flat(),
    )
  })

  it('fails at the first answer that is not 200', async () => {
    const port = await serve((_request, response) => void response.writeHead(503).end('no'))
    const pace = { rounds: 1, secondsPerRound: 0.1, warmUpSeconds: 0.1 }
    await assert.rejects(p99sInTurns([{ port, next: () => get }], pace), /503 Service Unavailable/)
  })
})

describe('the bare server', () => {
  it('repeats the headers and the body of an answer, except the headers that node:http writes by itself', () => {
    const answer =
      'HTTP/1.1 200 OK\r\nX-Request-Id: a:b\r\nDate: now\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nok'
    assert.deepEqual(bareAnswer(Buffer.from(answer)), {
      headers: { 'x-request-id': 'a:b', 'content-length': '2' },
      body: 'ok',
    })
  })
})
