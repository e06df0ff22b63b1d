// A port for a server that listens only for a while. The system may assign the port of a server that was closed to the next one. The service
// keeps what it has read from an address, such as an identity provider's keys, so the next one would be taken for the former.
import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'

const ports = new Set<number>()

/** Has the server listen at a port of this machine that no other server has had in this process, and returns it. */
export async function listenAtNewPort(server: Server): Promise<number> {
  for (;;) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    if (!ports.has(port)) {
      ports.add(port)
      return port
    }
    server.close()
    await once(server, 'close')
  }
}
