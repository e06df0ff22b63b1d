// A proxy before PostgreSQL that behaves like a bad network: it cuts connections off, refuses them, or passes nothing on.
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net'

export interface DatabaseProxy {
  readonly url: string
  close(): Promise<void>
}

/** @param take what happens to a connection; what the server answers is passed on. */
export async function proxyTo(
  serverUrl: string,
  take: (client: Socket, connectUpstream: () => Socket) => void,
): Promise<DatabaseProxy> {
  const target = new URL(serverUrl)
  const socketDirectory = target.searchParams.get('host')
  const port = Number(target.port || '5432')
  const proxy = createServer((client) => {
    client.on('error', () => client.destroy())
    take(client, () => {
      const upstream =
        socketDirectory === null
          ? createConnection(port, target.hostname)
          : createConnection(`${socketDirectory}/.s.PGSQL.${port}`)
      client.once('close', () => upstream.end())
      upstream.on('error', () => client.destroy())
      upstream.on('data', (chunk) => client.write(chunk))
      return upstream
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => proxy.once('listening', resolve))
  const url = new URL(serverUrl)
  url.searchParams.delete('host')
  url.hostname = '127.0.0.1'
  url.port = String((proxy.address() as AddressInfo).port)
  return {
    url: url.href,
    close: async () => {
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}

export interface CuttableProxy extends DatabaseProxy {
  /** From now on nothing is passed on, in either direction, and neither side is told. */
  silence(): void
  /** Passes on what has arrived meanwhile, and everything from now on. */
  restore(): void
  /** Passes on what is sent over new connections, but nothing more over those that are open. */
  restoreForOthers(): void
  /** From now on new connections are refused; open ones continue. */
  refuseOthers(): void
}

export async function cuttableProxy(serverUrl: string): Promise<CuttableProxy> {
  const sockets = new Set<Socket>()
  let isSilent = false
  let isRefusing = false
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    if (isSilent) socket.pause()
  }
  const proxy = await proxyTo(serverUrl, (client, connectUpstream) => {
    if (isRefusing) {
      client.destroy()
      return
    }
    const upstream = connectUpstream()
    client.on('data', (chunk) => upstream.write(chunk))
    upstream.once('close', () => client.end())
    keep(client)
    keep(upstream)
  })
  return {
    ...proxy,
    silence() {
      isSilent = true
      for (const socket of sockets) socket.pause()
    },
    restore() {
      isSilent = false
      for (const socket of sockets) socket.resume()
    },
    restoreForOthers() {
      isSilent = false
    },
    refuseOthers() {
      isRefusing = true
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await proxy.close()
    },
  }
}
