// A DNS server for tests: answers TXT questions over UDP from a table, as slowly as a test wants.
import { createSocket } from 'node:dgram'

const headerBytes = 12
const typeTxt = 16

export interface NameServer {
  /** `127.0.0.1:port`, as BAILIWICK_DNS_SERVERS takes it. */
  readonly address: string
  readonly records: Map<string, readonly string[]>
  /** What an answer waits for; replaced by tests. */
  hold: Promise<unknown>
  close(): Promise<void>
}

function questionName(message: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = headerBytes
  for (let length = message.readUInt8(at); length !== 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 }
}

function answerTo(query: Buffer, values: readonly string[] | undefined): Buffer {
  const { end } = questionName(query)
  const header = Buffer.from(query.subarray(0, headerBytes))
  // QR, RD, RA; NXDOMAIN where the name is not in the table.
  header.writeUInt16BE(values === undefined ? 0x8183 : 0x8180, 2)
  header.writeUInt16BE(values?.length ?? 0, 6)
  header.writeUInt32BE(0, 8)
  const answers = (values ?? []).map((value) => {
    const text = Buffer.from(value)
    const fixed = Buffer.alloc(12)
    fixed.writeUInt16BE(0xc000 | headerBytes, 0)
    fixed.writeUInt16BE(typeTxt, 2)
    fixed.writeUInt16BE(1, 4)
    fixed.writeUInt32BE(0, 6)
    fixed.writeUInt16BE(text.length + 1, 10)
    return Buffer.concat([fixed, Buffer.from([text.length]), text])
  })
  return Buffer.concat([header, query.subarray(headerBytes, end), ...answers])
}

export async function startNameServer(): Promise<NameServer> {
  const socket = createSocket('udp4')
  const server: NameServer = {
    address: '',
    records: new Map(),
    hold: Promise.resolve(),
    close: () => new Promise((done) => void socket.close(() => done())),
  }
  socket.on('message', (query, from) => {
    const { name } = questionName(query)
    void server.hold.then(() => {
      socket.send(answerTo(query, server.records.get(name)), from.port, from.address)
    })
  })
  await new Promise<void>((done) => void socket.bind(0, '127.0.0.1', done))
  return Object.assign(server, { address: `127.0.0.1:${socket.address().port}` })
}
