// Handles all connections of a server: those that never send a byte, and the end of listening.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/** How many silent connections are closed before requests are served again. */
const closedAtOnce = 100
const firstByteMsDefault = 1000
const lookEveryMs = 20

/**
 * Closes connections that never sent a byte, some at a time. Thousands that were opened together also time out together; closing all of
 * them in one turn of the event loop would delay every request.
 */
export class SilentConnections {
  readonly #sockets: Socket[] = []
  #isClosing = false

  close(socket: Socket): void {
    this.#sockets.push(socket)
    if (!this.#isClosing) void this.#closeEach()
  }

  async #closeEach(): Promise<void> {
    this.#isClosing = true
    while (this.#sockets.length > 0) {
      for (const socket of this.#sockets.splice(0, closedAtOnce)) socket.destroy()
      await nextTurn()
    }
    this.#isClosing = false
  }
}

/**
 * Keeps track of a server's connections.
 * @param firstByteMs how long a new client may take to send something once listening ends.
 */
export function followConnections(server: Server, firstByteMs = firstByteMsDefault) {
  const connections = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  const isFresh = (socket: Socket) => socket.bytesRead === 0

  return {
    /**
     * Ends listening, so that new connections are refused. Resolves when the most recent clients have begun to send a request or have had
     * the time for it. Requests under way continue.
     */
    async stopListening(): Promise<void> {
      // Waits until the system has just been asked for new connections, because any accepted between that and the end of listening would be
      // reset.
      await nextTurn()
      server.close()
      const fresh = [...connections].filter(isFresh)
      const until = performance.now() + firstByteMs
      while (performance.now() < until && fresh.some((socket) => !socket.destroyed && isFresh(socket))) {
        await sleep(lookEveryMs)
      }
    },
  }
}
