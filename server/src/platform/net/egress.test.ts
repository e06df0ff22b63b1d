import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type Server, createServer } from 'node:http'
import { type AddressInfo, type Socket, type Server as TcpServer, createServer as createTcpServer } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { EgressError, type Resolve, type ResolvedAddress, createEgress } from './egress.ts'

const production = { isPrivateAllowed: false }
const development = { isPrivateAllowed: true }
const post = {
  tenantId: 'acme',
  method: 'POST',
  headers: {},
  body: '{}',
  timeoutMs: 2000,
  responseBytesMax: 100,
} as const

const address = (text: string): ResolvedAddress => ({ address: text, family: text.includes(':') ? 6 : 4 })
const resolving =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map(address)

/** Ways to write an internal address: as numbers, in parts, in other bases and digits, in IPv6, and names of this machine. */
const insideHosts = `
  127.0.0.1 127.1 127.0.1 127.000.000.001 0x7f.1 0x7f.0.0.1 0x7f000001 2130706433 017700000001 0177.0.0.1 0177.1
  00000177.0.0.1 127.0.0.1. 127.255.255.255 0x7F.0X0.0.1 ①②⑦.⓪.⓪.① １２７.０.０.１ 127。0。0。1 127．0．0．1 %31%32%37.0.0.1 0
  0.0.0.0 0x0 000 10.0.0.1 10.1 0xa.1 167772161 012.0.0.1 172.16.0.1 0xac.0x10.0.1 2886729729 192.168.1.1 192.168.257
  3232235777 0xc0a80101 169.254.169.254 2852039166 0xa9fea9fe 0251.0376.0251.0376 169.254.43518 169.16689662
  100.64.0.1 100.100.100.200 198.18.0.1 224.0.0.1 240.0.0.1 255.255.255.255 4294967295 192.0.0.192 192.0.2.1
  203.0.113.9 [::1] [::] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::ffff:127.0.0.1]
  [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:1] [::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [::ffff:10.0.0.1] [::127.0.0.1]
  [::7f00:1] [64:ff9b::7f00:1] [64:ff9b::127.0.0.1] [64:ff9b::a9fe:a9fe] [64:ff9b:1::7f00:1] [2002:7f00:1::]
  [2002:7f00:0001::1] [2002:a9fe:a9fe::] [2001::1] [2001:0:4136:e378:8000:63bf:3fff:fdd2] [fe80::1] [fec0::1]
  [fc00::1] [fd00:ec2::254] [ff02::1] [::ffff:c0a8:0101] [::ffff:192.168.1.1] [64:ff9b::192.168.0.1]
  [2002:c0a8:101::1] [5f00::1] 0x7f.0x0.0x0.0x1 0177.0x0.0.1 127.0.0x1 [3fff::1] [4000::1] [2001:10::1]
  172.31.255.254 [::ffff:0:7f00:1] [2001:db8::1] [100::1] [::FFFF:127.0.0.1] [0::1] [::0:1]
`
  .trim()
  .split(/\s+/)

/** Names that the test's resolver resolves to internal addresses. */
const insideNames = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  'localtest.me',
  'ｌocalhost',
  'internal.example',
]

const wrongUrls = [
  'https://exa mple.com/',
  '',
  ...`
  http://example.com/ ftp://example.com/ file:///etc/passwd gopher://example.com/ data:text/plain,x
  javascript:alert(1) ws://example.com/ unix:/var/run/docker.sock dict://example.com:11211/ //example.com
  https://user@example.com/ https://:secret@example.com/ https://127.0.0.1@example.com/ https://a:b@[::1]/
  https://example.com:22/ https://example.com:25/ https://example.com:80/ https://example.com:0/
  https://example.com:6553600/ https:// https://[::1 https://[::1%25lo]/
`
    .trim()
    .split(/\s+/),
]

describe('the way out, in production', () => {
  const sinks: { server: Server; port: number }[] = []
  let hits = 0
  before(async () => {
    for (const host of ['127.0.0.1', '::1']) {
      const server = createServer((_request, response) => {
        hits++
        response.end('reached')
      })
      server.on('connection', () => hits++)
      server.listen(0, host)
      await once(server, 'listening')
      sinks.push({ server, port: (server.address() as AddressInfo).port })
    }
  })
  after(() => {
    for (const { server } of sinks) server.close()
  })

  const refused = async (url: string, resolve: Resolve, code: RegExp) => {
    const egress = createEgress(production, resolve)
    await assert.rejects(egress.request(url, post), (error: unknown) => {
      assert.ok(error instanceof EgressError, `${url}: ${String(error)}`)
      assert.match(error.code, code, url)
      return true
    })
  }

  it('refuses every spelling of an internal address, and reaches nothing internal', async () => {
    assert.ok(insideHosts.length + insideNames.length + wrongUrls.length >= 120)
    for (const host of insideHosts) {
      for (const { port } of sinks) await refused(`https://${host}:${port}/`, resolving('127.0.0.1'), /_refused$/)
      await refused(`http://${host}/`, resolving('127.0.0.1'), /_refused$/)
    }
    for (const name of insideNames) {
      for (const { port } of sinks) {
        for (const inside of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '169.254.169.254', '0.0.0.0', 'fe80::1%lo']) {
          await refused(`https://${name}:${port}/`, resolving(inside), /^address_refused$/)
        }
      }
    }
    for (const url of wrongUrls) await refused(url, resolving('8.8.8.8'), /_refused$/)
    assert.equal(hits, 0)
  })

  it('refuses a name with an internal address among others, in any order', async () => {
    const mixed = [
      ['93.184.216.34', '127.0.0.1'],
      ['127.0.0.1', '93.184.216.34'],
      ['2606:2800:220:1::1', '93.184.216.34', '::1'],
      ['::ffff:10.0.0.1', '2606:2800:220:1::1'],
      ['93.184.216.34', 'not an address'],
    ]
    for (const addresses of mixed) await refused('https://mixed.example/', resolving(...addresses), /^address_refused$/)
    await refused('https://nothing.example/', resolving(), /^unresolvable$/)
    const failing: Resolve = () => Promise.reject(new Error('NXDOMAIN'))
    await refused('https://nothing.example/', failing, /^unresolvable$/)
    assert.equal(hits, 0)
  })

  it('resolves the name once, so that rebinding it after the check has no effect', async () => {
    let asked = 0
    const rebinding: Resolve = async () => {
      asked++
      // An unused public address, because RFC 5737's would be refused. Connecting to it fails or hangs, which proves that it was allowed.
      return [address(asked === 1 ? '93.184.216.34' : '127.0.0.1')]
    }
    const egress = createEgress(production, rebinding)
    const port = sinks[0]?.port ?? 0
    await assert.rejects(egress.request(`https://rebinding.example:${port}/`, { ...post, timeoutMs: 300 }), EgressError)
    assert.equal(asked, 1)
    assert.equal(hits, 0)
  })

  it('tells in advance which addresses can never be called', () => {
    const egress = createEgress(production)
    assert.equal(egress.check('https://hooks.example:8443/in').hostname, 'hooks.example')
    for (const url of [...wrongUrls, ...insideHosts.map((host) => `https://${host}/`)]) {
      assert.throws(() => egress.check(url), EgressError, url)
    }
  })
})

const failsWith = (code: string) => (error: unknown) => error instanceof EgressError && error.code === code

describe('the way out, in development', () => {
  let server: Server
  let origin: string
  let seen: { url: string | undefined; host: string | undefined; body: string }[] = []
  before(async () => {
    server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        seen.push({ url: request.url, host: request.headers.host, body })
        if (request.url === '/redirect') response.writeHead(307, { location: `${origin}/target` }).end()
        else if (request.url === '/large') response.end('x'.repeat(1000))
        else if (request.url === '/endless') setInterval(() => response.write('x'.repeat(50)), 1).unref()
        else if (request.url === '/silent') request.socket.setKeepAlive(true)
        else response.writeHead(202, { 'retry-after': '7' }).end('taken')
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const egress = createEgress(development)

  it('sends method, headers and body, and gives status, headers and body of the answer', async () => {
    seen = []
    const answer = await egress.request(`${origin}/in?a=1`, { ...post, body: '{"a":"ä"}' })
    assert.deepEqual([answer.status, answer.body.toString(), answer.isTruncated], [202, 'taken', false])
    assert.equal(answer.headers['retry-after'], '7')
    assert.deepEqual(seen, [{ url: '/in?a=1', host: origin.slice('http://'.length), body: '{"a":"ä"}' }])
  })

  it('connects to the address that was resolved, under the name that was asked for', async () => {
    seen = []
    const named = createEgress(development, resolving('127.0.0.1'))
    const port = new URL(origin).port
    assert.equal((await named.request(`http://receiver.example:${port}/in`, post)).status, 202)
    assert.equal(seen[0]?.host, `receiver.example:${port}`)
  })

  it('returns a redirect instead of following it', async () => {
    seen = []
    assert.equal((await egress.request(`${origin}/redirect`, post)).status, 307)
    assert.deepEqual(
      seen.map(({ url }) => url),
      ['/redirect'],
    )
  })

  it('reads no more of an answer than requested, even if it is endless', async () => {
    for (const path of ['/large', '/endless']) {
      const answer = await egress.request(`${origin}${path}`, post)
      assert.deepEqual([answer.status, answer.body.length, answer.isTruncated], [200, 100, true])
    }
  })

  it('gives up when its time is over: no answer, no address, or too slow an answer', async () => {
    const short = { ...post, timeoutMs: 100 }
    await assert.rejects(egress.request(`${origin}/silent`, short), failsWith('timed_out'))
    const slow = createEgress(development, () => new Promise(() => undefined))
    await assert.rejects(slow.request('http://slow.example/', short), failsWith('timed_out'))
    const endless = { ...short, responseBytesMax: 1e9 }
    await assert.rejects(egress.request(`${origin}/endless`, endless), failsWith('timed_out'))
  })

  it('distinguishes a truncated answer from a whole one, and a refused connection from both', async () => {
    const cut: TcpServer = createTcpServer((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nonly this'))
    })
    cut.listen(0, '127.0.0.1')
    await once(cut, 'listening')
    const { port } = cut.address() as AddressInfo
    await assert.rejects(egress.request(`http://127.0.0.1:${port}/`, post), failsWith('answer_cut'))
    cut.close()
    await once(cut, 'close')
    await assert.rejects(egress.request(`http://127.0.0.1:${port}/`, post), failsWith('connection_failed'))
  })

  it('still refuses link-local addresses, where cloud providers serve secrets of machines', async () => {
    await assert.rejects(egress.request('http://169.254.169.254/latest/meta-data', post), failsWith('address_refused'))
  })
})

describe('a connection that is kept', () => {
  /** A server that answers the first request of each connection, and treats the later ones as told. */
  async function startServer(later: (socket: Socket) => void) {
    const asked: number[] = []
    const server = createTcpServer((socket) => {
      const connection = asked.push(0) - 1
      socket.on('error', () => undefined)
      socket.on('data', () => {
        const count = (asked[connection] ?? 0) + 1
        asked[connection] = count
        if (count === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
        else later(socket)
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return { asked, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
  }
  const kept = { ...post, isKeptAlive: true } as const

  it('serves the next requests that ask for it, however many follow, and no others', async () => {
    const { asked, server, url } = await startServer((socket) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'),
    )
    const own = createEgress(development)
    for (let request = 0; request < 20; request++) {
      assert.equal((await own.request(url, kept)).body.toString(), 'ok')
      await turn()
    }
    assert.deepEqual(asked, [20])
    for (let request = 0; request < 2; request++) await own.request(url, post)
    assert.deepEqual(asked, [20, 1, 1])
    server.close()
  })

  it('serves requests of its tenant alone', async () => {
    const { asked, server, url } = await startServer((socket) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'),
    )
    const own = createEgress(development)
    for (const tenantId of ['acme', 'globex', 'acme', 'globex']) {
      await own.request(url, { ...kept, tenantId })
      await turn()
    }
    assert.deepEqual(asked, [2, 2])
    server.close()
  })

  it('has a request sent again, once, if the server has closed it', async () => {
    const { asked, server, url } = await startServer((socket) => socket.resetAndDestroy())
    const own = createEgress(development)
    for (let request = 0; request < 2; request++) {
      assert.equal((await own.request(url, kept)).body.toString(), 'ok')
      await turn()
    }
    assert.deepEqual(asked, [2, 1])
    server.close()
  })

  it('has nothing sent again once an answer has begun, nor has a new connection', async () => {
    const begun = await startServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nok', () => socket.resetAndDestroy())
    })
    const own = createEgress(development)
    await own.request(begun.url, kept)
    await turn()
    await assert.rejects(own.request(begun.url, kept), failsWith('answer_cut'))
    assert.deepEqual(begun.asked, [2])
    begun.server.close()

    let connections = 0
    const closing = createTcpServer((socket) => {
      connections++
      socket.on('error', () => undefined)
      socket.once('data', () => socket.resetAndDestroy())
    })
    closing.listen(0, '127.0.0.1')
    await once(closing, 'listening')
    const url = `http://127.0.0.1:${(closing.address() as AddressInfo).port}/`
    await assert.rejects(own.request(url, kept), failsWith('connection_failed'))
    assert.equal(connections, 1)
    closing.close()
  })

  it('serves no request whose host has an address by now that is refused', async () => {
    const { asked, server, url } = await startServer((socket) => socket.end())
    let inside = '127.0.0.1'
    const own = createEgress(development, async () => [address(inside)])
    const named = url.replace('127.0.0.1', 'moving.example')
    await own.request(named, kept)
    await turn()
    inside = '169.254.169.254'
    await assert.rejects(own.request(named, kept), failsWith('address_refused'))
    assert.deepEqual(asked, [1])
    server.close()
  })
})
