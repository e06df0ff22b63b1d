// A DNS server for tests: it answers questions for TXT and A records over UDP from tables, as slowly as a test wants, or never.
import { createSocket } from 'node:dgram'

const headerBytes = 12
const typeA = 1
const typeTxt = 16

export interface NameServer {
  /** `127.0.0.1:port`, the form of BAILIWICK_DNS_SERVERS. */
  readonly address: string
  readonly records: Map<string, readonly string[]>
  /** IPv4 addresses by name. */
  readonly addresses: Map<string, string>
  /** What an answer waits for; replaced by tests. */
  hold: Promise<unknown>
  /** The names whose questions are held back instead of answered. */
  isSilent: (name: string) => boolean
  readonly unanswered: { readonly name: string; readonly answer: () => void }[]
  close(): Promise<void>
}

function question(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = headerBytes
  for (let length = message.readUInt8(at); length !== 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

const text = (value: string) => Buffer.concat([Buffer.from([Buffer.byteLength(value)]), Buffer.from(value)])

function answerTo(query: Buffer, { records, addresses }: Pick<NameServer, 'records' | 'addresses'>): Buffer {
  const { name, type, end } = question(query)
  const address = addresses.get(name)
  const texts = records.get(name)
  const data = {
    [typeTxt]: texts?.map(text),
    [typeA]: address === undefined ? undefined : [Buffer.from(address.split('.').map(Number))],
  }[type]
  const header = Buffer.from(query.subarray(0, headerBytes))
  // QR, RD, RA; NXDOMAIN if the name is in no table.
  header.writeUInt16BE(address === undefined && texts === undefined ? 0x8183 : 0x8180, 2)
  header.writeUInt16BE(data?.length ?? 0, 6)
  header.writeUInt32BE(0, 8)
  const answers = (data ?? []).map((bytes) => {
    const fixed = Buffer.alloc(12)
    fixed.writeUInt16BE(0xc000 | headerBytes, 0)
    fixed.writeUInt16BE(type, 2)
    fixed.writeUInt16BE(1, 4)
    fixed.writeUInt32BE(0, 6)
    fixed.writeUInt16BE(bytes.length, 10)
    return Buffer.concat([fixed, bytes])
  })
  return Buffer.concat([header, query.subarray(headerBytes, end), ...answers])
}

export async function startNameServer(): Promise<NameServer> {
  const socket = createSocket('udp4')
  const server: NameServer = {
    address: '',
    records: new Map(),
    addresses: new Map(),
    hold: Promise.resolve(),
    isSilent: () => false,
    unanswered: [],
    close: () => new Promise((done) => void socket.close(() => done())),
  }
  socket.on('message', (query, from) => {
    const { name } = question(query)
    const answer = () => socket.send(answerTo(query, server), from.port, from.address)
    if (server.isSilent(name)) server.unanswered.push({ name, answer })
    else void server.hold.then(answer)
  })
  await new Promise<void>((done) => void socket.bind(0, '127.0.0.1', done))
  return Object.assign(server, { address: `127.0.0.1:${socket.address().port}` })
}
